import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Outcome } from '../../batches/askInBatches';
import type { Call } from '../../shared/run/call';
import { runInGroups } from '../../batches/groups';
import { type BatchOperation, type LinkedResult, rawItem } from '../../shared/run/operation';
import { type Embedding, embeddingOptions, embedTexts, MODEL, readEmbeddingJob } from '../embedTexts';
import { choiceField, textField } from '../../shared/fields/field';

const TEXT = textField(
	'Text',
	'text',
	'The text to embed. The node sends the texts of many items in one request.',
	{ typeOptions: { rows: 4 }, required: true, placeholder: 'e.g. {{ $json.text }}' },
);

const OUTPUT = choiceField('Output', 'output', {
	default: 'item',
	description: 'What to return for each item',
	options: [
		{
			name: 'Input Item With Vector',
			value: 'item',
			description: 'The complete item with its files, and the vector in an additional field',
		},
		{
			name: 'Vector Only',
			value: 'vector',
			description: 'The vector, its length, the model, and the tokens used',
		},
	],
});

const VECTOR_FIELD = textField(
	'Put Vector in Field',
	'vectorField',
	'Name of the field for the vector. The names of the fields for the tokens used start with this name, for example "embeddingInputTokens".',
	{
		default: 'embedding',
		required: true,
		displayOptions: { show: { output: ['item'] } },
		placeholder: 'e.g. embedding',
	},
);

const SIMPLIFY_VECTOR: INodeProperties = { ...SIMPLIFY, displayOptions: { show: { output: ['vector'] } } };

function readTextOfItem(call: Call) {
	const isItem = call.text(OUTPUT) === 'item';
	return {
		call,
		text: call.requiredText(TEXT),
		job: readEmbeddingJob(call),
		/** Name of the field for the vector in the complete item; undefined to return only the vector. */
		field: isItem ? call.requiredText(VECTOR_FIELD).trim() : undefined,
		simplify: isItem || call.flag(SIMPLIFY_VECTOR),
	};
}

type TextOfItem = ReturnType<typeof readTextOfItem>;

/** Turns the texts of all items into vectors; items with the same settings share requests (interface, 4.12). */
export const embedText: BatchOperation = {
	value: 'embedText',
	name: 'Embed Text',
	action: 'Embed text',
	description: 'Turn text into a vector for semantic search and comparison',
	isTool: false,
	fields: [MODEL, TEXT, OUTPUT, VECTOR_FIELD, SIMPLIFY_VECTOR, ...embeddingOptions(false)],
	async runAll(calls) {
		const { results } = await runInGroups<TextOfItem>(calls, {
			read: readTextOfItem,
			keyOf: ({ job: { settings, options } }) => JSON.stringify([settings, options]),
			run: embedGroup,
		});
		const linked = new Map(results.map((result) => [result.from, result]));
		return calls.flatMap(({ itemIndex }) => linked.get(itemIndex) ?? []);
	},
};

/** An item that was not sent because another one failed has no result. */
async function embedGroup(group: TextOfItem[]): Promise<LinkedResult[]> {
	const [{ call, job }] = group;
	const texts = group.map(({ text }) => text);
	const items = group.map((item) => item.call.itemIndex);
	const outcomes = await embedTexts(call, texts, job, items);
	return group.flatMap((item, index) => {
		const outcome = outcomes[index];
		return outcome ? [toLinkedResult(item, outcome)] : [];
	});
}

function toLinkedResult({ call, field, simplify }: TextOfItem, outcome: Outcome<Embedding>): LinkedResult {
	const { item, itemIndex: from } = call;
	if ('failure' in outcome) return { from, failure: outcome.failure };
	const { value } = outcome;
	call.hint(value.request.hint);
	const vector = [...value.vector];
	if (field !== undefined) {
		const earlier = TOKEN_FIELDS.map((name) => withPrefix(field, name));
		const json = { ...call.inputFields(earlier), [field]: vector, ...tokensOf(value, field) };
		return { from, json, files: item.binary, isForeign: true };
	}
	if (!simplify) return { from, json: rawItem(value.entry, value.rest) };
	const json = {
		embedding: vector,
		dimensions: vector.length,
		model: value.request.model,
		...tokensOf(value),
	};
	return { from, json };
}

const TOKEN_FIELDS = ['inputTokens', 'totalTokens', 'textsInRequest'];

/** The tokens of the request, and how many texts share it: gateways do not report those of a single text. */
function tokensOf({ request }: Embedding, prefix = ''): IDataObject {
	const { inputTokens, totalTokens, texts } = request;
	if (inputTokens === undefined && totalTokens === undefined) return {};
	const fields = { inputTokens, totalTokens, textsInRequest: texts };
	const known = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known.map(([name, value]) => [withPrefix(prefix, name), value]));
}

function withPrefix(prefix: string, name: string): string {
	return prefix === '' ? name : `${prefix}${name[0].toUpperCase()}${name.slice(1)}`;
}
