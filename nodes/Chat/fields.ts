import type { INodeProperties } from 'n8n-workflow';
import { optionsField, SIMPLIFY } from '../shared/fields/options';
import { modelField } from '../shared/fields/picker';
import type { Endpoint } from '../shared/send/endpoints';
import { FALLBACK_MODELS } from './fallback/fields';
import { FILES } from './files.fields';
import { inputFields, type InputSettings } from './input.fields';
import { JSON_SCHEMA, PARSE_JSON, SEND_SCHEMA } from './json/fields';
import { MAX_ITERATIONS } from './tools/toolBox';

export const MODEL = modelField('', 'e.g. chat-large');

export const STREAM: INodeProperties = {
	displayName: 'Stream',
	name: 'stream',
	type: 'boolean',
	default: false,
	description: 'Whether to receive the answer in chunks, so that long ones do not time out',
};

export const INCLUDE_USAGE: INodeProperties = {
	displayName: 'Include Usage',
	name: 'includeUsage',
	type: 'boolean',
	default: true,
	description: 'Whether to request the token usage at the end of a stream',
};

export interface ChatFieldSettings {
	endpoint: Endpoint;
	input: InputSettings;
	/** The operation's own entries of Options. */
	options: INodeProperties[];
}

/**
 * The parameters of an operation of Chat, in the order in which they are filled in. Few of them are in sight, because
 * most questions need only a model and a prompt.
 */
export function chatFields({ endpoint, input, options }: ChatFieldSettings): INodeProperties[] {
	const json = [PARSE_JSON, JSON_SCHEMA, SEND_SCHEMA];
	const entries = [FILES, STREAM, FALLBACK_MODELS, MAX_ITERATIONS, ...json, ...options];
	return [
		MODEL,
		...inputFields(input),
		SIMPLIFY,
		optionsField(
			{
				timeoutSeconds: endpoint.timeoutSeconds,
				body: true,
				streams: true,
				limits: 'tokens',
			},
			entries,
		),
	];
}
