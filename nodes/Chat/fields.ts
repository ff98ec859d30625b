import type { INodeProperties } from 'n8n-workflow';
import { INCLUDE_INPUT_FIELDS, optionFields, SIMPLIFY } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import type { Call } from '../shared/run/call';
import { entriesOf, pickedIn } from '../shared/run/parameterReader';
import { FILES } from './files.fields';
import type { ChatFormat } from './formats/chatFormat';
import { generationOptions } from './formats/generation';
import { inputFields } from './input.fields';
import { outputFields, SEND_SCHEMA } from './json/fields';
import { MAX_ITERATIONS } from './tools/toolBox';
import { flagField } from '../shared/fields/field';

export const MODEL = modelField('e.g. chat-large');

const FALLBACK_MODEL: INodeProperties = {
	...modelField('e.g. chat-small'),
	description: 'The next model to ask',
	// The hint of the first model says where IDs come from.
	builderHint: undefined,
};

const FALLBACK_MODELS: INodeProperties = {
	displayName: 'Fallback Models',
	name: 'fallbackModels',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true, maxAllowedFields: 3 },
	placeholder: 'Add model',
	default: {},
	description: 'Models to ask instead if it is not available',
	options: [{ displayName: 'Model', name: 'model', values: [FALLBACK_MODEL] }],
};

export const STREAM = flagField(
	'Stream',
	'stream',
	'Whether to receive the answer in chunks, so that long ones do not time out',
);

/** Returns the parameters of an operation, in the order in which users fill them in. Most questions need only two. */
export function chatFields(format: ChatFormat): INodeProperties[] {
	const options = [...format.options, ...generationOptions(format.generation)];
	return [
		MODEL,
		...inputFields(format.input),
		...outputFields,
		SIMPLIFY,
		...(format.raw?.parameters ?? []),
		...optionFields(
			format.request.target('', false).endpoint,
			{ streams: true, pays: 'tokens' },
			[FILES, STREAM, FALLBACK_MODELS, INCLUDE_INPUT_FIELDS, SEND_SCHEMA, ...options],
			[MAX_ITERATIONS],
		),
	];
}

/** Reads the models of the option Fallback Models, in order, without empty cells. */
export function readFallbackModels(call: Call): string[] {
	const entries = entriesOf(call.options.value(FALLBACK_MODELS), FALLBACK_MODELS);
	return entries.map((entry) => pickedIn(entry[FALLBACK_MODEL.name])).filter((model) => model !== '');
}
