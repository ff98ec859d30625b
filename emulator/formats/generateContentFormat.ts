import type { Answer } from '../chat/conversation';
import { deltasOf } from '../chat/tokens';
import type { AnswerContext, AnswerFormat } from './answerFormat';

const finishReasons = { stop: 'STOP', stopSequence: 'STOP', length: 'MAX_TOKENS', toolCalls: 'STOP' };
/** Streams of this format send longer pieces than the others. */
const deltasPerChunk = 8;

const callParts = ({ toolCalls }: Answer) =>
	toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }));

function usageMetadata({ inputTokens, outputTokens }: Answer) {
	return {
		promptTokenCount: inputTokens,
		candidatesTokenCount: outputTokens,
		totalTokenCount: inputTokens + outputTokens,
	};
}

function response(answer: Answer, { model }: AnswerContext, parts: object[], isLast: boolean) {
	return {
		candidates: [
			{
				content: { role: 'model', parts },
				...(isLast ? { finishReason: finishReasons[answer.ending] } : {}),
				index: 0,
			},
		],
		...(isLast ? { usageMetadata: usageMetadata(answer) } : {}),
		modelVersion: model,
		responseId: answer.id,
	};
}

function streamedParts(answer: Answer): object[][] {
	if (answer.toolCalls.length > 0) return [callParts(answer)];
	const deltas = deltasOf(answer.text);
	const chunks = [];
	for (let start = 0; start < deltas.length; start += deltasPerChunk) {
		chunks.push([{ text: deltas.slice(start, start + deltasPerChunk).join('') }]);
	}
	return chunks.length > 0 ? chunks : [[{ text: '' }]];
}

/** The generate-content response of section 2.5; its streams are rows of such responses, the last one with the usage. */
export const generateContentFormat: AnswerFormat = {
	whole: (answer, context) => {
		const parts = answer.toolCalls.length > 0 ? callParts(answer) : [{ text: answer.text }];
		return response(answer, context, parts, true);
	},
	events: (answer, context) =>
		streamedParts(answer).map((parts, index, all) => ({
			data: response(answer, context, parts, index === all.length - 1),
		})),
};
