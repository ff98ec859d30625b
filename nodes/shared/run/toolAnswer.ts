import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { isTool } from './operation';
import type { ParameterReader } from './parameterReader';
import { numberField } from '../fields/field';

const MAX_ANSWER_LENGTH = numberField(
	'Max Answer Length (Characters)',
	'maxAnswerLength',
	10_000,
	'How much of the answer the model gets at most, or 0 for no limit',
	{ typeOptions: { minValue: 0, numberPrecision: 0 }, displayOptions: { show: { '@tool': [true] } } },
);

export const toolFields: INodeProperties[] = [MAX_ANSWER_LENGTH];

/** The items of a node; those of a tool with words about files, and not longer than its model may read. */
export function toolAnswerOf(
	items: INodeExecutionData[],
	context: IExecuteFunctions,
	parameters: ParameterReader,
): INodeExecutionData[] {
	const node = context.getNode();
	if (!isTool(node)) return items;
	const maxLength = Number(parameters.read(MAX_ANSWER_LENGTH.name, 0) ?? 0);
	const answers = items.map((item) => ({ ...item, json: { ...item.json, ...aboutFiles(item, node) } }));
	return maxLength > 0 ? within(answers, maxLength) : answers;
}

function aboutFiles({ binary = {} }: INodeExecutionData, { name }: INode): IDataObject {
	const files = Object.entries(binary).map(([field, file]) => {
		const { fileName, mimeType, fileSize } = file;
		return { field, fileName, mimeType, fileSize };
	});
	if (files.length === 0) return {};
	const aboutFiles = `The files are in the output of "${name}" in this execution, unless AI Agent is older than version 3. You cannot open them.`;
	return { files, aboutFiles };
}

/** The number of characters that the words about what is left out take. */
const NOTE_LENGTH = 100;
/** The number of characters that an entry of a list takes, roughly. */
const ENTRY_LENGTH = 40;

/** The items, of which the last are left out, and a longer first one is shortened, so that they fit as JSON. */
function within(items: INodeExecutionData[], maxLength: number): INodeExecutionData[] {
	if (lengthOf(items.map(({ json }) => json)) <= maxLength) return items;
	const kept: INodeExecutionData[] = [];
	let room = maxLength - NOTE_LENGTH;
	for (const item of items) {
		room -= lengthOf(item.json) + 1;
		if (room < 0) break;
		kept.push(item);
	}
	const [first] = items;
	if (kept.length === 0) kept.push({ ...first, json: shortened(first.json, maxLength - NOTE_LENGTH) });
	const left = items.length - kept.length;
	const leftOut = `${left} of ${items.length} items, because the answer would be too long`;
	return left > 0 ? [...kept, { ...first, json: { leftOut } }] : kept;
}

/** The item with the beginnings of its texts and lists, as long as the room allows. */
function shortened(json: IDataObject, room: number): IDataObject {
	for (let most = room; most >= 1; most = Math.floor(most / 2)) {
		const text = JSON.stringify(json, (_name, value: unknown) => beginningOf(value, most));
		if (text.length <= room) return JSON.parse(text) as IDataObject;
	}
	return { leftOut: 'all fields, because the answer would be too long' };
}

function beginningOf(value: unknown, most: number): unknown {
	if (typeof value === 'string' && value.length > most) return `${value.slice(0, most)}…`.toWellFormed();
	const entries = Math.ceil(most / ENTRY_LENGTH);
	return Array.isArray(value) && value.length > entries ? value.slice(0, entries).concat('…') : value;
}

function lengthOf(value: unknown): number {
	return JSON.stringify(value).length;
}
