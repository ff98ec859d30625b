import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { asRecord, toText } from '../plain/values';
import { runsInsideAgent } from '../olderEngines';
import { isTool } from './operation';
import { fileReference } from './output';
import type { ParameterReader } from './parameterReader';
import { shortList } from './shortAnswer';

const onlyAsTool = { show: { '@tool': [true] } };

const ANSWER_FIELDS = {
	displayName: 'Answer Fields',
	name: 'answerFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. title, items.url',
	displayOptions: onlyAsTool,
	description: 'Fields that the model gets, separated by commas. Leave empty for all.',
} satisfies INodeProperties;

const MAX_ANSWER_LENGTH = {
	displayName: 'Max Answer Length',
	name: 'maxAnswerLength',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 10_000,
	displayOptions: onlyAsTool,
	description: 'Maximum number of characters that the model gets, or 0 for no limit',
} satisfies INodeProperties;

const ERROR_OUTPUT_NOTICE = {
	displayName:
		'Do not set On Error to "Continue (using error output)" in Settings: the agent would receive nothing from this tool.',
	name: 'errorOutputNotice',
	type: 'notice',
	default: '',
	displayOptions: onlyAsTool,
} satisfies INodeProperties;

/** The parameters of a node as a tool. */
export const toolFields: INodeProperties[] = [ANSWER_FIELDS, MAX_ANSWER_LENGTH, ERROR_OUTPUT_NOTICE];

/**
 * The items of a node as the next node gets them; those of a tool as its model gets them: with the chosen fields, with
 * words about files, which no model gets, and not longer than it may read. Failures keep all their fields.
 */
export function answerOf(
	items: INodeExecutionData[],
	context: IExecuteFunctions,
	parameters: ParameterReader,
): INodeExecutionData[] {
	if (!isTool(context.getNode())) return items;
	const fields = toText(parameters.read(ANSWER_FIELDS.name, 0))
		.split(',')
		.map((field) => field.trim())
		.filter((field) => field !== '');
	const maxLength = Number(parameters.read(MAX_ANSWER_LENGTH.name, 0) ?? 0);
	const where = whereFilesAre(context);
	const answers = items.map((item) => ({
		...item,
		json: {
			...(fields.length === 0 || item.json.error !== undefined ? item.json : pick(item.json, fields)),
			...aboutFiles(item, where),
		},
	}));
	return maxLength > 0 ? within(answers, maxLength) : answers;
}

function whereFilesAre(context: IExecuteFunctions): string {
	const { name } = context.getNode();
	switch (runsInsideAgent(context)) {
		case true:
			return 'This version of AI Agent drops the files of tools. Tell the user to use version 3 or later.';
		case false:
			return `The files are in the output of "${name}" in this execution. You cannot open them.`;
		case undefined:
			return `The files are in the output of "${name}" in this execution, unless AI Agent is older than version 3. You cannot open them.`;
	}
}

function aboutFiles({ binary = {} }: INodeExecutionData, where: string): IDataObject {
	const files = Object.entries(binary).map(([field, file]) => {
		const { fileName, mimeType, fileSize } = fileReference(file);
		return { field, fileName, mimeType, fileSize };
	});
	return files.length > 0 ? { files, aboutFiles: where } : {};
}

/** The fields of a value at some paths; a path leads through lists to each of their entries. */
function pick(value: IDataObject, paths: string[]): IDataObject {
	const picked: IDataObject = {};
	for (const path of paths) {
		const [name, ...rest] = path.split('.');
		if (!Object.hasOwn(value, name)) continue;
		const others = paths
			.filter((other) => other.startsWith(`${name}.`))
			.map((other) => other.slice(name.length + 1));
		picked[name] = rest.length === 0 ? value[name] : pickWithin(value[name], others);
	}
	return picked;
}

function pickWithin(value: unknown, paths: string[]): IDataObject[string] {
	if (Array.isArray(value)) return value.map((entry) => pickWithin(entry, paths));
	const record = asRecord(value);
	return (record === undefined ? value : pick(record as IDataObject, paths)) as IDataObject[string];
}

/** The items, of which later ones are left out, and longer ones shortened, so that they fit as JSON. */
function within(items: INodeExecutionData[], maxLength: number): INodeExecutionData[] {
	const kept = shortList(
		items.map(({ json }) => json),
		maxLength,
		(left) => ({ leftOut: `${left} of ${items.length} items, because the answer would be too long` }),
	) as IDataObject[];
	return kept.map((json, index) => ({ ...(items[index] ?? items[0]), json }));
}
