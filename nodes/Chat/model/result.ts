import { randomUUID } from 'crypto';
import { shortMessage } from '../../shared/failure/errorBody';
import { answerFailure } from '../../shared/failure/words';
import { GatewayFailure } from '../../shared/failure/failure';
import { asRecord, entryOf, type Fields, isBlank } from '../../shared/plain/values';
import {
	checkCalls,
	simplifiedOutput,
	type ChatAnswer,
	type ToolCall,
	withUniqueIds,
} from '../formats/answer';
import type { TokenCounts } from '../../shared/answer/usage';
import type { SdkContent, SdkFinishReason, SdkResult, SdkTokenUsage } from '../sdk';

const FINISH_REASONS: Record<string, SdkFinishReason> = {
	stop: 'stop',
	empty: 'stop',
	length: 'length',
	tool_calls: 'tool-calls',
	content_filter: 'content-filter',
	refusal: 'content-filter',
};

/** Returns the text of an answer, or of a refusal. */
export function contentText({ text, refusal }: ChatAnswer): string {
	return text === '' ? (refusal ?? '') : text;
}

/** Returns the answer for the SDK. @throws GatewayFailure like {@link usableCalls} and {@link checkContent} */
export function resultOf(answer: ChatAnswer): SdkResult {
	const calls = usableCalls(answer);
	checkContent(answer);
	const text = contentText(answer);
	const content: SdkContent[] = [
		...(text === '' ? [] : [{ type: 'text', text }]),
		...calls.map(({ id, name, arguments: given }) => ({
			type: 'tool-call',
			toolCallId: id,
			toolName: name,
			input: JSON.stringify(given),
		})),
	];
	const id = answer.id ?? undefined;
	return {
		id,
		finishReason: finishReasonOf(answer),
		usage: sdkUsageOf(answer),
		message: { role: 'assistant', id, content },
		providerMetadata: metadataOf(answer),
	};
}

/** Returns the parts of an answer that the SDK has no field for. */
export function metadataOf({ finishReason, model, reasoning, cost }: ChatAnswer): Record<string, unknown> {
	return {
		finish_reason: finishReason,
		answeredBy: model,
		// Reasoning is not part of the content, because chains would turn it into text of the answer.
		...(reasoning ? { reasoning } : {}),
		...(cost === undefined ? {} : { cost }),
	};
}

/** Returns why the answer ended, in the SDK's terms. */
export function finishReasonOf({ finishReason }: ChatAnswer): SdkFinishReason {
	return entryOf(FINISH_REASONS, finishReason) ?? 'other';
}

/** Returns the usage in the SDK's terms; undefined if the gateway reports none. */
export function sdkUsageOf({
	inputTokens,
	outputTokens,
	totalTokens,
}: TokenCounts): SdkTokenUsage | undefined {
	if (inputTokens === null && outputTokens === null) return undefined;
	const [promptTokens, completionTokens] = [inputTokens ?? 0, outputTokens ?? 0];
	return { promptTokens, completionTokens, totalTokens: totalTokens ?? promptTokens + completionTokens };
}

/** Gives the tool calls of an answer unique IDs: some gateways send none, or the same one in every answer. */
export function withUniqueCallIds(
	answer: ChatAnswer,
	isTaken: (id: string) => boolean = () => false,
): ChatAnswer {
	if (!answer.toolCalls) return answer;
	const newId = () => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
	return { ...answer, toolCalls: withUniqueIds(answer.toolCalls, newId, isTaken) };
}

/** Returns the tool calls that the model requests. @throws GatewayFailure for incomplete arguments */
export function usableCalls(answer: ChatAnswer): Array<ToolCall & { arguments: Fields }> {
	checkCalls(answer);
	return (answer.toolCalls ?? []).map((call) => {
		const given = asRecord(call.arguments);
		if (given) return { ...call, arguments: given };
		const facts = { partial: simplifiedOutput(answer) };
		throw answerFailure(`the arguments of the tool call "${call.name}" are not a JSON object`, facts);
	});
}

/** Accepts an empty answer, which may be intended. @throws GatewayFailure if it was withheld or cut off */
export function checkContent(answer: ChatAnswer): void {
	const { text, refusal, finishReason, toolCalls = [] } = answer;
	// A refusal is an answer of the model, unlike the words for a fault or a filter.
	const isRefusal = finishReason === 'refusal' && contentText(answer) !== '';
	if (!isBlank(text) || isRefusal || toolCalls.length > 0) return;
	const failed = (message: string, advice: string) =>
		new GatewayFailure('answer', message, advice, { partial: simplifiedOutput(answer) });
	const why = refusal ? `${finishReason}: ${shortMessage(refusal)}` : finishReason;
	if (finishReason === 'content_filter') {
		throw failed(
			`The gateway withheld the answer of the model (${why})`,
			'Rephrase the prompt, or choose another model.',
		);
	}
	if (finishReason === 'length') {
		throw failed(
			'The model reached Max Tokens before it wrote any text',
			'Increase Max Tokens in the options of the chat model. Models that reason need tokens for their reasoning as well.',
		);
	}
	// An agent cannot see why an answer is empty.
	if (!['stop', 'empty', 'tool_calls'].includes(finishReason)) {
		throw failed(`The model gave no answer (${why})`, 'Run the agent again, or choose another model.');
	}
}
