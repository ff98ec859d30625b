import type { LooseFields } from '../../shared/answer/looseFields';
import { asRecord } from '../../shared/plain/values';
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

type Count = number | null | undefined;
type Details = Omit<TokenCounts, 'inputTokens' | 'outputTokens' | 'totalTokens'>;

/**
 * Token counts; the total is calculated when only its parts are known.
 *
 * @param details what only some gateways report; undefined where this one does not
 */
function tokenCounts(
	input: Count,
	output: Count,
	total?: Count,
	details: { [name in keyof Details]: number | undefined } = {},
): TokenCounts {
	const inputTokens = input ?? null;
	const outputTokens = output ?? null;
	const sum = inputTokens !== null && outputTokens !== null ? inputTokens + outputTokens : null;
	const known = Object.entries(details).filter(([, value]) => value !== undefined);
	return { inputTokens, outputTokens, totalTokens: total ?? sum, ...(Object.fromEntries(known) as Details) };
}

const COUNTS = [
	...(['inputTokens', 'outputTokens', 'totalTokens', 'cachedInputTokens', 'cacheWriteTokens'] as const),
	...(['audioInputTokens', 'reasoningTokens', 'audioOutputTokens', 'cost'] as const),
];

/** The token counts of an answer, without the rest of it. */
export function tokenCountsOf(answer: TokenCounts): TokenCounts {
	const known = COUNTS.filter((name) => answer[name] !== undefined);
	return Object.fromEntries(known.map((name) => [name, answer[name]])) as unknown as TokenCounts;
}

/** The tokens of two answers together, as far as they are known. */
export function addedTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
	const sum = (a: Count, b: Count) => (a === null || a === undefined ? b : a + (b ?? 0));
	const known = COUNTS.map((name) => [name, sum(one[name], other[name])] as const);
	return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as unknown as TokenCounts;
}

/** The usage of a chat completion (interface, 2.3; the details as comparable services report them). */
export function chatCompletionTokens(body: Fields, loose: LooseFields): TokenCounts {
	// Streams of Moonshot, and older ones of Groq, have it only there.
	const [choice] = objectsIn(body.choices);
	const usage = loose.record(body.usage ?? asRecord(body.x_groq)?.usage ?? choice?.usage, 'usage');
	const count = (name: string) => loose.count(usage[name], `usage.${name}`);
	// The Responses API and DashScope name them like the messages format.
	const isOther = 'input_tokens' in usage && !('prompt_tokens' in usage);
	const [inputName, outputName] = isOther ? ['input', 'output'] : ['prompt', 'completion'];
	const input = detailsOf(usage, `${inputName}_tokens_details`, loose);
	const output = detailsOf(usage, `${outputName}_tokens_details`, loose);
	const [prompt, completion] = [count(`${inputName}_tokens`), count(`${outputName}_tokens`)];
	const total = count('total_tokens');
	const reasoningTokens = output('reasoning_tokens');
	// xAI counts the tokens of reasoning beside those of the completion.
	const isBeside =
		total !== undefined && total === (prompt ?? 0) + (completion ?? 0) + (reasoningTokens ?? 0);
	const all = completion !== undefined && isBeside ? completion + (reasoningTokens ?? 0) : completion;
	return tokenCounts(prompt, all, total, {
		// DeepSeek and Moonshot count them beside the details.
		cachedInputTokens: input('cached_tokens') ?? count('prompt_cache_hit_tokens') ?? count('cached_tokens'),
		cacheWriteTokens: input('cache_write_tokens'),
		audioInputTokens: input('audio_tokens'),
		reasoningTokens,
		audioOutputTokens: output('audio_tokens'),
		cost: loose.cost(usage),
	});
}

/** The usage of a message object (interface, 2.4), whose `input_tokens` exclude those of the cache. */
export function messagesTokens(body: Fields, loose: LooseFields): TokenCounts {
	const usage = loose.record(body.usage, 'usage');
	const count = (name: string) => loose.count(usage[name], `usage.${name}`);
	const output = detailsOf(usage, 'output_tokens_details', loose);
	const cachedInputTokens = count('cache_read_input_tokens');
	const cacheWriteTokens = count('cache_creation_input_tokens');
	const uncached = count('input_tokens');
	const input =
		uncached === undefined ? undefined : uncached + (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0);
	return tokenCounts(input, count('output_tokens'), undefined, {
		cachedInputTokens,
		cacheWriteTokens,
		reasoningTokens: output('thinking_tokens') ?? output('reasoning_tokens'),
		cost: loose.cost(usage),
	});
}

/** The usage of a generate-content response (interface, 2.5), which counts the tokens of thoughts by themselves. */
export function generateContentTokens(body: Fields, loose: LooseFields): TokenCounts {
	const usage = loose.record(body.usageMetadata, 'usageMetadata');
	const count = (name: string) => loose.count(usage[name], `usageMetadata.${name}`);
	const candidates = count('candidatesTokenCount');
	const reasoningTokens = count('thoughtsTokenCount');
	const output = added(candidates, reasoningTokens);
	// Results of tools that the model uses by itself are part of the input.
	const input = added(count('promptTokenCount'), count('toolUsePromptTokenCount'));
	return tokenCounts(input, output, count('totalTokenCount'), {
		cachedInputTokens: count('cachedContentTokenCount'),
		audioInputTokens: audioIn(usage.promptTokensDetails),
		reasoningTokens,
		audioOutputTokens: audioIn(usage.candidatesTokensDetails),
		cost: loose.cost(usage),
	});
}

/** The sum of two counts; undefined only if neither is known. */
function added(one: number | undefined, other: number | undefined): number | undefined {
	return one === undefined ? other : one + (other ?? 0);
}

function detailsOf(usage: Fields, name: string, loose: LooseFields): (key: string) => number | undefined {
	const details = loose.record(usage[name], `usage.${name}`);
	return (key) => loose.count(details[key], `usage.${name}.${key}`);
}

/** The audio tokens in a list of counts by modality. */
function audioIn(list: unknown): number | undefined {
	const count = objectsIn(list).find(({ modality }) => modality === 'AUDIO')?.tokenCount;
	return typeof count === 'number' ? count : undefined;
}
