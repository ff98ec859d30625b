import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const project = path.resolve(__dirname, '../..');

/** Who publishes the package, and where. It is entered here only; `npm run owner` writes it wherever it is needed. */
export interface Owner {
	/** The name of the organization on GitHub. */
	organization: string;
	repository: string;
	contactName: string;
	contactEmail: string;
	/** True for placeholders. Nothing can be published then. */
	arePlaceholders: boolean;
}

const ownerFile = path.join(project, 'tools/release/owner.json');

export function readOwner(): Owner {
	return JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
}

/** Returns the files that name the owner, relative to the project. */
export function filesWithOwner(): string[] {
	const codex = readdirSync(path.join(project, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.node.json'))
		.map((file) => path.join('nodes', file));
	return [
		'package.json',
		'credentials/UnifiedAiGatewayApi.credentials.ts',
		'.github/ISSUE_TEMPLATE/config.yml',
		...codex.sort(),
	];
}

/** A text with the owner in place of whatever owner it names. npm refuses to publish what is private. Pure. */
export function withOwner(text: string, owner: Owner): string {
	const { organization, repository, contactName, contactEmail, arePlaceholders } = owner;
	return text
		.replace(/"private": (true|false)/, `"private": ${arePlaceholders}`)
		.replace(/github\.com\/[\w.-]+\/n8n-nodes-[\w-]+/g, `github.com/${organization}/${repository}`)
		.replace(/("author": \{\s*"name": ")[^"]*(",\s*"email": ")[^"]*"/, `$1${contactName}$2${contactEmail}"`);
}

/** Returns the files that name another owner. */
export function filesOfOthers(owner: Owner): string[] {
	return filesWithOwner().filter((file) => {
		const text = readFileSync(path.join(project, file), 'utf8');
		return withOwner(text, owner) !== text;
	});
}

/** Returns the reasons why the package must not be published yet, in sentences; empty if there are none. Pure. */
export function reasonsNotToPublish({ contactEmail, arePlaceholders }: Owner, others: string[]): string[] {
	return [
		...(arePlaceholders || contactEmail.endsWith('.example')
			? [
					'The organization, the repository, and the contact are placeholders. Enter them in tools/release/owner.json, set arePlaceholders to false, and run npm run owner.',
				]
			: []),
		...others.map((file) => `${file} names another owner. Run npm run owner.`),
	];
}
