import { asRecord, parseJson } from '../../shared/values';

/** A tool that the model asks for. */
export interface ToolCall {
	id: string;
	name: string;
	/** An object, or the text as it came when it is not JSON (an answer that was cut off). */
	arguments: unknown;
}

/** Tokens that an answer used; null where the gateway does not say. */
export interface TokenUsage {
	inputTokens: number | null;
	outputTokens: number | null;
	totalTokens: number | null;
}

/** An answer of a chat model, the same for every format. */
export interface ChatAnswer {
	text: string;
	model: string;
	/** `stop`, `length`, `tool_calls`, `content_filter`, `refusal`, `empty`, or the gateway's own word. */
	finishReason: string;
	usage: TokenUsage;
	/** Null where the gateway gives none. */
	id: string | null;
	/** What the model thought before it answered. */
	reasoning?: string;
	toolCalls?: ToolCall[];
	/** Why the model does not answer, in its own words. */
	refusal?: string;
	/** The texts of further answers to the same question. */
	alternatives?: string[];
	/** Parts that are neither text, thoughts nor tool calls, as they came. */
	otherContent?: unknown[];
}

type MaybeText = string | null | undefined;

/** What the reader of a format finds, before empty things are left out. */
export interface AnswerParts {
	text: string;
	model: MaybeText;
	finishReason: MaybeText;
	usage: TokenUsage;
	id: MaybeText;
	reasoning: string;
	toolCalls: ToolCall[];
	refusal: MaybeText;
	alternatives: string[];
	otherContent: unknown[];
}

const FINISH_REASONS: Record<string, string> = {
	end_turn: 'stop',
	stop_sequence: 'stop',
	STOP: 'stop',
	max_tokens: 'length',
	MAX_TOKENS: 'length',
	model_context_window_exceeded: 'length',
	tool_use: 'tool_calls',
	function_call: 'tool_calls',
	SAFETY: 'content_filter',
	RECITATION: 'content_filter',
	BLOCKLIST: 'content_filter',
	PROHIBITED_CONTENT: 'content_filter',
	SPII: 'content_filter',
	IMAGE_SAFETY: 'content_filter',
};

/**
 * Makes the answer: one set of words for the finish reason, and only those further fields that hold
 * something.
 *
 * @param requestedModel stands in when the answer names no model, as the interface's generate-content
 *   response does
 */
export function chatAnswer(parts: AnswerParts, requestedModel: string): ChatAnswer {
	const { text, model, usage, id, reasoning, toolCalls, refusal, alternatives, otherContent } = parts;
	return {
		text,
		model: model || requestedModel,
		finishReason: finishReasonOf(parts),
		usage,
		id: id || null,
		...(reasoning ? { reasoning } : {}),
		...(toolCalls.length > 0 ? { toolCalls } : {}),
		...(refusal ? { refusal } : {}),
		...(alternatives.length > 0 ? { alternatives } : {}),
		...(otherContent.length > 0 ? { otherContent } : {}),
	};
}

function finishReasonOf({ finishReason, text, toolCalls, refusal, otherContent }: AnswerParts): string {
	const known = FINISH_REASONS[finishReason ?? ''] ?? finishReason ?? '';
	if (known !== 'stop' && known !== '') return known;
	if (refusal) return 'refusal';
	if (toolCalls.length > 0) return 'tool_calls';
	if (text === '' && otherContent.length === 0) return 'empty';
	return known || 'stop';
}

type Count = number | null | undefined;

/** Token usage with the sum filled in when only its parts are known. */
export function tokenUsage(input: Count, output: Count, total?: Count): TokenUsage {
	const inputTokens = input ?? null;
	const outputTokens = output ?? null;
	const sum = inputTokens !== null && outputTokens !== null ? inputTokens + outputTokens : null;
	return { inputTokens, outputTokens, totalTokens: total ?? sum };
}

/** The arguments of a tool call, parsed when they came as JSON text. */
export function toolArguments(value: unknown): unknown {
	if (typeof value !== 'string') return value ?? {};
	if (value.trim() === '') return {};
	return asRecord(parseJson(value)?.value) ?? value;
}
