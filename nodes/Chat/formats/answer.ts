import type { IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/failure/failure';
import { asRecord, isBlank, textOr } from '../../shared/plain/values';
import { parseJson, withWholeIntegers } from '../../shared/plain/json';
import type { TokenCounts } from '../../shared/answer/usage';

export const MAX_ANSWERS = 128;

export interface ToolCall {
	id: string;
	name: string;
	/** An object, or the received text when it is not JSON (an answer that was cut off). */
	arguments: unknown;
}

/** An answer of a chat model, the same for every format. */
export interface ChatAnswer extends TokenCounts {
	text: string;
	model: string;
	/** `stop`, `length`, `tool_calls`, `content_filter`, `refusal`, `empty`, `unknown`, or the gateway's own word. */
	finishReason: string;
	/** Null if the gateway sends none. */
	id: string | null;
	reasoning?: string;
	toolCalls?: ToolCall[];
	/** The model's own explanation of why it does not answer. */
	refusal?: string;
	/** The texts of further answers to the same question. */
	alternatives?: string[];
	/** Parts that are not text, reasoning, or tool calls, unchanged. */
	otherContent?: unknown[];
	sources?: Source[];
}

type OptionalText = string | null | undefined;

/** The parts of an answer that the reader of a format finds, before empty ones are left out. */
export interface AnswerParts extends Required<
	Pick<ChatAnswer, 'text' | 'reasoning' | 'toolCalls' | 'alternatives' | 'otherContent' | 'sources'>
> {
	id: OptionalText;
	model: OptionalText;
	finishReason: OptionalText;
	refusal: OptionalText;
}

/** The words of gateways for each reason. */
const FINISH_REASONS: Array<[reason: string, words: string[]]> = [
	// The last two are Cohere's.
	['stop', ['end_turn', 'stop_sequence', 'STOP', 'eos', 'eos_token', 'COMPLETE', 'STOP_SEQUENCE']],
	[
		'length',
		['max_tokens', 'MAX_TOKENS', 'model_context_window_exceeded', 'model_length', 'max_output_tokens'],
	],
	['tool_calls', ['tool_use', 'function_call', 'TOOL_CALL']],
	['content_filter', ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'sensitive']],
	['content_filter', ['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'MODEL_ARMOR']],
];

/** Makes the answer. @param requestedModel used if the response names none, as in the generate-content format */
export function chatAnswer(parts: AnswerParts, tokens: TokenCounts, requestedModel: string): ChatAnswer {
	const { text, model, id } = parts;
	return {
		text,
		model: model || requestedModel,
		finishReason: finishReasonOf(parts),
		...tokens,
		id: id || null,
		...contentBesidesText(parts),
	};
}

const BESIDES_TEXT = [
	...(['reasoning', 'toolCalls', 'sources', 'refusal', 'alternatives', 'otherContent'] as const),
];

/** Returns what an answer contains besides its text. */
export function contentBesidesText(parts: AnswerParts): Pick<ChatAnswer, (typeof BESIDES_TEXT)[number]> {
	const names = BESIDES_TEXT.filter((name) => parts[name]?.length);
	return Object.fromEntries(names.map((name) => [name, parts[name]]));
}

/** Returns the simplified output of an answer. @param parsed the answer as JSON in `data`, if it was parsed */
export function simplifiedOutput(
	{ text, ...answer }: ChatAnswer,
	parsed: { data?: unknown } = {},
): IDataObject {
	const shown = Object.fromEntries(
		SHOWN.filter((name) => name in answer).map((name) => [name, answer[name]]),
	);
	// The text comes last, because users who want data rarely need the text that it came from.
	return ('data' in parsed ? { ...parsed, ...shown, text } : { text, ...shown }) as IDataObject;
}

/** Fields that the simplified output has besides the text, in this order; IDs and details are in the raw output. */
const SHOWN = [
	...(['model', 'finishReason', 'inputTokens', 'outputTokens', 'cost'] as const),
	...BESIDES_TEXT,
];

/** Fields that the output has only if the answer has them. */
export const ANSWER_FIELDS = [
	...SHOWN.filter((name) => name !== 'model'),
	...['toolRuns', 'unavailableModels'],
];

function finishReasonOf({ finishReason, text, toolCalls, refusal, otherContent }: AnswerParts): string {
	const said = finishReason ?? '';
	const [known] = FINISH_REASONS.find(([, words]) => words.includes(said)) ?? [said];
	if (known !== 'stop' && known !== '') return known;
	if (refusal) return 'refusal';
	if (toolCalls.length > 0) return 'tool_calls';
	if (text === '' && otherContent.length === 0) return 'empty';
	// Null means that a stream ended without a reason. Answers that are not streamed may omit the field.
	return known || (finishReason === null ? 'unknown' : 'stop');
}

/**
 * Checks that no call was cut off: a tool must not run with a part of its arguments.
 * @throws GatewayFailure with the answer, which was paid for
 */
export function checkCalls(answer: ChatAnswer): void {
	const { finishReason, toolCalls = [] } = answer;
	if (finishReason === 'stop' || finishReason === 'tool_calls') return;
	const isBroken = ({ arguments: given }: ToolCall) => !asRecord(given);
	// A call without arguments may have been cut off before them.
	const isEmpty = ({ arguments: given }: ToolCall) => Object.keys(given as object).length === 0;
	const last = finishReason === 'length' ? toolCalls.slice(-1) : [];
	const cut = toolCalls.find(isBroken) ?? last.find(isEmpty);
	if (!cut) return;
	const advice = finishReason === 'length' ? 'Increase Max Tokens in the options' : 'Rephrase the prompt';
	throw new GatewayFailure(
		'answer',
		`The answer was cut off while the model was calling the tool "${cut.name}" (${finishReason})`,
		`${advice}. The tool was not run.`,
		{ partial: simplifiedOutput(answer) },
	);
}

/** Returns the arguments of a tool call, parsed if they are JSON text. */
export function toolArguments(value: unknown): unknown {
	if (typeof value !== 'string') return value ?? {};
	if (isBlank(value)) return {};
	// Some gateways send an empty object before the real arguments, even in an answer that is not streamed.
	const text = value.replace(/^\s*\{\s*\}\s*(?=\{)/, '');
	const parsed = parseJson(withWholeIntegers(text))?.value;
	// Some models and gateways encode the text as JSON once more (quarkus-langchain4j#2569, ollama#12413).
	const inner = typeof parsed === 'string' ? parseJson(withWholeIntegers(parsed))?.value : parsed;
	return inner === null ? {} : (asRecord(inner) ?? value);
}

/** Gives each tool call a unique ID. @param isTaken whether a call of an earlier answer has this ID */
export function withUniqueIds(
	calls: ToolCall[],
	newId: (index: number) => string,
	isTaken: (id: string) => boolean = () => false,
): ToolCall[] {
	const seen = new Set(['']);
	return calls.map((call, index) => {
		let { id } = call;
		for (let next = index; seen.has(id) || isTaken(id); next++) id = newId(next);
		seen.add(id);
		return { ...call, id };
	});
}

export interface Source {
	url: string;
	title?: string;
}

/** Returns each address once, with a title if one of its entries has one. */
export function distinctSources(entries: unknown[]): Source[] {
	const titles = new Map<string, string>();
	for (const entry of entries) {
		const { url, link, uri, title } = asRecord(entry) ?? { url: entry };
		const address = [url, link, uri].map((one) => textOr(one)).find((one) => one !== '') ?? '';
		if (address !== '') titles.set(address, titles.get(address) || textOr(title));
	}
	return [...titles].map(([url, title]) => (title === '' ? { url } : { url, title }));
}
