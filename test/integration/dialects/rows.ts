import { createHash } from 'node:crypto';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { fileBytes } from '../engine/runWorkflow';
import type { CellRun } from './run';

/** What became of one input item. */
export interface Row {
	/** `works`, `still waiting`, `nothing`, or the kind of the failure. */
	result: string;
	/** Its output without what differs between two equal runs. */
	output: string;
}

/** A failed item. */
export interface FailedItem {
	message: string;
	details: IDataObject;
}

/** All output items of a run, in order. */
function itemsOf({ result }: CellRun): INodeExecutionData[] {
	return result?.outputs.flat() ?? [];
}

/** The index of the input item of an output item. */
function rowOf({ pairedItem }: INodeExecutionData): number {
	const [first] = [pairedItem].flat();
	return typeof first === 'object' ? first.item : (first ?? 0);
}

export function failedItems(run: CellRun): FailedItem[] {
	return itemsOf(run)
		.filter(isFailed)
		.map((item) => {
			const { error, details } = item.json as unknown as { error: string; details: IDataObject };
			return { message: error, details };
		});
}

function isFailed({ json }: INodeExecutionData): boolean {
	return 'error' in json && 'details' in json;
}

/** What became of each input item. */
export async function rowsOf(run: CellRun): Promise<Row[]> {
	const rows = new Map<number, INodeExecutionData[]>();
	for (const item of itemsOf(run)) rows.set(rowOf(item), [...(rows.get(rowOf(item)) ?? []), item]);
	const count = Math.max(1, ...[...rows.keys()].map((row) => row + 1));
	return await Promise.all(
		Array.from({ length: count }, async (_, row) => ({
			result: resultOf(rows.get(row) ?? []),
			output: await outputOf(rows.get(row) ?? []),
		})),
	);
}

/** A task that continues after the run is not a failure, because its ID is in the output. */
function resultOf(items: INodeExecutionData[]): string {
	const failed = items.find(isFailed);
	if (failed) return (failed.json.details as IDataObject).kind as string;
	if (items.some(({ json }) => json.timedOut === true)) return 'still waiting';
	return items.length > 0 ? 'works' : 'nothing';
}

async function outputOf(items: INodeExecutionData[]): Promise<string> {
	const outputs = items.map(async ({ json, binary }) => ({
		json,
		files: await Promise.all(
			Object.entries(binary ?? {}).map(async ([field, file]) => ({
				field,
				name: file.fileName,
				mimeType: file.mimeType,
				content: createHash('sha256')
					.update(await fileBytes(file))
					.digest('hex'),
			})),
		),
	}));
	return withoutChance(JSON.stringify(await Promise.all(outputs)));
}

/** What is different for each request or emulator, and its replacement; everything else must be the same. */
const CHANCE: Array<[RegExp, string]> = [
	// Each cell has an emulator of its own.
	[/(?:127\.0\.0\.1|localhost):\d+/g, 'HOST'],
	// IDs of answers, tasks, tracks, and voices.
	[/(?<![0-9a-f])[0-9a-f]{24,32}(?![0-9a-f])/g, 'ID'],
	// A name can be taken only once.
	[/\bVoice \d+\b/g, 'Voice N'],
	// Times in seconds and in milliseconds, and in words.
	[/\b1[789]\d{8}(?:\d{3})?\b/g, 'TIME'],
	[/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?/g, 'TIME'],
];
/** The ID of a song decides how long it is, and how its files sound and look. */
const CHANCE_OF_SONGS: Array<[RegExp, string]> = [
	[/"durationSeconds":[\d.]+,"tags"/g, '"tags"'],
	[/("mimeType":"(?:audio\/mpeg|image\/png)","content":)"[0-9a-f]{64}"/g, '$1"SONG"'],
];

function withoutChance(output: string): string {
	const masks = output.includes('"trackId"') ? [...CHANCE, ...CHANCE_OF_SONGS] : CHANCE;
	return masks.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), output);
}
