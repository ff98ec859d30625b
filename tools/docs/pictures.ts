import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { nodePages } from './pages';

/** The pictures of the documentation, and from which state of the source each was taken. */

const project = path.join(__dirname, '../..');
const examples = path.join(project, 'examples');

export const imageFolder = path.join(project, 'docs', 'images');
const memoryFile = path.join(imageFolder, 'taken-from.json');

/** What a picture shows. */
export interface Picture {
	/** Below {@link imageFolder}, without its ending. */
	name: string;
	/** Name of the workflow whose canvas is shown, for pictures of examples. */
	example?: string;
	/** Name of the node type without the package's, for pictures of panels. */
	nodeType?: string;
	/** Whether a README shows it in a dark form, too. */
	dark: boolean;
	/** Changes with what is shown. */
	digest: string;
}

/** The canvas of every example and the panel of every node, whichever there are. */
export async function pictures(): Promise<Picture[]> {
	const readmes = ['README.md', 'README.zh-CN.md']
		.map((file) => readFileSync(path.join(project, file), 'utf8'))
		.join('\n');
	const isDark = (name: string) => readmes.includes(`docs/images/${darkName(name)}.png`);
	const canvases = readdirSync(examples)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const text = readFileSync(path.join(examples, file), 'utf8');
			const name = path.basename(file, '.json');
			const { name: example } = JSON.parse(text) as { name: string };
			return { name, example, dark: isDark(name), digest: digestOf(text) };
		});
	const panels = (await nodePages()).map(({ file, nodeType, properties }) => {
		const name = `panels/${path.basename(file, '.md')}`;
		return { name, nodeType, dark: isDark(name), digest: digestOf(JSON.stringify(properties)) };
	});
	return [...canvases, ...panels];
}

/** `daily-briefing` to `daily-briefing.dark`. */
export function darkName(name: string): string {
	return `${name}.dark`;
}

/** The files of a picture, absolute, the light one first. */
export function filesOf({ name, dark }: Picture): string[] {
	const names = dark ? [name, darkName(name)] : [name];
	return names.map((each) => path.join(imageFolder, `${each}.png`));
}

/** Whether a picture is missing, or what it shows has changed since it was taken. */
export function isStale(picture: Picture): boolean {
	return readMemory()[picture.name] !== picture.digest || !filesOf(picture).every((file) => existsSync(file));
}

/** Remembers what a picture was taken from. */
export function remember({ name, digest }: Picture): void {
	const memory = { ...readMemory(), [name]: digest };
	const sorted = Object.fromEntries(
		Object.entries(memory).sort(([one], [other]) => one.localeCompare(other)),
	);
	writeFileSync(memoryFile, `${JSON.stringify(sorted, null, 2)}\n`);
}

function readMemory(): Record<string, string> {
	return existsSync(memoryFile)
		? (JSON.parse(readFileSync(memoryFile, 'utf8')) as Record<string, string>)
		: {};
}

function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
