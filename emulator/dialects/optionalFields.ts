import { type Dialect, variant } from './dialect';
import { eachData, eachField, eachObject } from './json';
import * as routes from './routes';

/** The fields of an answer that the interface lets a client do without, and the output fields that need them. */
interface Optional {
	name: string;
	routes: readonly string[];
	fields: string[];
	output: string[];
	/** Fields that end a stream, so they can be missing only in a whole answer. */
	notInStreams?: string[];
}

const TOKENS = ['inputTokens', 'outputTokens'];

const OPTIONAL: Optional[] = [
	{
		name: 'models',
		routes: routes.MODELS,
		fields: ['object', 'created', 'owned_by'],
		output: ['created', 'ownedBy'],
	},
	{
		name: 'chat',
		routes: routes.CHAT_COMPLETIONS,
		fields: ['id', 'object', 'created', 'model', 'usage', 'role', 'index'],
		notInStreams: ['finish_reason'],
		output: ['model', 'finishReason', ...TOKENS],
	},
	{
		name: 'messages',
		routes: routes.MESSAGES,
		fields: ['id', 'role', 'model', 'stop_sequence', 'usage'],
		notInStreams: ['stop_reason'],
		output: ['model', 'finishReason', ...TOKENS],
	},
	{
		name: 'generate-content',
		routes: routes.GENERATE_CONTENT,
		fields: ['role', 'index', 'usageMetadata', 'modelVersion', 'responseId'],
		notInStreams: ['finishReason'],
		output: ['model', 'finishReason', ...TOKENS],
	},
	{
		name: 'images',
		routes: routes.IMAGES,
		fields: ['created', 'revised_prompt', 'usage'],
		output: ['created'],
	},
	{
		name: 'voices',
		routes: routes.VOICES,
		fields: ['success', 'total', 'public', 'description'],
		output: ['public', 'description', 'total'],
	},
	{
		name: 'new-voice',
		routes: routes.NEW_VOICES,
		fields: ['public', 'description'],
		output: ['public', 'description'],
	},
	{
		name: 'new-song',
		routes: routes.NEW_SONGS,
		fields: ['code', 'message', 'status'],
		output: ['status'],
	},
	{
		name: 'song',
		routes: routes.SONGS,
		fields: [
			...['code', 'message', 'task_id', 'action', 'submit_time', 'start_time', 'finish_time', 'progress'],
			...['streamAudioUrl', 'tags', 'prompt', 'modelName', 'createTime', 'duration'],
		],
		output: [
			...['progress', 'submittedAt', 'finishedAt', 'tags', 'model', 'durationSeconds'],
			...['createdAt', 'streamAudioUrl', 'otherFields'],
		],
	},
	{
		name: 'embeddings',
		routes: routes.EMBEDDINGS,
		fields: ['object', 'index', 'model', 'usage'],
		output: ['model', 'embeddingInputTokens', 'embeddingTotalTokens', 'embeddingTextsInRequest'],
	},
	{
		name: 'billing',
		routes: ['GET /v1/dashboard/billing/subscription'],
		fields: ['object', 'has_payment_method', 'soft_limit_usd', 'system_hard_limit_usd', 'access_until'],
		output: ['hasPaymentMethod', 'softLimitUsd', 'systemHardLimitUsd', 'accessUntil'],
	},
];

/** Answers without the fields that the interface does not require, and answers with unknown fields. */
export const optionalFields: readonly Dialect[] = [
	...OPTIONAL.map(({ name, fields, notInStreams = [], output, routes: fitting }) =>
		variant({
			name: `optional-missing-${name}`,
			description: `Every optional field of ${name.replace(/-/g, ' ')} is missing`,
			source: 'The interface document: what it does not require',
			routes: fitting,
			meaning: { kind: 'same', variable: Object.fromEntries(output.map((field) => [field, null])) },
			json: (value) => withoutFields(value, [...fields, ...notInStreams]),
			events: (events) => eachData(events, (data) => withoutFields(data, fields)),
		}),
	),
	variant({
		name: 'unknown-fields',
		description: 'Unknown fields in every object',
		source: 'OpenAI and Anthropic: fields may be added at any time',
		routes: ['/v1*'],
		meaning: { kind: 'same', variable: { x_trace: /^/, x_note: /^/ } },
		json: withUnknownFields,
		events: (events) => eachData(events, withUnknownFields),
	}),
];

function withUnknownFields(value: unknown): unknown {
	return eachObject(value, (object) => ({ ...object, x_trace: { shard: 7, tags: ['a', null] }, x_note: '' }));
}

function withoutFields(value: unknown, names: readonly string[]): unknown {
	return eachField(value, (entry, key) => (names.includes(key) ? undefined : entry));
}
