import { type Answer, textBlocksOf, type ToolCall } from '../chat/conversation';
import { deltasOf } from '../chat/tokens';
import type { StreamEvent } from '../http/streamEvent';
import { type AnswerContext, type AnswerFormat, jsonDeltas } from './answerFormat';
import { signatureOf } from './thinking';

const stopReasons: Record<Answer['ending'], string> = {
	stop: 'end_turn',
	stopSequence: 'stop_sequence',
	length: 'max_tokens',
	toolCalls: 'tool_use',
	refusal: 'refusal',
	filtered: 'refusal',
	blocked: 'refusal',
};

function toolBlock({ id, name }: ToolCall, input: unknown) {
	return { type: 'tool_use', id: `toolu_${id}`, name, input };
}

function content(answer: Answer): object[] {
	const { thinking, toolCalls, ending } = answer;
	if (ending === 'blocked') return [];
	return [
		...(thinking ? [{ type: 'thinking', thinking, signature: signatureOf(answer.id) }] : []),
		...(toolCalls.length > 0 ? [] : textBlocksOf(answer).map((text) => ({ type: 'text', text }))),
		...toolCalls.map((call) => toolBlock(call, call.arguments)),
	];
}

function usage({ inputTokens, outputTokens }: Answer, { cached }: AnswerContext) {
	if (!cached) return { input_tokens: inputTokens, output_tokens: outputTokens };
	return {
		// The tokens of the cache are counted separately.
		input_tokens: inputTokens - cached.read - cached.written,
		cache_creation_input_tokens: cached.written,
		cache_read_input_tokens: cached.read,
		output_tokens: outputTokens,
	};
}

function message(answer: Answer, context: AnswerContext) {
	return {
		id: `msg_${answer.id}`,
		type: 'message',
		role: 'assistant',
		model: context.model,
		content: content(answer),
		stop_reason: stopReasons[answer.ending],
		stop_sequence: answer.stopSequence,
		usage: usage(answer, context),
	};
}

function blockEvents(index: number, block: object, deltas: object[]): object[] {
	return [
		{ type: 'content_block_start', index, content_block: block },
		...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
		{ type: 'content_block_stop', index },
	];
}

function thinkingEvents(answer: Answer): object[] {
	if (!answer.thinking) return [];
	return blockEvents(0, { type: 'thinking', thinking: '', signature: '' }, [
		...deltasOf(answer.thinking).map((part) => ({ type: 'thinking_delta', thinking: part })),
		{ type: 'signature_delta', signature: signatureOf(answer.id) },
	]);
}

function textEvents(text: string, index: number): object[] {
	const deltas = deltasOf(text).map((part) => ({ type: 'text_delta', text: part }));
	return blockEvents(index, { type: 'text', text: '' }, deltas);
}

function callEvents(call: ToolCall, index: number): object[] {
	const deltas = jsonDeltas(call.arguments).map((part) => ({ type: 'input_json_delta', partial_json: part }));
	return blockEvents(index, toolBlock(call, {}), deltas);
}

function contentEvents(answer: Answer): object[] {
	const { toolCalls, ending } = answer;
	if (ending === 'blocked') return [];
	const first = answer.thinking ? 1 : 0;
	const texts = toolCalls.length > 0 ? [] : textBlocksOf(answer);
	return [
		...thinkingEvents(answer),
		...texts.flatMap((text, index) => textEvents(text, first + index)),
		...toolCalls.flatMap((call, index) => callEvents(call, first + index)),
	];
}

/** The message object of section 2.4; in streams, every event has a name and repeats it as `type`. */
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
					usage: { ...whole.usage, output_tokens: 1 },
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
