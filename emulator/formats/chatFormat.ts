import type { Answer, ToolCall } from '../chat/conversation';
import { countTokens, deltasOf } from '../chat/tokens';
import { type AnswerContext, type AnswerFormat, jsonDeltas } from './answerFormat';

const finishReasons: Record<Answer['ending'], string> = {
	stop: 'stop',
	stopSequence: 'stop',
	length: 'length',
	toolCalls: 'tool_calls',
	refusal: 'stop',
	filtered: 'content_filter',
	blocked: 'content_filter',
};

function usage({ inputTokens, outputTokens, thinking }: Answer) {
	const details = thinking ? { completion_tokens_details: { reasoning_tokens: countTokens(thinking) } } : {};
	return {
		prompt_tokens: inputTokens,
		completion_tokens: outputTokens,
		total_tokens: inputTokens + outputTokens,
		...details,
	};
}

const callId = ({ id }: ToolCall) => `call_${id}`;

const reasoning = ({ thinking }: Answer) => (thinking ? { reasoning_content: thinking } : {});

function message(answer: Answer) {
	const { text, toolCalls, ending } = answer;
	const common = { role: 'assistant', ...reasoning(answer) };
	if (ending === 'refusal') return { ...common, content: null, refusal: text };
	if (toolCalls.length === 0) return { ...common, content: text };
	return {
		...common,
		content: null,
		tool_calls: toolCalls.map((call) => ({
			id: callId(call),
			type: 'function',
			function: { name: call.name, arguments: JSON.stringify(call.arguments) },
		})),
	};
}

function deltas({ text, toolCalls, thinking, ending }: Answer): object[] {
	const thoughts = deltasOf(thinking).map((part) => ({ reasoning_content: part }));
	if (ending === 'refusal') return [...thoughts, ...deltasOf(text).map((refusal) => ({ refusal }))];
	if (toolCalls.length === 0) return [...thoughts, ...deltasOf(text).map((content) => ({ content }))];
	const calls = toolCalls.flatMap((call, index) => [
		{
			tool_calls: [
				{ index, id: callId(call), type: 'function', function: { name: call.name, arguments: '' } },
			],
		},
		...jsonDeltas(call.arguments).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
	]);
	return [...thoughts, ...calls];
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
		// A blocked question has no choices in its answer.
		choices:
			answer.ending === 'blocked'
				? []
				: [{ index: 0, message: message(answer), finish_reason: finishReasons[answer.ending] }],
		usage: usage(answer),
	}),
	events: (answer, context, { includeUsage }) => {
		const head = common(answer, context, 'chat.completion.chunk');
		const chunk = (delta: object, finishReason: string | null = null) => ({
			...head,
			choices: [{ index: 0, delta, finish_reason: finishReason }],
		});
		const content = answer.toolCalls.length > 0 || answer.ending === 'refusal' ? null : '';
		const chunks = [
			chunk({ role: 'assistant', content }),
			...deltas(answer).map((delta) => chunk(delta)),
			chunk({}, finishReasons[answer.ending]),
		];
		return [
			...(answer.ending === 'blocked' ? [] : chunks),
			...(includeUsage ? [{ ...head, choices: [], usage: usage(answer) }] : []),
		].map((data) => ({ data }));
	},
};
