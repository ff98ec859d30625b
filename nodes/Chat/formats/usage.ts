import type { OptionalFields } from '../../shared/answer/optionalFields';
import { asRecord, withoutGaps } from '../../shared/plain/values';
import { type Fields, objectsIn } from './assembler';

/** Tokens that an answer used; null where the gateway does not report them. What only some report may be missing. */
export interface TokenCounts {
	/** All tokens of the input, those from the cache included. */
	inputTokens: number | null;
	outputTokens: number | null;
	totalTokens: number | null;
	/** Input tokens that were read from the prompt cache. */
	cachedInputTokens?: number;
	/** Input tokens that were written to the prompt cache. */
	cacheWriteTokens?: number;
	audioInputTokens?: number;
	/** Output tokens that the model used for reasoning. */
	reasoningTokens?: number;
	audioOutputTokens?: number;
	/** In the currency of the gateway. */
	cost?: number;
}

/** Where a usage reports its counts: the names of fields, with those of inner ones after a dot, the usual one first. */
type Names = Partial<Record<keyof TokenCounts, string[]>>;
type Counts = { [name in keyof TokenCounts]?: number };

/** The Responses API and DashScope name the counts like the messages format. */
const CHAT_COMPLETION: Names = {
	inputTokens: ['prompt_tokens', 'input_tokens'],
	outputTokens: ['completion_tokens', 'output_tokens'],
	totalTokens: ['total_tokens'],
	cachedInputTokens: [
		...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens'],
		// DeepSeek and Moonshot count them beside the details.
		...['prompt_cache_hit_tokens', 'cached_tokens'],
	],
	cacheWriteTokens: ['prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens'],
	audioInputTokens: ['prompt_tokens_details.audio_tokens', 'input_tokens_details.audio_tokens'],
	reasoningTokens: ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
	audioOutputTokens: ['completion_tokens_details.audio_tokens', 'output_tokens_details.audio_tokens'],
};
const MESSAGE: Names = {
	inputTokens: ['input_tokens'],
	outputTokens: ['output_tokens'],
	cachedInputTokens: ['cache_read_input_tokens'],
	cacheWriteTokens: ['cache_creation_input_tokens'],
	reasoningTokens: ['output_tokens_details.thinking_tokens', 'output_tokens_details.reasoning_tokens'],
};
const GENERATE_CONTENT: Names = {
	inputTokens: ['promptTokenCount'],
	outputTokens: ['candidatesTokenCount'],
	totalTokens: ['totalTokenCount'],
	cachedInputTokens: ['cachedContentTokenCount'],
	reasoningTokens: ['thoughtsTokenCount'],
};

/** The usage of a chat completion (interface, 2.3; the details as comparable services report them). */
export function chatCompletionTokens(body: Fields, optional: OptionalFields): TokenCounts {
	// Streams of Moonshot, and older ones of Groq, have it only there.
	const [choice] = objectsIn(body.choices);
	const usage = optional.record(body.usage ?? asRecord(body.x_groq)?.usage ?? choice?.usage, 'usage');
	const counts = countsIn(usage, 'usage', CHAT_COMPLETION, optional);
	const { inputTokens, outputTokens, totalTokens, reasoningTokens = 0 } = counts;
	// xAI counts the tokens of reasoning beside those of the completion.
	const all = added(outputTokens, reasoningTokens);
	const isBeside = outputTokens !== undefined && totalTokens === added(inputTokens, all);
	return tokenCounts({ ...counts, outputTokens: isBeside ? all : outputTokens });
}

/** The usage of a message object (interface, 2.4), whose `input_tokens` exclude those of the cache. */
export function messagesTokens(body: Fields, optional: OptionalFields): TokenCounts {
	const counts = countsIn(optional.record(body.usage, 'usage'), 'usage', MESSAGE, optional);
	const { inputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = counts;
	if (inputTokens === undefined) return tokenCounts(counts);
	return tokenCounts({ ...counts, inputTokens: inputTokens + cachedInputTokens + cacheWriteTokens });
}

/** The usage of a generate-content response (interface, 2.5), which counts the tokens of thoughts by themselves. */
export function generateContentTokens(body: Fields, optional: OptionalFields): TokenCounts {
	const usage = optional.record(body.usageMetadata, 'usageMetadata');
	const counts = countsIn(usage, 'usageMetadata', GENERATE_CONTENT, optional);
	// Results of tools that the model uses by itself are part of the input.
	const ofTools = optional.count(usage.toolUsePromptTokenCount, 'usageMetadata.toolUsePromptTokenCount');
	return tokenCounts({
		...counts,
		inputTokens: added(counts.inputTokens, ofTools),
		outputTokens: added(counts.outputTokens, counts.reasoningTokens),
		audioInputTokens: audioIn(usage.promptTokensDetails),
		audioOutputTokens: audioIn(usage.candidatesTokensDetails),
	});
}

function countsIn(usage: Fields, name: string, names: Names, optional: OptionalFields): Counts {
	const countAt = (path: string) => {
		const value = path.split('.').reduce<unknown>((inner, key) => asRecord(inner)?.[key], usage);
		return optional.count(value, `${name}.${path}`);
	};
	const counts = Object.entries(names).map(([count, paths]) => {
		return [
			count,
			paths.reduce<number | undefined>((found, path) => found ?? countAt(path), undefined),
		] as const;
	});
	return { ...Object.fromEntries(counts), cost: optional.cost(usage) };
}

/** The audio tokens in a list of counts by modality. */
function audioIn(list: unknown): number | undefined {
	const count = objectsIn(list).find(({ modality }) => modality === 'AUDIO')?.tokenCount;
	return typeof count === 'number' ? count : undefined;
}

/** The counts in the order of the output; the total is calculated when only its parts are known. */
function tokenCounts({ inputTokens, outputTokens, totalTokens, ...details }: Counts): TokenCounts {
	const areKnown = inputTokens !== undefined && outputTokens !== undefined;
	return {
		inputTokens: inputTokens ?? null,
		outputTokens: outputTokens ?? null,
		totalTokens: totalTokens ?? (areKnown ? inputTokens + outputTokens : null),
		...withoutGaps(details),
	};
}

const COUNTS = [
	...(['inputTokens', 'outputTokens', 'totalTokens', 'cachedInputTokens', 'cacheWriteTokens'] as const),
	...(['audioInputTokens', 'reasoningTokens', 'audioOutputTokens', 'cost'] as const),
];

/** The tokens of two answers together, as far as they are known; of one alone without a second. */
export function tokensOf(one: TokenCounts, other: Partial<TokenCounts> = {}): TokenCounts {
	const known = COUNTS.map((name) => [name, added(one[name], other[name])] as const);
	return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as unknown as TokenCounts;
}

/** The sum of two counts as far as they are known. */
function added<Unknown extends null | undefined>(one: number | Unknown, other: number | Unknown) {
	if (typeof one !== 'number') return other ?? one;
	return one + (other ?? 0);
}
