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
}

interface Loaded {
	file: string;
	/** Set instead of `facts` when the file cannot be loaded or its class cannot be instantiated. */
	failure?: string;
	facts?: Facts;
}

/**
 * Loads every node and credential in a Node process that has only the packages that n8n provides, through NODE_PATH as in
 * n8n, and checks the files beside them; their descriptions are checked by n8n's scan. The scan must be installed.
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
	const findings = [
		...unexpected.map(
			(name) => `${name} can be resolved, so this check would not detect that a node needs it.`,
		),
		...loaded.flatMap(({ file, failure }) => (failure ? [`${file}: ${failure}`] : [])),
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
		};
		const expected = `${packageName}.${facts?.name ?? ''}`;
		if (facts && codex.node !== expected) findings.push(`${codexFile}: "node" must be "${expected}".`);
	}
	return findings;
}

function exists(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}
