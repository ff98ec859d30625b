import { createRequire } from 'node:module';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { PackageManifest } from './packageFacts';
import type { Outcome } from './report';

/** Checks that index.js exports every class that package.json lists, and explains what to do without a build. */
export async function indexExports(
	projectFolder: string,
	workFolder: string,
	manifest: PackageManifest,
): Promise<Outcome> {
	const exported = loadPackage(projectFolder) as Record<string, unknown>;
	const expected = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map(classNameOf);
	const findings = [
		...expected
			.filter((name) => typeof exported[name] !== 'function')
			.map((name) => `The class ${name} is not exported.`),
		...Object.keys(exported)
			.filter((name) => !expected.includes(name))
			.map((name) => `${name} is exported, but the n8n section of package.json does not list it.`),
	];

	const message = await messageWithoutBuild(projectFolder, workFolder);
	if (!message.includes('npm run build')) findings.push(`Without dist, the message is only: ${message}`);
	return { detail: expected.join(', '), findings };
}

/** n8n's naming rule: `dist/nodes/Chat/Chat.node.js` exports the class `Chat`. */
export function classNameOf(file: string): string {
	return path.posix.basename(file).split('.')[0];
}

async function messageWithoutBuild(projectFolder: string, workFolder: string): Promise<string> {
	const unbuilt = path.join(workFolder, 'unbuilt');
	await mkdir(unbuilt);
	for (const file of ['index.js', 'package.json']) {
		await copyFile(path.join(projectFolder, file), path.join(unbuilt, file));
	}
	try {
		loadPackage(unbuilt);
		return 'nothing';
	} catch (error) {
		return (error as Error).message;
	}
}

/** What the package exports once it is built. */
export function loadPackage(folder: string): unknown {
	return createRequire(path.join(folder, 'package.json'))('./index.js');
}
