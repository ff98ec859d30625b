import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../unit/project/sourceFiles';
import { seededRandom } from '../unit/seededRandom';

const PROJECT = join(__dirname, '../..');
const COPY = join(PROJECT, 'coverage/mutation/sample');
/** What the tests need besides the source. */
const NEEDED = [
	'credentials',
	'demo/package.json',
	'demo/package-lock.json',
	'docs',
	'emulator',
	'examples',
	'nodes',
	'test',
	'tools',
];
const FILES = [
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	'README.md',
	'README.zh-CN.md',
	'SECURITY.md',
	'eslint.config.mjs',
	'gulpfile.js',
	'index.js',
	'jest.config.js',
	'package-lock.json',
	'package.json',
	'tsconfig.build.json',
	'tsconfig.json',
];

/** A change of the code in one place. */
export interface Mutant {
	fileName: string;
	mutatorName: string;
	replacement: string;
	/** Lines and columns, both from 0. */
	location: { start: Place; end: Place };
}
interface Place {
	line: number;
	column: number;
}

/** A text with the change in it. */
export function mutated(text: string, { location: { start, end }, replacement }: Mutant): string {
	const lines = text.split('\n');
	const offset = ({ line, column }: Place) =>
		lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
	return text.slice(0, offset(start)) + replacement + text.slice(offset(end));
}

/** Mutants of all folders of `nodes`, chosen at random. */
export async function chooseMutants(count: number, seed: number): Promise<Mutant[]> {
	const all: Mutant[] = [];
	for (const { path, text } of sourceFiles('nodes')) all.push(...(await mutantsOf(path, text)));
	// The words of labels and messages are read by people, not by tests.
	const open = all.filter(({ mutatorName }) => mutatorName !== 'StringLiteral');
	const random = seededRandom(seed);
	return Array.from(
		{ length: Math.min(count, open.length) },
		() => open.splice(Math.floor(random() * open.length), 1)[0],
	);
}

/** Of Stryker's instrumenter, what is used here. */
interface Instrumenter {
	instrument(files: object[], options: object): Promise<{ mutants: Mutant[] }>;
}

async function mutantsOf(path: string, text: string): Promise<Mutant[]> {
	const { createInstrumenter } = await import('@stryker-mutator/instrumenter');
	const { createInjector } = await import('typed-inject');
	const silent = new Proxy({}, { get: () => () => false });
	const injector = createInjector()
		.provideValue('logger', silent)
		.provideValue('getLogger', () => silent);
	const instrumenter: Instrumenter = injector.injectFunction(createInstrumenter as never);
	const file = { name: path, content: text, mutate: true };
	const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
	return (await instrumenter.instrument([file], options)).mutants;
}

/** Copies the project, so that the tests of a mutant change nothing in it. */
export function prepareCopy(): void {
	rmSync(COPY, { recursive: true, force: true });
	mkdirSync(COPY, { recursive: true });
	const isSource = (path: string) => !/node_modules|\.state/.test(path.slice(PROJECT.length));
	for (const name of [...NEEDED, ...FILES]) {
		cpSync(join(PROJECT, name), join(COPY, name), { recursive: true, filter: isSource });
	}
	symlinkSync(join(PROJECT, 'node_modules'), join(COPY, 'node_modules'), 'junction');
}

/** Whether a test fails with a mutant: first the unit tests that reach its file, then the engine tests. */
export function isDetected(mutant: Mutant): boolean {
	const file = join(COPY, mutant.fileName);
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, mutated(text, mutant));
	try {
		return !['unit', 'integration'].every((project) => passes(project, file));
	} finally {
		writeFileSync(file, text);
	}
}

/** A mutant may never end. */
const GUARD_MS = 900_000;

function passes(project: string, file: string): boolean {
	const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
	const chosen = ['--selectProjects', project, '--bail', '--passWithNoTests', '--findRelatedTests', file];
	const { status } = spawnSync(process.execPath, [...flags, 'node_modules/jest/bin/jest.js', ...chosen], {
		cwd: COPY,
		stdio: 'ignore',
		timeout: GUARD_MS,
	});
	return status === 0;
}

/** A mutant in words: where it is and what it makes of the code. */
export function describeMutant(
	{ fileName, location, mutatorName, replacement }: Mutant,
	text: string,
): string {
	const { start, end } = location;
	const line = text.split('\n')[start.line];
	const original =
		start.line === end.line ? line.slice(start.column, end.column) : `${line.slice(start.column)} …`;
	const short = (code: string) => (code.length > 80 ? `${code.slice(0, 80)} …` : code).replace(/\s+/g, ' ');
	return `${fileName}:${start.line + 1} ${mutatorName}: ${short(original)} → ${short(replacement)}`;
}
