import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import type { Call } from '../../shared/runtime/call';
import type { EmbedOutput } from '../embedOutput';
import type { EmbeddingJob } from '../embedTexts';
import { EMBEDDING_OPTIONS, MODEL, readEmbeddingJob } from '../fields';

const TEXT: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.text }}',
	description: 'The text to embed. The node sends the texts of many items in one request.',
};

const OUTPUT: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
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
	default: 'item',
	description: 'What to return for each item',
};

const VECTOR_FIELD: INodeProperties = {
	displayName: 'Put Vector in Field',
	name: 'vectorField',
	type: 'string',
	required: true,
	default: 'embedding',
	displayOptions: { show: { output: ['item'] } },
	placeholder: 'e.g. embedding',
	description:
		'Name of the field for the vector. The names of the fields for the tokens used start with this name, for example "embeddingInputTokens".',
};

const SIMPLIFY_VECTOR: INodeProperties = { ...SIMPLIFY, displayOptions: { show: { output: ['vector'] } } };

/** Parameters of Embed → Embed Text. */
export const embedTextFields = [MODEL, TEXT, OUTPUT, VECTOR_FIELD, SIMPLIFY_VECTOR, EMBEDDING_OPTIONS];

/** The parameters of one item. */
export interface EmbedTextSettings {
	text: string;
	job: EmbeddingJob;
	output: EmbedOutput;
}

/** @throws GatewayFailure (kind `input`) that names the parameter that cannot be used */
export function readEmbedText(call: Call): EmbedTextSettings {
	const output: EmbedOutput =
		call.text(OUTPUT) === 'vector'
			? { kind: 'vector', simplify: call.flag(SIMPLIFY_VECTOR) }
			: { kind: 'item', field: call.requiredText(VECTOR_FIELD).trim() };
	return { text: call.requiredText(TEXT), job: readEmbeddingJob(call), output };
}
