import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import type { Outcome } from './report';

/** The rooms of nodes/shared, and those that each may import (docs/dev/architecture.md). */
const SHARED_ROOMS: Record<string, string[]> = {
	plain: [],
	errors: ['plain'],
	limiter: ['plain'],
	answer: ['errors', 'plain'],
	send: ['answer', 'limiter', 'errors', 'plain'],
	files: ['send', 'answer', 'errors', 'plain'],
	fields: ['send', 'answer', 'limiter', 'errors', 'plain'],
	run: ['fields', 'files', 'send', 'answer', 'limiter', 'errors', 'plain'],
};
const shared = (rooms: string[]) => rooms.map((room) => `nodes/shared/${room}/module`);
const ALL_SHARED = shared(Object.keys(SHARED_ROOMS));

/** The modules of the miniature project: one for each room. */
const MODULES = [
	...ALL_SHARED,
	'nodes/Chat/helper',
	'nodes/Chat/Chat.node',
	'nodes/Chat/formats/module',
	'nodes/Chat/operations/module.operation',
	'nodes/Speech/helper',
	'nodes/Speech/Speech.node',
	'credentials/module.credentials',
	'emulator/module',
	'tools/module',
	'bench/module',
	'test/module',
];
const PACKAGES_OF_N8N = ['n8n-workflow', 'zod', 'crypto', 'marked'];
const OTHER_PACKAGES = ['axios', 'node:fs'];

interface Room {
	from: string;
	/** The ending of a file's name. */
	ending?: string;
	/** All modules that it may import from other rooms. */
	may: string[];
	/** Its own module. */
	own: string[];
}

const HELPERS = ['nodes/Chat/helper', 'nodes/Chat/formats/module'];
const OPERATION = 'nodes/Chat/operations/module.operation';
const PUBLISHED_ROOMS: Room[] = [
	...Object.entries(SHARED_ROOMS).map(([room, below]) => ({
		from: `nodes/shared/${room}`,
		may: shared(below),
		own: shared([room]),
	})),
	{
		from: 'nodes/Chat',
		ending: '.node.ts',
		may: [...ALL_SHARED, ...HELPERS, OPERATION],
		own: ['nodes/Chat/Chat.node'],
	},
	{
		from: 'nodes/Chat/operations',
		ending: '.operation.ts',
		may: [...ALL_SHARED, ...HELPERS],
		own: [OPERATION],
	},
	{ from: 'nodes/Chat', may: [...ALL_SHARED, ...HELPERS], own: [] },
	{ from: 'nodes/Chat/formats', may: [...ALL_SHARED, ...HELPERS], own: [] },
	{
		from: 'credentials',
		ending: '.credentials.ts',
		may: shared(['send', 'errors', 'plain']),
		own: ['credentials/module.credentials'],
	},
];
const OTHER_ROOMS: Room[] = [
	{ from: 'emulator', may: [], own: ['emulator/module'] },
	...['tools', 'bench', 'test'].map((from) => ({ from, may: MODULES, own: [] })),
];

/** Every way to import a file counts, and no comment in the source disables a rule. */
const WAYS_TO_IMPORT: Array<(specifier: string) => string> = [
	(specifier) => `import * as reached from '${specifier}';\nexport const used = reached;\n`,
	(specifier) => `import type * as reached from '${specifier}';\nexport type Used = typeof reached;\n`,
	(specifier) => `export * from '${specifier}';\n`,
	(specifier) => `/* eslint-disable */\nexport * from '${specifier}';\n`,
];

/** Ways to import that are forbidden in the published folders, whatever they import. */
const CLOSED_WAYS: Array<(specifier: string) => string> = [
	(specifier) => `export const reached = import('${specifier}');\n`,
	(specifier) => `export const reached: unknown = require('${specifier}');\n`,
	(specifier) => `import reached = require('${specifier}');\nexport const used = reached;\n`,
	(specifier) => `export type Used = typeof import('${specifier}');\n`,
];

/** One file with one import. */
interface Probe {
	file: string;
	target: string;
	allowed: boolean;
}

const IMPORT_RULES = [
	'import-x/no-restricted-paths',
	'no-restricted-imports',
	'no-restricted-syntax',
	'@typescript-eslint/no-require-imports',
	'@typescript-eslint/consistent-type-imports',
];

/**
 * Proves that the project's lint configuration enforces the import directions of docs/dev/architecture.md. It creates a
 * miniature project in `workFolder` with one import per direction and lints it with `eslint.config.mjs`.
 */
export async function importDirections(projectFolder: string, workFolder: string): Promise<Outcome> {
	const folder = path.join(workFolder, 'miniature');
	await createMiniature(projectFolder, folder);
	const probes = await writeProbes(folder);
	const eslint = new ESLint({ cwd: folder, overrideConfig: [tseslint.configs.disableTypeChecked] });
	const results = await eslint.lintFiles(['**/*.ts']);
	const resultOf = new Map(results.map((result) => [path.relative(folder, result.filePath), result]));

	const findings = probes.flatMap(({ file, target, allowed }) => {
		const result = resultOf.get(file);
		if (!result || result.fatalErrorCount > 0) return [`${file} could not be linted.`];
		const isReported = result.messages.some(({ ruleId }) => ruleId !== null && IMPORT_RULES.includes(ruleId));
		if (isReported !== allowed) return [];
		return [`${file} may ${allowed ? '' : 'not '}import ${target}, but lint says otherwise.`];
	});
	const forbidden = probes.filter(({ allowed }) => !allowed).length;
	return {
		detail: `${forbidden} forbidden imports are found, ${probes.length - forbidden} allowed ones pass`,
		findings,
	};
}

async function createMiniature(projectFolder: string, folder: string): Promise<void> {
	for (const file of ['eslint.config.mjs', 'package.json', 'tsconfig.json', 'tools/release/bundled.json']) {
		await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
		await cp(path.join(projectFolder, file), path.join(folder, file));
	}
	await symlink(path.join(projectFolder, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
	for (const file of MODULES) await write(path.join(folder, `${file}.ts`), 'export const value = 1;\n');
}

/** Writes a file for each import; the ways to import take turns. */
async function writeProbes(folder: string): Promise<Probe[]> {
	const probes: Probe[] = [];
	for (const { from, ending = '.ts', may, own } of [...PUBLISHED_ROOMS, ...OTHER_ROOMS]) {
		const isPublished = /^(nodes|credentials)/.test(from);
		const allowed = [...may, ...(isPublished ? PACKAGES_OF_N8N : OTHER_PACKAGES)];
		const others = MODULES.filter((target) => ![...may, ...own].includes(target));
		const forbidden = [...others, ...(isPublished ? OTHER_PACKAGES : [])];
		const forbiddenWays = isPublished ? [...WAYS_TO_IMPORT, ...CLOSED_WAYS] : WAYS_TO_IMPORT;
		for (const target of [...allowed, ...forbidden]) {
			const isAllowed = allowed.includes(target);
			const ways = isAllowed ? WAYS_TO_IMPORT : forbiddenWays;
			const importText = ways[probes.length % ways.length](specifierOf(from, target));
			const file = path.join(from, `Probe${probes.length}${ending}`);
			await write(path.join(folder, file), importText);
			probes.push({ file, target, allowed: isAllowed });
		}
	}
	return probes;
}

/** A path of the project becomes relative to the importing folder; a package stays as it is. */
function specifierOf(from: string, target: string): string {
	if (!MODULES.includes(target)) return target;
	const relative = path.relative(from, target).split(path.sep).join('/');
	return relative.startsWith('.') ? relative : `./${relative}`;
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
}
