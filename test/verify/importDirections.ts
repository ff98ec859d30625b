import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import type { Outcome } from './report';

/** The modules of the miniature project: one for each room. */
const MODULES = [
	'nodes/shared/olderEngines.ts',
	'nodes/shared/plain/module.ts',
	'nodes/shared/errors/module.ts',
	'nodes/shared/limiter/module.ts',
	'nodes/shared/answer/module.ts',
	'nodes/shared/send/module.ts',
	'nodes/shared/files/module.ts',
	'nodes/shared/fields/module.ts',
	'nodes/shared/run/module.ts',
	'nodes/Chat/helper.ts',
	'nodes/Chat/Chat.node.ts',
	'nodes/Chat/formats/module.ts',
	'nodes/Chat/operations/module.operation.ts',
	'nodes/Speech/helper.ts',
	'nodes/Speech/Speech.node.ts',
	'credentials/module.credentials.ts',
	'emulator/module.ts',
	'tools/module.ts',
	'bench/module.ts',
	'test/module.ts',
];

/** For each importing folder (and the ending of the file's name): what it may import and what not. */
const CASES: Array<{ from: string; ending?: string; may: string[]; mayNot: string[] }> = [
	{
		from: 'nodes/shared/plain',
		may: ['crypto'],
		mayNot: [
			'axios',
			'nodes/shared/errors/module',
			'nodes/shared/answer/module',
			'nodes/shared/limiter/module',
			'nodes/Chat/helper',
		],
	},
	{
		from: 'nodes/shared/errors',
		may: ['n8n-workflow', 'nodes/shared/plain/module'],
		mayNot: ['axios', 'nodes/shared/answer/module', 'nodes/shared/send/module', 'nodes/Chat/helper'],
	},
	{
		from: 'nodes/shared/limiter',
		may: ['crypto', 'nodes/shared/plain/module'],
		mayNot: ['nodes/shared/answer/module', 'nodes/shared/errors/module', 'nodes/shared/send/module'],
	},
	{
		from: 'nodes/shared/answer',
		may: ['zod', 'nodes/shared/errors/module', 'nodes/shared/plain/module'],
		mayNot: [
			'axios',
			'node:fs',
			'nodes/shared/limiter/module',
			'nodes/shared/send/module',
			'nodes/Chat/helper',
		],
	},
	{
		from: 'nodes/shared/send',
		may: ['n8n-workflow', 'zod', 'nodes/shared/answer/module', 'nodes/shared/limiter/module'],
		mayNot: [
			'axios',
			'nodes/shared/run/module',
			'nodes/shared/files/module',
			'nodes/shared/fields/module',
			'nodes/Chat/helper',
		],
	},
	{
		from: 'nodes/shared/files',
		may: [
			'nodes/shared/send/module',
			'nodes/shared/answer/module',
			'nodes/shared/errors/module',
			'nodes/shared/plain/module',
		],
		mayNot: [
			'nodes/shared/run/module',
			'nodes/shared/fields/module',
			'nodes/shared/limiter/module',
			'nodes/Chat/helper',
			'nodes/Speech/helper',
		],
	},
	{
		from: 'nodes/shared/fields',
		may: ['nodes/shared/send/module', 'nodes/shared/limiter/module'],
		mayNot: ['nodes/shared/run/module', 'nodes/shared/files/module', 'nodes/Chat/helper'],
	},
	{
		from: 'nodes/shared/run',
		may: ['nodes/shared/files/module', 'nodes/shared/fields/module', 'nodes/shared/send/module'],
		mayNot: ['nodes/Chat/helper', 'nodes/Chat/Chat.node', 'nodes/Chat/operations/module.operation'],
	},
	{
		from: 'nodes/Chat',
		ending: '.node.ts',
		may: ['nodes/Chat/operations/module.operation', 'nodes/Chat/helper', 'nodes/shared/run/module'],
		mayNot: [
			'nodes/Speech/Speech.node',
			'nodes/Speech/helper',
			'credentials/module.credentials',
			'emulator/module',
		],
	},
	{
		from: 'nodes/Chat/operations',
		ending: '.operation.ts',
		may: ['marked', 'nodes/Chat/helper', 'nodes/Chat/formats/module', 'nodes/shared/run/module'],
		mayNot: [
			'nodes/Speech/helper',
			'nodes/Chat/Chat.node',
			'axios',
			'tools/module',
			'test/module',
			'bench/module',
		],
	},
	{
		from: 'nodes/Chat',
		may: ['nodes/shared/files/module', 'nodes/Chat/formats/module'],
		mayNot: ['nodes/Chat/operations/module.operation', 'nodes/Chat/Chat.node', 'nodes/Speech/helper'],
	},
	{
		from: 'nodes/Chat/formats',
		may: ['nodes/shared/answer/module', 'nodes/Chat/helper'],
		mayNot: ['nodes/Chat/operations/module.operation', 'nodes/Chat/Chat.node', 'nodes/Speech/helper'],
	},
	{
		from: 'credentials',
		ending: '.credentials.ts',
		may: ['nodes/shared/send/module', 'n8n-workflow'],
		mayNot: ['nodes/shared/run/module', 'nodes/Chat/helper', 'emulator/module', 'axios'],
	},
	{
		from: 'emulator',
		may: ['fastify', 'node:http'],
		mayNot: ['nodes/shared/plain/module', 'credentials/module.credentials', 'tools/module', 'test/module'],
	},
	{ from: 'tools', may: ['emulator/module', 'nodes/Chat/Chat.node'], mayNot: [] },
	{ from: 'bench', may: ['emulator/module', 'nodes/shared/send/module', 'axios'], mayNot: [] },
	{ from: 'test', may: ['emulator/module', 'nodes/shared/run/module', 'tools/module'], mayNot: [] },
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
	for (const file of MODULES) await write(path.join(folder, file), 'export const value = 1;\n');
}

async function writeProbes(folder: string): Promise<Probe[]> {
	const probes: Probe[] = [];
	for (const { from, ending = '.ts', may, mayNot } of CASES) {
		for (const target of [...may, ...mayNot]) {
			const allowed = may.includes(target);
			const ways = allowed || !isPublished(from) ? WAYS_TO_IMPORT : [...WAYS_TO_IMPORT, ...CLOSED_WAYS];
			for (const importText of ways) {
				const file = path.join(from, `Probe${probes.length}${ending}`);
				await write(path.join(folder, file), importText(specifierOf(from, target)));
				probes.push({ file, target, allowed });
			}
		}
	}
	return probes;
}

function isPublished(folder: string): boolean {
	return /^(nodes|credentials)/.test(folder);
}

/** A path of the project becomes relative to the importing folder; a package stays as it is. */
function specifierOf(from: string, target: string): string {
	if (!MODULES.includes(`${target}.ts`)) return target;
	const relative = path.relative(from, target).split(path.sep).join('/');
	return relative.startsWith('.') ? relative : `./${relative}`;
}

async function write(file: string, text: string): Promise<void> {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
}
