import type { Answer, ToolCall } from '../chat/conversation';
import { deltasOf } from '../chat/tokens';
import type { StreamEvent } from '../http/eventStream';
import { type AnswerContext, type AnswerFormat, jsonDeltas } from './answerFormat';

const stopReasons = {
	stop: 'end_turn',
	stopSequence: 'stop_sequence',
	length: 'max_tokens',
	toolCalls: 'tool_use',
};

function toolBlock({ id, name }: ToolCall, input: unknown) {
	return { type: 'tool_use', id: `toolu_${id}`, name, input };
}

function content({ text, toolCalls }: Answer): object[] {
	if (toolCalls.length === 0) return [{ type: 'text', text }];
	return toolCalls.map((call) => toolBlock(call, call.arguments));
}

function message(answer: Answer, { model }: AnswerContext) {
	return {
		id: `msg_${answer.id}`,
		type: 'message',
		role: 'assistant',
		model,
		content: content(answer),
		stop_reason: stopReasons[answer.ending],
		stop_sequence: answer.stopSequence,
		usage: { input_tokens: answer.inputTokens, output_tokens: answer.outputTokens },
	};
}

function blockEvents(index: number, block: object, deltas: object[]): object[] {
	return [
		{ type: 'content_block_start', index, content_block: block },
		...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
}

function contentEvents({ text, toolCalls }: Answer): object[] {
	if (toolCalls.length === 0) {
		const deltas = deltasOf(text).map((part) => ({ type: 'text_delta', text: part }));
		return blockEvents(0, { type: 'text', text: '' }, deltas);
	}
	return toolCalls.flatMap((call, index) => {
		const deltas = jsonDeltas(call.arguments);
		return blockEvents(
			index,
			toolBlock(call, {}),
			deltas.map((part) => ({ type: 'input_json_delta', partial_json: part })),
		);
	});
}

/** The message object of section 2.4; in streams every event has a name and repeats it as `type`. */
export const messagesFormat: AnswerFormat = {
	whole: message,
	events: (answer, context) => {
		const whole = message(answer, context);
		const events = [
			{
				type: 'message_start',
				message: {
					...whole,
					content: [],
					stop_reason: null,
					stop_sequence: null,
					usage: { input_tokens: answer.inputTokens, output_tokens: 1 },
				},
			},
			{ type: 'ping' },
			...contentEvents(answer),
			{
				type: 'message_delta',
				delta: { stop_reason: whole.stop_reason, stop_sequence: whole.stop_sequence },
				usage: { output_tokens: answer.outputTokens },
			},
			{ type: 'message_stop' },
		];
		return events.map((data): StreamEvent => ({
			name: 'type' in data ? String(data.type) : undefined,
			data,
		}));
	},
};
