import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { docsPages, nodePages, project } from './pages';

/** Lists the pictures of the documentation, and remembers the state of the source from which each was taken. */

const examples = path.join(project, 'examples');

const imageFolder = path.join(project, 'docs', 'images');
/** The workflow whose picture is taken while it runs. */
export const runningWorkflow = path.join(__dirname, 'progress-in-batches.json');
/** The workflow whose picture is taken before its first run, in the panel of its last node. */
export const newWorkflow = path.join(__dirname, 'fields-before-the-first-run.json');
/** The schema with the fields that the picture of {@link newWorkflow} shows. */
const schemaShown = path.join(project, 'nodes/Utilities/__schema__/v1.0.0/utility/currentWeather.json');
const memoryFile = path.join(imageFolder, 'taken-from.json');

/** A picture and what it shows. */
export interface Picture {
	/** The path in {@link imageFolder}, without the extension. */
	name: string;
	/** The name of the workflow whose canvas is shown, for pictures of examples. */
	example?: string;
	/** The name of the node type, without that of the package, for pictures of panels. */
	nodeType?: string;
	/** True if the workflow is {@link runningWorkflow}, which is shown while it runs. */
	isRunning?: boolean;
	/** True if the workflow is {@link newWorkflow}, which does not run. */
	isNew?: boolean;
	/** True if a page shows a dark version as well. */
	dark: boolean;
	/** A hash of everything that is shown. */
	digest: string;
}

/** The pictures that a page shows: canvases of examples, the canvas of a running workflow, and panels of nodes. */
export async function pictures(): Promise<Picture[]> {
	const text = [path.join(project, 'README.md'), ...docsPages()]
		.map((file) => readFileSync(file, 'utf8'))
		.join();
	const isShown = (name: string) => text.includes(`images/${name}.png`);
	const nodes = await nodePages();
	const subtitles = nodes.map(({ subtitle }) => subtitle).join();
	const canvases = readdirSync(examples)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const content = readFileSync(path.join(examples, file), 'utf8');
			const { name: example } = JSON.parse(content) as { name: string };
			return { name: path.basename(file, '.json'), example, digest: digestOf(content + subtitles) };
		});
	const panels = nodes.map(({ file, nodeType, properties }) => ({
		name: `panels/${path.basename(file, '.md')}`,
		nodeType,
		// Pictures do not show the texts of tooltips.
		digest: digestOf(
			JSON.stringify(properties, (name, value: unknown) => (name === 'description' ? undefined : value)),
		),
	}));
	const ofWorkflow = (file: string, shown: string) => ({
		name: path.basename(file, '.json'),
		digest: digestOf(readFileSync(file, 'utf8') + shown),
	});
	const running = { ...ofWorkflow(runningWorkflow, subtitles), isRunning: true };
	const untried = { ...ofWorkflow(newWorkflow, readFileSync(schemaShown, 'utf8')), isNew: true };
	return [...canvases, running, untried, ...panels]
		.filter((picture) => isShown(picture.name))
		.map((picture) => ({ ...picture, dark: isShown(darkName(picture.name)) }));
}

/** Returns the name of the dark version: `daily-briefing` becomes `daily-briefing.dark`. */
function darkName(name: string): string {
	return `${name}.dark`;
}

/** Returns the absolute paths of a picture's files, the light one first. */
export function filesOf({ name, dark }: Picture): string[] {
	const names = dark ? [name, darkName(name)] : [name];
	return names.map((each) => path.join(imageFolder, `${each}.png`));
}

/** Tells whether a picture is missing, or its subject has changed since the picture was taken. */
export function isStale(picture: Picture): boolean {
	return readMemory()[picture.name] !== picture.digest || !filesOf(picture).every((file) => existsSync(file));
}

/** Records the state from which a picture was taken. */
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
