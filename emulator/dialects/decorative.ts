import { type Dialect, type Meaning, variant } from './dialect';
import { eachData, eachField, eachObject, isObject, type JsonObject, longNumber } from './json';
import { UTILITIES } from './routes';

const ROUTES = ['/v1*'];
const TOKENS = {
	inputTokens: null,
	outputTokens: null,
	totalTokens: null,
	embeddingInputTokens: null,
	embeddingTotalTokens: null,
	embeddingTextsInRequest: null,
};
const ANY_NUMBER = '1234567890123456789';

interface Decoration {
	name: string;
	description: string;
	change: (value: unknown) => unknown;
	loose?: Readonly<Record<string, RegExp | null>>;
	routes?: readonly string[];
}

/** Changes JSON and the data of every event alike. */
const decorated = ({ name, description, change, loose = {}, routes = ROUTES }: Decoration) => {
	const meaning: Meaning = { kind: 'same', loose };
	const events: Parameters<typeof eachData>[1] = change;
	return variant({
		name,
		description,
		routes,
		meaning,
		json: change,
		events: (all) => eachData(all, events),
	});
};

const USAGES = ['usage', 'usageMetadata'];
const CREATED = ['created', 'createTime', 'submit_time', 'start_time', 'finish_time'];
const IDS = ['responseId'];
const VECTORS = ['embedding', 'embeddings'];

/** Changes a field wherever it is. */
const field = (names: readonly string[], change: (value: unknown) => unknown) => (value: unknown) =>
	eachField(value, (entry, key) => (names.includes(key) ? change(entry) : entry));

/** The IDs that nothing depends on: those of answers, but not of models, tasks, tool calls, and tracks. */
const answerIds = (id: unknown) => (value: unknown) =>
	eachField(value, (entry, key) => {
		const isId = IDS.includes(key) || (key === 'id' && /^(?:chatcmpl-|msg_)/.test(String(entry)));
		return isId ? id : entry;
	});

function withTexts(value: unknown): unknown {
	return eachField(value, (entry, key) => (VECTORS.includes(key) ? entry : numbersAsText(entry)));
}

const numbersAsText = (value: unknown) => (typeof value === 'number' ? String(value) : value);

const toTime = (change: (seconds: number) => unknown) => (value: unknown) => {
	if (typeof value !== 'number' || value === 0) return value;
	return change(value > 1e11 ? value / 1000 : value);
};

/** More fields than are known, in every object but those of tool schemas and of vectors. */
const withUnknown = (value: unknown) =>
	eachObject(value, (object) => ({ ...object, x_trace: { shard: 7, tags: ['a', null] }, x_note: '' }));

function reversed(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(reversed);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([key, entry]) => [key, reversed(entry)]),
	);
}

const flags = (change: (flag: boolean) => unknown) => (value: unknown) =>
	eachField(value, (entry) => (typeof entry === 'boolean' ? change(entry) : entry));

const usage = (name: string, says: string, change: (usage: JsonObject) => unknown): Decoration => ({
	name: `usage-${name}`,
	description: `\`usage\` is ${says}`,
	loose: TOKENS,
	change: field(USAGES, (value) => (isObject(value) ? change(value) : value)),
});

/** Usage with details, which may reach the output under names of their own. */
const withDetails: typeof usage = (...of) => ({
	...usage(...of),
	loose: { ...TOKENS, cachedInputTokens: /^\d+$/, reasoningTokens: /^\d+$/ },
});

const created = (name: string, says: string, change: (seconds: number) => unknown): Decoration => ({
	name: `created-${name}`,
	description: `Times are ${says}`,
	change: field(CREATED, toTime(change)),
});

const DECORATIONS: Decoration[] = [
	{
		name: 'numbers-as-text',
		description: 'Every count and number is text, except in vectors',
		change: withTexts,
		loose: { ...TOKENS, durationSeconds: null, created: null },
	},
	{
		name: 'id-number',
		description: 'The ID of an answer is a number',
		change: answerIds(4711),
		loose: { id: /^4711$/ },
	},
	{
		name: 'id-long-number',
		description: 'The ID of an answer is a number of 19 digits',
		change: answerIds(longNumber(ANY_NUMBER)),
		loose: { id: new RegExp(`^${ANY_NUMBER}$`) },
	},
	{
		name: 'created-milliseconds',
		description: 'Times are in milliseconds',
		change: field(
			CREATED,
			toTime((seconds) => Math.round(seconds * 1000)),
		),
	},
	created('text', 'text', (seconds) => String(Math.round(seconds))),
	created('iso', 'ISO dates', (seconds) => new Date(seconds * 1000).toISOString()),
	usage('list', '`[]`', () => []),
	usage('empty-text', '`""`', () => ''),
	usage('null', '`null`', () => null),
	usage('missing', 'missing', () => undefined),
	usage('unknown-keys', 'an object with unknown keys', () => ({ credits: 3, model_units: { a: 1 } })),
	withDetails('more-keys', 'an object with more keys', (known) => ({
		...known,
		prompt_tokens_details: { cached_tokens: 0 },
		credits: '3',
	})),
	usage('texts', 'an object of texts that are no numbers', (known) =>
		Object.fromEntries(Object.keys(known).map((key) => [key, 'some'])),
	),
	{
		name: 'model-null',
		description: 'The model that answered is `null`',
		change: field(['model', 'modelVersion', 'modelName'], () => null),
		loose: { model: null },
	},
	{
		name: 'model-number',
		description: 'The model that answered is a number',
		change: field(['model', 'modelVersion', 'modelName'], () => 7),
		loose: { model: /^7$/ },
	},
	{ name: 'unknown-fields', description: 'Unknown fields in every object', change: withUnknown },
	{ name: 'fields-reversed', description: 'The fields of every object in reverse order', change: reversed },
	{
		name: 'flags-as-numbers',
		description: 'Flags are 0 and 1',
		change: flags(Number),
		loose: { public: null, hasPaymentMethod: null },
	},
	{
		name: 'flags-as-text',
		description: 'Flags are "true" and "false"',
		change: flags(String),
		loose: { public: null, hasPaymentMethod: null },
	},
	{
		name: 'revised-prompt-object',
		description: '`revised_prompt` is an object',
		change: (value) =>
			eachObject(value, (object) =>
				'url' in object || 'b64_json' in object
					? { ...object, revised_prompt: { text: 'A fox', lang: 'en' } }
					: object,
			),
		routes: ['POST /v1/images/generations'],
		loose: { revisedPrompt: /./ },
	},
	{
		name: 'finish-reason-number',
		description: 'The finish reason is a number',
		change: field(['finish_reason', 'stop_reason', 'finishReason'], (value) => (value === null ? value : 1)),
		loose: { finishReason: /^1$/ },
	},
	{ name: 'object-missing', description: '`object` is missing', change: field(['object'], () => undefined) },
	{
		name: 'role-missing',
		description: '`role` is missing',
		change: field(['role'], () => undefined),
	},
];

/** Fields that nothing of the answer itself depends on, in other shapes or missing. */
export const decorativeFields: readonly Dialect[] = [
	...DECORATIONS.map(decorated),
	variant({
		name: 'json-as-text-plain',
		description: 'JSON is served as `text/plain`',
		routes: ['/v1*', ...UTILITIES],
		contentType: 'text/plain; charset=utf-8',
	}),
];
