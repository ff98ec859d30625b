import type { IBinaryKeyData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';

/** Rows of a batch. */
export const ROWS = 20;
/** The row that the faults hit. */
export const HIT_ROW = 7;

/** How an operation runs on many rows, each of which has requests of its own. */
export interface BatchCase {
	/** Override the parameters of the operation. */
	parameters: INodeParameters;
	/** A row and the text by which its requests are recognised. */
	row(index: number, emulator: Emulator): { item: INodeExecutionData; content: string };
	/** Whether `npm test` runs it as well. */
	isQuick?: boolean;
	/** Whether a single run shares a request between its items, so that the row may fare differently. */
	isSharedAlone?: boolean;
}

const nameOf = (index: number) => `row-${String(index).padStart(2, '0')}-of-${ROWS}`;

/** Rows that differ in one parameter. */
export function byParameter(
	parameter: string,
	{
		text = '={{ $json.row }}',
		options,
		...more
	}: { text?: string; options?: IDataObject } & Pick<BatchCase, 'isQuick' | 'isSharedAlone'> = {},
): BatchCase {
	return {
		parameters: { [parameter]: text, ...(options ? { options } : {}) } as INodeParameters,
		row: (index) => ({
			item: { json: { row: nameOf(index), text: `The moon of ${nameOf(index)}` } },
			content: nameOf(index),
		}),
		...more,
	};
}

/** Rows with a finished song each. */
export function byTask(): BatchCase {
	return {
		parameters: {},
		row(index, { tasks }) {
			const song = { prompt: nameOf(index), model: 'music-v5', custom_mode: false, instrumental: false };
			const { id } = tasks.submit(song, { pendingMs: 0, processingMs: 0 });
			return { item: { json: { taskId: id } }, content: id };
		},
	};
}

let voices = 0;

/** Rows with a voice each, whose names differ between runs, too: a name can be taken only once. */
export function byVoiceName(binary: IBinaryKeyData): BatchCase {
	return {
		parameters: {},
		row: (index) => ({
			item: { json: { name: `${nameOf(index)} Voice ${++voices}` }, binary },
			content: nameOf(index),
		}),
	};
}
