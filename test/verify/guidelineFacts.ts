import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';
import type { ICredentialType, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { CORES } from '../cores/cores';
import { loadPackage } from './packageFacts';

/** The lock files of the package, of the n8n that `npm start` runs, of n8n's scan, and of older engines. */
export const LOCK_FILES = [
	'package-lock.json',
	'demo/package-lock.json',
	'test/verify/scan/package-lock.json',
	...CORES.map((version) => `test/cores/${version}/package-lock.json`),
];

/** Returns the packages in a lock file that are not pinned by their content, in sentences. */
export function lockFindings(text: string, file: string): string[] {
	const { packages } = JSON.parse(text) as {
		packages: Record<string, { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }>;
	};
	return Object.entries(packages)
		.filter(([name, { link, inBundle }]) => name !== '' && !link && !inBundle)
		.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined)
		.map(([name]) => `${name} in ${file} is not pinned by a SHA-512 checksum alone.`);
}

/** Returns the text of a file of the project. */
export function read(project: string, file: string): string {
	return readFileSync(path.join(project, file), 'utf8');
}

/** Returns the texts of all GitHub workflows, one after another. */
export function allWorkflows(project: string): string {
	const folder = '.github/workflows';
	return readdirSync(path.join(project, folder))
		.map((file) => read(project, `${folder}/${file}`))
		.join('\n');
}

function instancesOf<T>(project: string, isNode: boolean): T[] {
	const exported = loadPackage(project) as Record<string, new () => T & { description?: unknown }>;
	return Object.values(exported)
		.map((one) => new one())
		.filter((one) => (one.description !== undefined) === isNode);
}

/** Returns the descriptions of the built nodes. */
export function nodesOf(project: string): INodeTypeDescription[] {
	return instancesOf<INodeType>(project, true).map(({ description }) => description);
}

export function credentialsOf(project: string): ICredentialType[] {
	return instancesOf<ICredentialType>(project, false);
}

/** Returns the built code, by file. */
export function builtCode(project: string): Array<{ file: string; text: string }> {
	return readdirSync(path.join(project, 'dist'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.js'))
		.map((file) => ({ file, text: read(project, `dist/${file}`) }));
}

/** What n8n does not allow in the code of a package, in sentences; comments and texts do not count as code. */
export function forbiddenCode({ file, text }: { file: string; text: string }): string[] {
	const code = transformSync(text, { minifyWhitespace: true, legalComments: 'none' }).code;
	const names = code.match(
		/(?<![\w$.'"`])(?:process|globalThis|global|set(?:Timeout|Interval|Immediate)|__dirname|__filename|eval|import)(?=[.([])|\bnew Function\b/g,
	);
	return [...new Set(names)].map((name) => `${file} uses ${name}.`);
}

/** Returns the texts of a node or credential that the editor shows. */
export function textsOf(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(textsOf);
	if (typeof value !== 'object' || value === null) return [];
	const record = value as Record<string, unknown> & Partial<INodeProperties>;
	const own = [record.displayName, record.name, record.description, record.hint, record.action];
	const inner = [record.options, record.values, record.properties, record.modes];
	return [...own.filter((text) => typeof text === 'string'), ...inner.flatMap(textsOf)];
}
