import path from 'node:path';

import { MAX_SEARCHED } from '../../nodes/Chat/json/parseJsonAnswer';
import {
	COMPRESSION,
	DEFAULT_TOTAL_MINUTES,
	EVENTS_BUDGET,
	FAILURE_BYTES,
	ITEM_FILES_BYTES,
	ITEMS,
	JSON_BUDGET,
	LIST_ENTRIES,
	STREAM_BYTES,
	VECTORS_BUDGET,
} from '../../nodes/shared/http/budgets';
import { MAX_DEPTH } from '../../nodes/shared/values';
import { project } from './pages';
import { withSection } from './section';
import { tableOf } from './table';

export const limitsPage = path.join(project, 'docs', 'limits.md');

/** The page with the current limits in its table. */
export function withLimits(text: string | undefined): string {
	return withSection(text ?? '# Limits\n', { name: 'limits', heading: 'Limits', content: limitsTable() });
}

function limitsTable(): string {
	return tableOf(
		['Response', 'Size after unpacking', 'Other limits'],
		[
			['JSON and text', megabytes(JSON_BUDGET.bytes), ''],
			[
				'JSON with vectors (Embed)',
				megabytes(VECTORS_BUDGET.bytes),
				`${count(VECTORS_BUDGET.numbers)} numbers`,
			],
			[
				'Any JSON',
				'',
				`nested ${MAX_DEPTH} levels deep, ${count(JSON_BUDGET.values)} objects, lists, texts, and names of fields, ${count(LIST_ENTRIES)} entries in a list that the node checks, ${count(ITEMS)} items from one response`,
			],
			[
				'Event stream of a chat',
				megabytes(STREAM_BYTES.events),
				`${count(EVENTS_BUDGET.events)} events, ${count(EVENTS_BUDGET.eventLength)} characters and ${count(EVENTS_BUDGET.eventLines)} lines per event, ${count(EVENTS_BUDGET.values)} values in the answer`,
			],
			[
				'JSON in the answer of a model',
				'',
				`searched for in up to ${count(MAX_SEARCHED)} characters; a longer answer must be JSON as a whole`,
			],
			[
				'Image, as a file or within JSON',
				megabytes(STREAM_BYTES.image),
				'all images within one response together',
			],
			['Audio', megabytes(STREAM_BYTES.audio), ''],
			['Part of a long text that is spoken', megabytes(STREAM_BYTES.audioPart), ''],
			['Any other file', megabytes(STREAM_BYTES.file), ''],
			['All files of an item together', megabytes(ITEM_FILES_BYTES), ''],
			[
				'Compressed file',
				'as above',
				`above ${megabytes(COMPRESSION.freeBytes)}, ${COMPRESSION.ratio} times its stated length`,
			],
			['Response with an error status', megabytes(FAILURE_BYTES), 'the rest is not read'],
			[
				'File or event stream',
				'',
				`${DEFAULT_TOTAL_MINUTES} minutes, unless Total Time Limit says otherwise`,
			],
		],
	);
}

function megabytes(bytes: number): string {
	return `${count(bytes / 1e6)} MB`;
}

function count(number: number): string {
	return number.toLocaleString('en-US');
}
