import type { Answer, ToolCall } from '../chat/conversation';
import { deltasOf } from '../chat/tokens';
import { type AnswerContext, type AnswerFormat, jsonDeltas } from './answerFormat';

const finishReasons = { stop: 'stop', stopSequence: 'stop', length: 'length', toolCalls: 'tool_calls' };

function usage({ inputTokens, outputTokens }: Answer) {
	return {
		prompt_tokens: inputTokens,
		completion_tokens: outputTokens,
		total_tokens: inputTokens + outputTokens,
	};
}

const callId = ({ id }: ToolCall) => `call_${id}`;

function message({ text, toolCalls }: Answer) {
	if (toolCalls.length === 0) return { role: 'assistant', content: text };
	return {
		role: 'assistant',
		content: null,
		tool_calls: toolCalls.map((call) => ({
			id: callId(call),
			type: 'function',
			function: { name: call.name, arguments: JSON.stringify(call.arguments) },
		})),
	};
}

function deltas({ text, toolCalls }: Answer): object[] {
	if (toolCalls.length === 0) return deltasOf(text).map((content) => ({ content }));
	return toolCalls.flatMap((call, index) => [
		{
			tool_calls: [
				{ index, id: callId(call), type: 'function', function: { name: call.name, arguments: '' } },
			],
		},
		...jsonDeltas(call.arguments).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
	]);
}

const common = (answer: Answer, { model, created }: AnswerContext, object: string) => ({
	id: `chatcmpl-${answer.id}`,
	object,
	created,
	model,
});

/** Format A: the chat completion of section 2.3. */
export const chatFormat: AnswerFormat = {
	whole: (answer, context) => ({
		...common(answer, context, 'chat.completion'),
		choices: [{ index: 0, message: message(answer), finish_reason: finishReasons[answer.ending] }],
		usage: usage(answer),
	}),
	events: (answer, context, { includeUsage, nullUsage }) => {
		const head = common(answer, context, 'chat.completion.chunk');
		const chunk = (delta: object, finishReason: string | null = null) => ({
			...head,
			choices: [{ index: 0, delta, finish_reason: finishReason }],
			...(nullUsage ? { usage: null } : {}),
		});
		const content = answer.toolCalls.length > 0 ? null : '';
		return [
			chunk({ role: 'assistant', content }),
			...deltas(answer).map((delta) => chunk(delta)),
			chunk({}, finishReasons[answer.ending]),
			...(includeUsage ? [{ ...head, choices: [], usage: usage(answer) }] : []),
		].map((data) => ({ data }));
	},
};
