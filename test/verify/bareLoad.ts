import { access, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { SCAN_MODULES } from './communityScan';
import type { PackageManifest } from './packageFacts';
import type { Outcome } from './report';
import { runOrThrow } from './run';

/** All that a community package finds on every n8n. */
const HOST_PACKAGES = ['n8n-workflow', 'zod'];

type Icon = string | { light: string; dark: string };

/** What the loaded class says about itself, as far as it is looked at here. */
interface Facts {
	name?: string;
	displayName?: string;
	icon?: Icon;
	properties?: unknown[];
	group?: string[];
	inputs?: unknown;
	outputs?: unknown;
	usableAsTool?: unknown;
	credentials?: Array<{ name: string }>;
	documentationUrl?: string;
}

interface Loaded {
	file: string;
	/** Set instead of `facts` when the file could not be loaded or its class not made. */
	failure?: string;
	facts?: Facts;
}

/**
 * Loads every node and credential in a Node process that has only what n8n gives a community package, found the
 * way n8n offers it (NODE_PATH), and looks at what the classes say. Needs the scan's packages to be installed.
 */
export async function bareLoad(
	unpackedFolder: string,
	workFolder: string,
	manifest: PackageManifest,
): Promise<Outcome> {
	const { nodes, credentials } = manifest.n8n;
	const packageFolder = path.join(workFolder, 'user', 'node_modules', manifest.name);
	await cp(unpackedFolder, packageFolder, { recursive: true });
	const { strangers, loaded } = await load(packageFolder, await hostFolder(workFolder), [
		...nodes,
		...credentials,
	]);
	const nodeTypes = loaded.filter(({ file }) => nodes.includes(file));
	const credentialTypes = loaded.filter(({ file }) => credentials.includes(file));
	const credentialNames = credentialTypes.map(({ facts }) => facts?.name);

	const findings = [
		...strangers.map(
			(name) => `${name} can be reached, so this check would not notice that a node needs it.`,
		),
		...loaded.flatMap(({ file, failure }) => (failure ? [`${file}: ${failure}`] : [])),
		...nodeTypes.flatMap(({ file, facts }) =>
			facts ? nodeFindings(facts, credentialNames).map((finding) => `${file}: ${finding}`) : [],
		),
		...credentialTypes.flatMap(({ file, facts }) =>
			facts ? credentialFindings(facts).map((finding) => `${file}: ${finding}`) : [],
		),
		...repeated(loaded.map(({ facts }) => facts?.displayName)).map(
			(name) => `Two types are called "${name}".`,
		),
		...repeated(loaded.map(({ facts }) => facts?.name)).map((name) => `Two types have the name ${name}.`),
		...(await missingIcons(packageFolder, loaded)),
		...(await codexFindings(packageFolder, nodeTypes, manifest.name)),
	];
	return { detail: loaded.map(({ facts }) => facts?.displayName).join(', '), findings };
}

async function hostFolder(workFolder: string): Promise<string> {
	const folder = path.join(workFolder, 'host', 'node_modules');
	await mkdir(folder, { recursive: true });
	for (const name of HOST_PACKAGES)
		await symlink(path.join(SCAN_MODULES, name), path.join(folder, name), 'dir');
	return folder;
}

async function load(packageFolder: string, nodePath: string, files: string[]) {
	// HOME too: Node also looks into a `.node_modules` there.
	const environment = { PATH: process.env.PATH, HOME: packageFolder, NODE_PATH: nodePath };
	const script = path.join(__dirname, 'bareLoad.cjs');
	const output = await runOrThrow(
		process.execPath,
		[script, packageFolder, ...files],
		packageFolder,
		environment,
	);
	return JSON.parse(output) as { strangers: string[]; loaded: Loaded[] };
}

function nodeFindings(facts: Facts, knownCredentials: Array<string | undefined>): string[] {
	const findings = ['name', 'displayName', 'icon', 'group', 'inputs', 'outputs', 'properties']
		.filter((field) => !(field in facts))
		.map((field) => `the description has no ${field}`);
	// Triggers, AI sub-nodes and nodes that are wired as a loop cannot be tools and must not say so; every other node must say it.
	const hasOneOutput = Array.isArray(facts.outputs) && facts.outputs.length === 1;
	const mayBeTool = hasOneOutput && hasMainOutput(facts) && !facts.group?.includes('trigger');
	if (mayBeTool && facts.usableAsTool === undefined) findings.push('usableAsTool is not stated');
	if (facts.name?.endsWith('Tool')) findings.push('the name ends in Tool, which n8n keeps for itself');
	for (const { name } of facts.credentials ?? []) {
		if (!knownCredentials.includes(name)) findings.push(`the credential ${name} is not in this package`);
	}
	return findings;
}

function hasMainOutput(facts: Facts | undefined): boolean {
	return JSON.stringify(facts?.outputs)?.includes('main') ?? false;
}

function credentialFindings(facts: Facts): string[] {
	return ['name', 'displayName', 'icon', 'properties', 'documentationUrl', 'test']
		.filter((field) => !(field in facts))
		.map((field) => `the credential has no ${field}`);
}

function repeated(names: Array<string | undefined>): string[] {
	const given = names.filter((name) => name !== undefined);
	return [...new Set(given.filter((name, index) => given.indexOf(name) !== index))];
}

async function missingIcons(packageFolder: string, loaded: Loaded[]): Promise<string[]> {
	const icons = loaded.flatMap(({ file, facts }) =>
		iconFiles(facts?.icon).map((icon) => path.posix.join(path.posix.dirname(file), icon)),
	);
	const isMissing = await Promise.all(
		icons.map(async (icon) => !(await exists(path.join(packageFolder, icon)))),
	);
	return icons
		.filter((_, index) => isMissing[index])
		.map((icon) => `${icon} is used as an icon and missing.`);
}

function iconFiles(icon: Icon | undefined): string[] {
	const names = typeof icon === 'string' ? [icon] : Object.values(icon ?? {});
	return names.map((name) => name.replace(/^file:/, ''));
}

/** n8n finds a node's categories and search words in `<Node>.node.json` beside it, which must name that very node. */
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
		// n8n's node search passes over AI nodes that are not roots, as parts of other nodes.
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
