import { OptionalFields } from './optionalFields';
import { asRecord, withoutGaps } from '../plain/values';

/** The tokens of an answer; null if the gateway does not report them. Numbers that few gateways report are optional. */
export interface TokenCounts {
	/** All tokens of the input, including those from the cache. */
	inputTokens: number | null;
	outputTokens: number | null;
	totalTokens: number | null;
	cachedInputTokens?: number;
	cacheWriteTokens?: number;
	reasoningTokens?: number;
	/** The cost, in the currency of the gateway. */
	cost?: number;
}

/** The usage of an answer, as far as it is known. */
export type TokenUsage = Partial<TokenCounts>;

type Counts = { [name in keyof TokenCounts]?: number };

/**
 * The fields of a usage with its counts, in chat completions, messages, and generate content; a dot precedes an inner
 * name. The Responses API and DashScope use the names of the messages format.
 */
const NAMES: Partial<Record<keyof TokenCounts, string[]>> = {
	inputTokens: ['prompt_tokens', 'input_tokens', 'promptTokenCount'],
	outputTokens: ['completion_tokens', 'output_tokens', 'candidatesTokenCount'],
	totalTokens: ['total_tokens', 'totalTokenCount'],
	cachedInputTokens: [
		...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens'],
		// DeepSeek and Moonshot report them outside the details.
		...['prompt_cache_hit_tokens', 'cached_tokens', 'cache_read_input_tokens', 'cachedContentTokenCount'],
	],
	cacheWriteTokens: [
		...['prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens'],
		'cache_creation_input_tokens',
	],
	reasoningTokens: [
		...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.thinking_tokens'],
		...['output_tokens_details.reasoning_tokens', 'thoughtsTokenCount'],
		// GitHub Copilot, Perplexity, and SGLang report them outside the details.
		'reasoning_tokens',
	],
};

const PATHS = Object.entries(NAMES).map(
	([count, paths]) => [count as keyof TokenCounts, paths.map((path) => path.split('.'))] as const,
);

/** Reads the tokens of a usage in any format (interface, 2.3 to 2.5; details as comparable services report them). */
export function tokensIn(reported: unknown, optional: OptionalFields): TokenCounts {
	const usage = optional.record(reported, 'usage');
	const countAt = (path: string[]) => {
		const [name, inner] = path;
		const value = inner === undefined ? usage[name] : asRecord(usage[name])?.[inner];
		return optional.count(value, `usage.${path.join('.')}`);
	};
	const counts: Counts = {};
	for (const [count, paths] of PATHS) {
		for (const path of paths) counts[count] ??= countAt(path);
	}
	const { inputTokens, outputTokens, totalTokens, reasoningTokens } = counts;
	const cost = optional.cost(usage);
	// Every answer takes tokens: gateways that cannot count them report zeros (NadirClaw#33, goclaw#52, koine#41).
	if (!inputTokens && !outputTokens && !totalTokens) return tokenCounts({ cost });
	// The messages format counts cached input separately, and generate content the results of the model's own tools.
	const isMessages = inputTokens !== undefined && !('prompt_tokens' in usage);
	const ofCache = isMessages ? ['cache_read_input_tokens', 'cache_creation_input_tokens'] : [];
	const inputBeside = [...ofCache, 'toolUsePromptTokenCount'].map((name) => countAt([name]));
	// Generate content counts thoughts separately, and xAI counts reasoning separately.
	const allOutput = added(outputTokens, reasoningTokens);
	const isSum = outputTokens !== undefined && totalTokens === added(inputTokens, allOutput);
	const isBeside = isSum || 'thoughtsTokenCount' in usage;
	return tokenCounts({
		...counts,
		inputTokens: inputBeside.reduce<number | undefined>((sum, count) => added(sum, count), inputTokens),
		outputTokens: isBeside ? allOutput : outputTokens,
		cost,
	});
}

/** Reads the usage that a response of any kind reports, even beside an error. */
export function reportedUsage(body: unknown): TokenCounts {
	const { usage, usageMetadata } = asRecord(body) ?? {};
	return tokensIn(usage ?? usageMetadata, new OptionalFields());
}

/** Merges two reports of the same usage: the later number counts. */
export function updated(known: TokenUsage, reported: TokenUsage): TokenUsage {
	const news = Object.entries(reported).filter(([, value]) => typeof value === 'number');
	return { ...known, ...Object.fromEntries(news) };
}

/** Orders the counts as in the output, and calculates the total when only its parts are known. */
function tokenCounts({ inputTokens, outputTokens, totalTokens, ...details }: Counts): TokenCounts {
	const areKnown = inputTokens !== undefined && outputTokens !== undefined;
	return {
		inputTokens: inputTokens ?? null,
		outputTokens: outputTokens ?? null,
		totalTokens: totalTokens ?? (areKnown ? inputTokens + outputTokens : null),
		...withoutGaps(details),
	};
}

/** The names of tokens and costs in the output of all nodes. */
export const USAGE_FIELDS = [...PATHS.map(([count]) => count), 'cost' as const];

/** Adds up the tokens of two answers, as far as they are known; a missing second one changes nothing. */
export function tokensOf<Usage extends TokenUsage>(
	one: Usage,
	other: TokenUsage = {},
): Pick<Usage, keyof TokenCounts> {
	const known = USAGE_FIELDS.map((name) => [name, added(one[name], other[name])] as const);
	return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

function added<Unknown extends null | undefined>(one: number | Unknown, other: number | Unknown) {
	if (typeof one !== 'number') return other ?? one;
	return one + (other ?? 0);
}

/** Returns an amount, at least 0: no answer gives back what others have cost. */
const spent = (amount?: number | null) => Math.max(0, amount ?? 0);

/** The numbers of a usage, 0 for what is not reported. */
export type Amounts = Record<'input' | 'output' | 'tokens' | 'cost', number>;

export function amountsOf({ inputTokens, outputTokens, totalTokens, cost }: TokenUsage): Amounts {
	const input = spent(inputTokens ?? (outputTokens ? 0 : totalTokens));
	const output = spent(outputTokens);
	// Some gateways count tokens only in the total.
	return { input, output, tokens: Math.max(input + output, spent(totalTokens)), cost: spent(cost) };
}

/** Raises what is counted to larger amounts of the same request. @returns what this adds */
export function addedTo(counted: Amounts, amounts: Amounts): Amounts {
	const added = { ...amounts };
	for (const name of Object.keys(amounts) as Array<keyof Amounts>) {
		added[name] = Math.max(0, amounts[name] - counted[name]);
		counted[name] += added[name];
	}
	return added;
}
