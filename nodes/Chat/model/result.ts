import type { ChatAnswer, TokenUsage, ToolCall } from '../formats/answer';
import { answerFailure } from '../../shared/errors/errorMessages';
import { asRecord } from '../../shared/values';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import type { SdkContent, SdkFinishReason, SdkResult, SdkTokenUsage } from './sdk';

const FINISH_REASONS: Record<string, SdkFinishReason> = {
	stop: 'stop',
	empty: 'stop',
	length: 'length',
	tool_calls: 'tool-calls',
	content_filter: 'content-filter',
	refusal: 'content-filter',
};

/** A tool call that can be carried out. */
export interface UsableCall {
	id: string;
	name: string;
	/** JSON text of an object. */
	arguments: string;
}

/** What the model says; a refusal says something, too. */
export function spokenText({ text, refusal }: ChatAnswer): string {
	return text === '' ? (refusal ?? '') : text;
}

/** The answer as the SDK takes it. @throws GatewayFailure like {@link usableCalls} and {@link checkSpoken} */
export function resultOf(answer: ChatAnswer): SdkResult {
	const calls = usableCalls(answer);
	checkSpoken(answer);
	const text = spokenText(answer);
	const content: SdkContent[] = [
		...(text === '' ? [] : [{ type: 'text', text }]),
		...calls.map(({ id, name, arguments: input }) => ({
			type: 'tool-call',
			toolCallId: id,
			toolName: name,
			input,
		})),
	];
	const id = answer.id ?? undefined;
	return {
		id,
		finishReason: finishReasonOf(answer),
		usage: usageOf(answer.usage),
		message: { role: 'assistant', id, content },
		// Thoughts stand here and not in the content: chains turn that into text and know nothing else.
		providerMetadata: {
			finish_reason: answer.finishReason,
			answeredBy: answer.model,
			...(answer.reasoning ? { reasoning: answer.reasoning } : {}),
		},
	};
}

/** One of the SDK's words for why the answer ended. */
export function finishReasonOf({ finishReason }: ChatAnswer): SdkFinishReason {
	return FINISH_REASONS[finishReason] ?? 'other';
}

/** Undefined where the gateway does not report it. */
export function usageOf({ inputTokens, outputTokens, totalTokens }: TokenUsage): SdkTokenUsage | undefined {
	if (inputTokens === null && outputTokens === null) return undefined;
	const sum = (inputTokens ?? 0) + (outputTokens ?? 0);
	return {
		promptTokens: inputTokens ?? 0,
		completionTokens: outputTokens ?? 0,
		totalTokens: totalTokens ?? sum,
	};
}

/**
 * The tools that the model asks for, each with an id of its own.
 *
 * @throws GatewayFailure (kind `answer`) when arguments were cut off: a tool must not run with half of them
 */
export function usableCalls(answer: ChatAnswer): UsableCall[] {
	const seen = new Set<string>();
	return (answer.toolCalls ?? []).map((call, index) => {
		const id = call.id === '' || seen.has(call.id) ? `call_${index}` : call.id;
		seen.add(id);
		if (!asRecord(call.arguments)) throw brokenCall(answer, call);
		return { id, name: call.name, arguments: JSON.stringify(call.arguments) };
	});
}

/** An empty answer may be meant, but not one that was withheld or cut off. @throws GatewayFailure (kind `answer`) */
export function checkSpoken(answer: ChatAnswer): void {
	const { finishReason, toolCalls = [] } = answer;
	if (spokenText(answer) !== '' || toolCalls.length > 0) return;
	if (finishReason === 'content_filter') {
		throw new GatewayFailure(
			'answer',
			'The model gave no answer: the gateway withheld it (content_filter)',
			'Put the question in other words, or choose another model.',
			{ partial: { ...answer } },
		);
	}
	if (finishReason === 'length') {
		throw new GatewayFailure(
			'answer',
			'The model used up Max Tokens before it said anything',
			'Raise Max Tokens in the options of the chat model: models that think need room for their thoughts, too.',
			{ partial: { ...answer } },
		);
	}
}

function brokenCall(answer: ChatAnswer, { name }: ToolCall): GatewayFailure {
	const facts = { partial: { ...answer } };
	if (answer.finishReason !== 'length') {
		return answerFailure(`the model calls the tool "${name}" with something else than a JSON object`, facts);
	}
	return new GatewayFailure(
		'answer',
		`The answer was cut off while the model was calling the tool "${name}"`,
		'Raise Max Tokens in the options of the chat model. The tool was not run.',
		facts,
	);
}
