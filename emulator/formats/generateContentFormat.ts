import { type Answer, textBlocksOf } from '../chat/conversation';
import { deltasOf } from '../chat/tokens';
import type { AnswerContext, AnswerFormat } from './answerFormat';
import { signatureOf } from './thinking';

const finishReasons: Record<Answer['ending'], string> = {
	stop: 'STOP',
	stopSequence: 'STOP',
	length: 'MAX_TOKENS',
	toolCalls: 'STOP',
	refusal: 'STOP',
	filtered: 'SAFETY',
	blocked: 'STOP',
};
/** Streams of this format send longer chunks than the other formats. */
const deltasPerChunk = 8;

const callParts = ({ toolCalls, thinking }: Answer) =>
	toolCalls.map(({ name, arguments: args }, index) => ({
		functionCall: { name, args },
		// Of the calls that come together, the first one carries the signature of the reasoning.
		...(thinking && index === 0 ? { thoughtSignature: signatureOf(name) } : {}),
	}));

function usageMetadata({ inputTokens, outputTokens }: Answer) {
	return {
		promptTokenCount: inputTokens,
		candidatesTokenCount: outputTokens,
		totalTokenCount: inputTokens + outputTokens,
	};
}

function response(answer: Answer, { model }: AnswerContext, parts: object[], isLast: boolean) {
	const { ending, id } = answer;
	const candidate = {
		content: { role: 'model', parts },
		...(isLast ? { finishReason: finishReasons[ending] } : {}),
		index: 0,
	};
	return {
		...(ending === 'blocked' ? { promptFeedback: { blockReason: 'SAFETY' } } : { candidates: [candidate] }),
		...(isLast ? { usageMetadata: usageMetadata(answer) } : {}),
		modelVersion: model,
		responseId: id,
	};
}

const thoughtParts = ({ thinking }: Answer) => (thinking ? [{ text: thinking, thought: true }] : []);

function parts(answer: Answer): object[] {
	const { toolCalls } = answer;
	const said = toolCalls.length > 0 ? callParts(answer) : textBlocksOf(answer).map((text) => ({ text }));
	return [...thoughtParts(answer), ...said];
}

function streamedParts(answer: Answer): object[][] {
	if (answer.ending === 'blocked') return [[]];
	if (answer.toolCalls.length > 0) return [parts(answer)];
	const deltas = deltasOf(answer.text);
	const chunks: object[][] = thoughtParts(answer).map((part) => [part]);
	for (let start = 0; start < deltas.length; start += deltasPerChunk) {
		chunks.push([{ text: deltas.slice(start, start + deltasPerChunk).join('') }]);
	}
	return chunks.length > 0 ? chunks : [[{ text: '' }]];
}

/** The generate-content response of section 2.5; a stream is a sequence of such responses, the last with the usage. */
export const generateContentFormat: AnswerFormat = {
	whole: (answer, context) => response(answer, context, parts(answer), true),
	events: (answer, context) =>
		streamedParts(answer).map((chunk, index, all) => ({
			data: response(answer, context, chunk, index === all.length - 1),
		})),
};
