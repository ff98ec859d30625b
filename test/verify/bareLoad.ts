import { access, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { SCAN_MODULES } from './communityScan';
import type { PackageManifest } from './packageFacts';
import type { Outcome } from './report';
import { runOrThrow } from './run';

/** The packages that every n8n provides to community packages. */
const HOST_PACKAGES = ['n8n-workflow', 'zod'];

type Icon = string | { light: string; dark: string };

/** The description of a loaded class; only the fields that are checked here. */
interface Facts {
	name?: string;
	displayName?: string;
	icon?: Icon;
	properties?: unknown[];
	group?: string[];
	inputs?: unknown;
	outputs?: unknown;
	usableAsTool?: unknown;
	credentials?: Array<{ name: string; testedBy?: string }>;
	/** The tests of credentials that a node has. */
	credentialTests?: string[];
	documentationUrl?: string;
}

interface Loaded {
	file: string;
	/** Set instead of `facts` when the file cannot be loaded or its class cannot be instantiated. */
	failure?: string;
	facts?: Facts;
}

/**
 * Loads every node and credential in a Node process that has only the packages that n8n provides, through NODE_PATH as in
 * n8n, and checks their descriptions. The scan must be installed.
 */
export async function bareLoad(
	unpackedFolder: string,
	workFolder: string,
	manifest: PackageManifest,
): Promise<Outcome> {
	const { nodes, credentials } = manifest.n8n;
	const packageFolder = path.join(workFolder, 'user', 'node_modules', manifest.name);
	await cp(unpackedFolder, packageFolder, { recursive: true });
	const { unexpected, loaded } = await load(packageFolder, await hostFolder(workFolder), [
		...nodes,
		...credentials,
	]);
	const nodeTypes = loaded.filter(({ file }) => nodes.includes(file));
	const credentialTypes = loaded.filter(({ file }) => credentials.includes(file));
	const credentialNames = credentialTypes.map(({ facts }) => facts?.name);

	const findings = [
		...unexpected.map(
			(name) => `${name} can be resolved, so this check would not detect that a node needs it.`,
		),
		...loaded.flatMap(({ file, failure }) => (failure ? [`${file}: ${failure}`] : [])),
		...nodeTypes.flatMap(({ file, facts }) =>
			facts ? nodeFindings(facts, credentialNames).map((finding) => `${file}: ${finding}`) : [],
		),
		...credentialTypes.flatMap(({ file, facts }) =>
			facts ? credentialFindings(facts).map((finding) => `${file}: ${finding}`) : [],
		),
		...repeated(loaded.map(({ facts }) => facts?.displayName)).map(
			(name) => `Two types have the display name "${name}".`,
		),
		...repeated(loaded.map(({ facts }) => facts?.name)).map((name) => `Two types have the name ${name}.`),
		...(await missingIcons(packageFolder, loaded)),
		...(await codexFindings(packageFolder, nodeTypes, manifest.name)),
	];
	return { detail: loaded.map(({ facts }) => facts?.displayName).join(', '), findings };
}

/** The folder with the packages that n8n provides, once {@link bareLoad} has run. */
export function hostModules(workFolder: string): string {
	return path.join(workFolder, 'host', 'node_modules');
}

async function hostFolder(workFolder: string): Promise<string> {
	const folder = hostModules(workFolder);
	await mkdir(folder, { recursive: true });
	for (const name of HOST_PACKAGES)
		await symlink(path.join(SCAN_MODULES, name), path.join(folder, name), 'dir');
	return folder;
}

async function load(packageFolder: string, nodePath: string, files: string[]) {
	// HOME is set because Node also searches `.node_modules` there.
	const environment = { PATH: process.env.PATH, HOME: packageFolder, NODE_PATH: nodePath };
	const script = path.join(__dirname, 'bareLoad.cjs');
	const output = await runOrThrow(
		process.execPath,
		[script, packageFolder, ...files],
		packageFolder,
		environment,
	);
	return JSON.parse(output) as { unexpected: string[]; loaded: Loaded[] };
}

function nodeFindings(facts: Facts, knownCredentials: Array<string | undefined>): string[] {
	const findings = ['name', 'displayName', 'icon', 'group', 'inputs', 'outputs', 'properties']
		.filter((field) => !(field in facts))
		.map((field) => `the description has no ${field}`);
	// Every node must state whether it can be a tool, except triggers, AI sub-nodes and nodes with several outputs.
	const hasOneOutput = Array.isArray(facts.outputs) && facts.outputs.length === 1;
	const mayBeTool = hasOneOutput && hasMainOutput(facts) && !facts.group?.includes('trigger');
	if (mayBeTool && facts.usableAsTool === undefined) findings.push('usableAsTool is not stated');
	if (facts.name?.endsWith('Tool')) findings.push('the name ends in Tool, which n8n reserves');
	for (const { name, testedBy } of facts.credentials ?? []) {
		if (!knownCredentials.includes(name)) findings.push(`the credential ${name} is not in this package`);
		// The credential has no test of its own, because it could not put network errors into words.
		if (!testedBy || !facts.credentialTests?.includes(testedBy)) {
			findings.push(`the node does not test the credential ${name}`);
		}
	}
	return findings;
}

function hasMainOutput(facts: Facts | undefined): boolean {
	return JSON.stringify(facts?.outputs)?.includes('main') ?? false;
}

function credentialFindings(facts: Facts): string[] {
	return ['name', 'displayName', 'icon', 'properties', 'documentationUrl']
		.filter((field) => !(field in facts))
		.map((field) => `the credential has no ${field}`);
}

function repeated(names: Array<string | undefined>): string[] {
	const defined = names.filter((name) => name !== undefined);
	return [...new Set(defined.filter((name, index) => defined.indexOf(name) !== index))];
}

async function missingIcons(packageFolder: string, loaded: Loaded[]): Promise<string[]> {
	const icons = loaded.flatMap(({ file, facts }) =>
		iconFiles(facts?.icon).map((icon) => path.posix.join(path.posix.dirname(file), icon)),
	);
	const isMissing = await Promise.all(
		icons.map(async (icon) => !(await exists(path.join(packageFolder, icon)))),
	);
	return icons.filter((_, index) => isMissing[index]).map((icon) => `The icon ${icon} is missing.`);
}

function iconFiles(icon: Icon | undefined): string[] {
	const names = typeof icon === 'string' ? [icon] : Object.values(icon ?? {});
	return names.map((name) => name.replace(/^file:/, ''));
}

/** n8n reads a node's categories and search words from `<Node>.node.json` next to it, which must name the same node. */
async function codexFindings(
	packageFolder: string,
	nodeTypes: Loaded[],
	packageName: string,
): Promise<string[]> {
	const findings: string[] = [];
	for (const { file, facts } of nodeTypes) {
		const codexFile = file.replace(/\.js$/, '.json');
		if (!(await exists(path.join(packageFolder, codexFile)))) {
			findings.push(`${codexFile} (categories and search words) is missing.`);
			continue;
		}
		const codex = JSON.parse(await readFile(path.join(packageFolder, codexFile), 'utf8')) as {
			node?: string;
			categories?: string[];
			subcategories?: { AI?: string[] };
		};
		const expected = `${packageName}.${facts?.name ?? ''}`;
		if (facts && codex.node !== expected) findings.push(`${codexFile}: "node" must be "${expected}".`);
		// n8n's node search excludes AI nodes that are not root nodes, because they are parts of other nodes.
		const hidden = codex.categories?.includes('AI') && !codex.subcategories?.AI?.includes('Root Nodes');
		if (hidden && hasMainOutput(facts)) {
			findings.push(`${codexFile}: the node search hides it until "subcategories" has "AI": ["Root Nodes"].`);
		}
	}
	return findings;
}

function exists(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}
