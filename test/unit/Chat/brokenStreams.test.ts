import { Readable } from 'node:stream';
import { ApplicationError } from 'n8n-workflow';
import { ChatReader, readChatAnswer } from '../../../nodes/Chat/formats/readAnswer';
import { KEPT_ANSWER_LENGTH } from '../../../nodes/shared/plain/budgets';
import { inChunks } from '../answerOf';
import { chunk as choice, event, eventsOf, failureOf, readStream, streamOf } from './readStream';
import { readEvents, readJsonEvents } from '../../../nodes/Chat/formats/eventStream';
import { errorIn, isProgress } from '../../../nodes/Chat/formats/streamError';

const RESET = new Error('ECONNRESET');

const partialOf = async (events: unknown[], error?: Error) =>
	(await failureOf(events, { error })).facts.partial;

const call = (fields: object) => choice({ tool_calls: [{ index: 0, ...fields }] });
const block = (index: number, content: object, delta: object) => [
	{ type: 'content_block_start', index, content_block: content },
	{ type: 'content_block_delta', index, delta },
];
const part = (fields: object, index = 0, more: object = {}) => ({
	responseId: 'c1',
	candidates: [{ index, content: { parts: [fields] }, ...more }],
});

const inputDelta = (json: string) => ({ type: 'input_json_delta', partial_json: json });
const choicesOf = (...messages: object[]) => ({ choices: messages.map((message) => ({ message })) });

it('A stream of another attempt begins anew', async () => {
	const reader = new ChatReader(true);
	const read = async (events: object[], error?: Error) =>
		await reader.read(streamOf(eventsOf(events), { error }));
	for (const text of ['One', 'On']) {
		const broken = read([choice({ content: text })], RESET);
		await expect(broken).rejects.toMatchObject({ facts: { partial: { id: 'c1', text } } });
	}
	const body = await read([choice({ content: 'Once' }), choice({}, 'stop')]);
	expect(readChatAnswer(body, 'm').text).toBe('Once');
});

it('A stream has at most 2 million events, also empty ones', async () => {
	expect((await failureOf('\n'.repeat(2_000_001))).message).toContain('it has more than 2000000 events');
});

it('A stream has at most 500,000 values, also inside others', async () => {
	const failure = await failureOf([choice({ content: 'On', extra: [Array(500_001).fill(0)] })]);
	expect(failure.message).toContain('more than 500000 values');
});

describe('A stream that breaks off keeps', () => {
	it.each<[string, object[], object]>([
		[
			'reasoning, text, and the arguments of a tool call of the chat format',
			[
				choice({ reasoning_content: 'Hm' }),
				choice({ reasoning_content: 'm.' }),
				choice({ content: 'Look' }),
				call({ id: 't', function: { name: 'look', arguments: '{"at":' } }),
				call({ function: { arguments: ' "sk' } }),
			],
			{
				...{ text: 'Look', reasoning: 'Hmm.' },
				toolCalls: [{ id: 't', name: 'look', arguments: '{"at": "sk' }],
			},
		],
		['a refusal', [choice({ refusal: 'I can' }), choice({ refusal: 'not' })], { refusal: 'I cannot' }],
		[
			'all choices of the chat format, with everything in them',
			[
				choice({ content: 'One' }),
				choice({ content: 'Two', reasoning_content: 'Hm' }, null, 1),
				choice({ refusal: 'No' }, null, 2),
			],
			{
				...{ text: 'One', alternatives: ['Two', ''] },
				answer: choicesOf({ content: 'One' }, { content: 'Two', reasoning_content: 'Hm' }, { refusal: 'No' }),
			},
		],
		// Neither is shown as it arrives.
		['text of another choice', [choice({ content: 'Two' }, null, 1)], { text: 'Two' }],
		['text of a list', [choice({ content: [{ type: 'text', text: 'Once' }] })], { text: 'Once' }],
		[
			'reasoning, text, and the input of a tool call of the messages format',
			[
				{ type: 'message_start', message: { id: 'c1', content: [], usage: { input_tokens: 1 } } },
				block(0, {}, { type: 'thinking_delta', thinking: 'Hm' })[1],
				...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Look' }),
				...block(2, { type: 'tool_use', id: 't', name: 'look', input: {} }, inputDelta('{"at": "s')),
				...block(3, { type: 'map' }, { type: 'text_delta', text: '' }),
			],
			{
				...{ text: 'Look', reasoning: 'Hm', otherContent: [{ type: 'map', text: '' }] },
				toolCalls: [{ id: 't', name: 'look', arguments: '{"at": "s' }],
			},
		],
		[
			'thoughts, text, a tool call, and the second candidate of the generate-content format',
			[
				part({ text: 'Hm', thought: true }),
				part({ text: 'Look' }),
				part({ functionCall: { name: 'look', args: { at: 'sky' } } }),
				part({ text: 'Two' }, 1),
			],
			{
				...{ text: 'Look', reasoning: 'Hm', alternatives: ['Two'] },
				toolCalls: [{ id: 'call_0', name: 'look', arguments: { at: 'sky' } }],
				answer: { candidates: [{}, { content: { parts: [{ text: 'Two' }] } }] },
			},
		],
		[
			'the answer as it was sent, if it cannot be read',
			[choice({ tool_calls: [{ index: 0, id: 'half' }] })],
			{ answer: choicesOf({ tool_calls: [{ id: 'half' }] }) },
		],
	])('%s', async (_what, events, { answer, ...expected }: { answer?: object }) => {
		for (const error of [RESET, undefined]) {
			const { answer: kept, ...others } = (await partialOf(events, error))!;
			expect(others).toEqual({ id: 'c1', ...expected });
			if (answer) expect(kept).toMatchObject(answer);
			else expect(kept).toBeUndefined();
		}
		expect((await failureOf(events)).kind).toBe('interrupted');
	});

	it('an event without its last line end, as far as it arrived', async () => {
		const whole = event(choice({ content: 'Once' })) + event(choice({ content: ' more' })).trimEnd();
		for (const error of [RESET, undefined]) {
			const all = await failureOf(whole, { error });
			expect(all.facts.partial).toEqual({ id: 'c1', text: 'Once more' });
			const half = await failureOf(whole.slice(0, -28), { error });
			const event = expect.stringContaining('"content":" mo');
			expect(half.facts.partial).toEqual({ id: 'c1', text: 'Once', event });
		}
	});

	it('no more than the first 100,000 characters of what is not its text', async () => {
		const long = 'x'.repeat(KEPT_ANSWER_LENGTH + 1);
		const partial = await partialOf([choice({ reasoning_content: long }), choice({ content: long })], RESET);
		expect(partial?.text).toBe(long);
		expect((partial?.reasoning as string).length).toBeLessThanOrEqual(KEPT_ANSWER_LENGTH);
		const half = `{${long.slice(0, KEPT_ANSWER_LENGTH / 2)}`;
		const { facts } = await failureOf([half, half]);
		expect(facts.partial).toEqual({ event: `${half}\n${half}`.slice(0, KEPT_ANSWER_LENGTH) });
	});
});

describe('A stream with a damaged event', () => {
	const DAMAGED = '{"choices":[{"index":0,"delta":{"content":"mo';

	it.each([
		['[DONE]', choice({ content: 'Two' }), '[DONE]'],
		['a finish reason', choice({ content: 'Two' }, 'stop')],
	])('fails, and keeps all that arrived until %s', async (_end, ...others) => {
		expect(await failureOf([choice({ content: 'One' }), DAMAGED, ...others])).toMatchObject({
			kind: 'answer',
			message: expect.stringContaining(
				'an event in its stream cannot be read: it is not valid JSON, or it was cut off',
			),
			charge: 'certain',
			facts: { partial: { text: 'OneTwo', event: DAMAGED } },
		});
	});

	it('succeeds if the answer had ended, or if the event never was a JSON object', async () => {
		const end = event(choice({ content: 'Once' }, 'stop', 0));
		const done = event('[DONE]');
		for (const text of [end + event(DAMAGED) + done, event('ping {1}') + event('"text') + end + done]) {
			const body = await new ChatReader(true).read(streamOf(text));
			expect(body).toMatchObject({ choices: [{ message: { content: 'Once' } }] });
		}
	});
});

describe('After the end of the answer, a stream', () => {
	const events = event(choice({ content: 'Once' }, 'stop')) + event(choice({ content: '!' }));

	it.each([
		['in the code that reads it', new TypeError('A fault')],
		['of n8n', new ApplicationError('Gone')],
	])('keeps the whole answer with a fault %s', async (_where, fault) => {
		let answers = 0;
		const reader = new ChatReader(true, async () => {
			if (answers++ > 0) throw fault;
		});
		const error: unknown = await reader.read(streamOf(events)).catch((thrown: unknown) => thrown);
		expect(error).toBe(fault);
		expect(reader.withArrived(error).facts.partial).toEqual({ id: 'c1', text: 'Once!' });
	});

	it('succeeds if it has an event that is too long', async () => {
		const body = await new ChatReader(true).read(streamOf(events + 'x'.repeat(16_000_001)));
		expect(body).toMatchObject({ choices: [{ message: { content: 'Once!' } }] });
	});
});

describe('A stream with an error', () => {
	it('keeps what its last event says beside the error, even if it looks like the end', async () => {
		const last = { ...choice({ content: 'more' }, 'error', 0), error: { message: 'boom' } };
		const failure = await failureOf([choice({ content: 'Once' }), '{damaged', last]);
		expect(failure).toMatchObject({ kind: 'answer', facts: { gatewayMessage: 'boom' } });
		const event = `{damaged\n${JSON.stringify(last)}`;
		expect(failure.facts.partial).toEqual({ id: 'c1', text: 'Once', event });
	});

	it.each<[string, object[]]>([
		['before it', [{ choices: [], usage: { completion_tokens: 400 } }, { error: { code: 503 } }]],
		['before it (Gemini)', [{ usageMetadata: { candidatesTokenCount: 4 } }, { error: { code: 503 } }]],
		['in it', [{ error: { code: 503 }, usage: { output_tokens: 400 } }]],
	])('may have been paid for when tokens of output are reported %s', async (_where, events) => {
		expect(await failureOf(events)).toMatchObject({
			facts: { status: 503 },
			verdict: { charge: 'possible', again: 'never' },
		});
	});

	const [once, busy] = [
		part({ text: 'Once' }),
		{ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } },
	];
	const ended = part({ text: 'Once' }, 0, { finishReason: 'STOP' });
	it.each([
		['be a JSON list of the events', JSON.stringify([once, busy]), 'application/json'],
		// Gemini (vercel/ai#5217).
		['end with an error over several lines', event(ended) + JSON.stringify(busy, null, 2), ''],
		['end with one, and more', `${event(once)}${JSON.stringify(busy, null, 2)}\n${event(ended)}`, ''],
	])('may %s', async (_what, sent, contentType) => {
		expect(await failureOf(sent, { contentType })).toMatchObject({
			kind: 'gateway',
			facts: { status: 503, gatewayMessage: 'Busy', partial: { text: 'Once' } },
		});
	});

	it('may have an error over several lines before it begins', async () => {
		const failure = await failureOf(`: PING\n\n${JSON.stringify(busy, null, 2)}`);
		expect(failure).toMatchObject({ kind: 'gateway', verdict: { charge: 'none' } });
	});

	it('may have at most 128 MB, also if it never ends', async () => {
		const pings = Buffer.from(`: ${'x'.repeat(999_997)}\n`);
		let sent = 0;
		const body = Readable.from(
			(function* () {
				while (++sent < 200) yield pings;
			})(),
		);
		const answer = { ...streamOf(''), body };
		await expect(new ChatReader(false).read(answer)).rejects.toThrow('it is longer than 128 MB');
		expect(sent).toBeLessThan(200);
	});

	it.each(['application/json', 'text/plain', 'text/event-stream'])(
		'may be a sentence as a JSON string: %s',
		async (contentType) => {
			const answer = 'The model is currently loading';
			expect(await failureOf(JSON.stringify(answer), { contentType })).toMatchObject({
				kind: 'answer',
				message: expect.stringContaining(answer),
				facts: { gatewayMessage: answer, partial: { answer } },
			});
		},
	);

	it('has the words of an error that is not an event, or of the first choice', async () => {
		expect(await failureOf(JSON.stringify({ error: { message: 'Busy', code: 429 } }))).toMatchObject({
			kind: 'rateLimit',
			message: expect.stringContaining('Busy'),
		});
		const partial = { id: 'c1', text: 'On' };
		const started = choice({ content: 'On' });
		for (const words of ['[ERROR] Upstream died', 'Error: Upstream died']) {
			expect(await failureOf([started, words])).toMatchObject({
				message: expect.stringContaining('Upstream died'),
				charge: 'certain',
				facts: { partial },
			});
		}
		const error = { message: 'Down', code: 502 };
		const failed = { choices: [{ index: 0, delta: {}, finish_reason: 'error', error }] };
		expect(await failureOf([started, failed])).toMatchObject({
			message: expect.stringContaining('Down'),
			facts: { partial },
		});
		const whole = { choices: [{ message: { content: '' }, error: { message: 'Down', code: 429 } }] };
		const failure = await failureOf(JSON.stringify(whole), { contentType: 'application/json' });
		expect(failure).toMatchObject({ kind: 'rateLimit', message: expect.stringContaining('Down') });
		expect(failure.isFree).toBe(true);
		const begun = { choices: [{ message: { content: 'On' }, error }] };
		const { facts } = await failureOf(JSON.stringify(begun), { contentType: 'application/json' });
		expect(facts).toMatchObject({ gatewayMessage: 'Down', partial: { answer: begun } });
	});
});

const collect = async (values: AsyncIterable<unknown>) => await Readable.from(values).toArray();

describe('Event streams', () => {
	it('may have an error in a field of its own (vLLM)', async () => {
		const stream = inChunks(Buffer.from('error: {"code":400}\n\n'), [100]);
		expect(await collect(readEvents(stream))).toEqual([{ event: 'error', data: '{"code":400}' }]);
	});

	it.each([
		['[DONE]', event('ping') + event({ a: 1 }) + event('[DONE]') + event({}), [{ a: 1 }, '[DONE]']],
		[
			'message_stop',
			event({ type: 'message_stop' }, 'message_stop') + event({ a: 2 }),
			[{ type: 'message_stop' }],
		],
		['the last event', event({ a: 1 }), [{ a: 1 }]],
	])('end at %s', async (_name, stream, events) => {
		expect(await collect(readJsonEvents(inChunks(Buffer.from(stream), [5])))).toEqual(events);
	});

	it('read an endless line once and give up at 16 million characters', async () => {
		async function* pieces() {
			const piece = Buffer.alloc(500, 'x');
			for (let index = 0; index < 40_000; index++) yield piece;
		}
		await expect(collect(readEvents(pieces()))).rejects.toThrow('an event in it is too long');
	});
});

/** The failure for an event that comes after a part of the answer. */
const failureIn = (...event: Parameters<typeof errorIn>) => errorIn(...event)?.toFailure(true);

describe('An error in a stream', () => {
	it.each([
		// What else stands for a status is in the tests of failures.
		[{ type: 'invalid_request_error' }, 'request', 400],
		[{ code: 'rate_limit_exceeded' }, 'rateLimit', 429],
		[{ type: 'server_error', code: '' }, 'gateway', 500],
		[{ type: 'odd' }, 'answer', 200],
	])('%j is of kind %s, as with status %s', (error, kind, status) => {
		const failure = failureIn({ error: { ...error, message: 'No' } });
		expect(failure).toMatchObject({ kind, facts: { gatewayMessage: 'No' }, isFree: false });
		expect(failure?.facts.status ?? 200).toBe(status);
		expect(failure?.facts.partial).toBeUndefined();
	});

	it.each([
		['a call without arguments', call({ id: 'a', function: { name: 'weather', arguments: '' } })],
		['a function without arguments', choice({ function_call: { name: 'weather', arguments: '' } })],
		[
			'a call of the messages format',
			block(0, { type: 'tool_use', id: 'a', name: 'weather', input: {} }, {})[0],
		],
		['a call of generate content', part({ functionCall: { name: 'weather' } })],
		['thoughts', { candidates: [], usageMetadata: { thoughtsTokenCount: 300 } }],
		['tokens (Groq)', { ...choice({}), x_groq: { usage: { completion_tokens: 3 } } }],
	])('after %s may be paid for', async (_what, begun) => {
		const failure = await failureOf([begun, { error: { message: 'slow', code: 429 } }]);
		expect(failure.charge).toBe('possible');
	});

	it('may be a text, or an event of that name with a text', () => {
		const facts = { gatewayMessage: 'Busy' };
		expect(failureIn({ error: 'Busy' })).toMatchObject({ kind: 'answer', facts });
		expect(failureIn('Busy', 'error')).toMatchObject({ kind: 'answer', facts });
		const overloaded = { type: 'overloaded_error', message: 'Busy' };
		expect(failureIn(overloaded, 'error')).toMatchObject({ kind: 'gateway', facts });
	});

	it('is a mere rejection when it is the first event', () => {
		const failure = errorIn({ error: { message: 'Slow down', code: 429 } })?.toFailure(false);
		expect(failure).toMatchObject({ kind: 'rateLimit', facts: { status: 429 } });
		expect(failure?.isFree).toBe(true);
		expect(errorIn({ error: 'No such voice' })?.toFailure(false)).toMatchObject({
			kind: 'request',
			message: 'The gateway rejected the request: No such voice',
		});
	});

	it.each([{}, ...[null, '', ' ', {}, [], false].map((error) => ({ error }))])('is not %j', (body) =>
		expect(errorIn(body)).toBeUndefined(),
	);
});

describe('An answer as a whole', () => {
	it.each([
		choicesOf({ content: 'Hi' }),
		{ content: [{ type: 'text', text: 'Hi' }] },
		{ candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
	])('that says it is no success is none, and is kept: %j', async (answer) => {
		const failure = await failureOf(JSON.stringify({ ...answer, success: false }), {
			contentType: 'application/json',
		});
		expect(failure).toMatchObject({ kind: 'answer', facts: { partial: { answer: { success: false } } } });
	});
});

it('A stream is not complete while one of its choices is not', async () => {
	const whole = [choice({ content: 'One' }, 'stop'), choice({ content: 'Tw' }, null, 1)];
	const failure = await failureOf(whole, { error: RESET });
	expect(failure.facts.partial?.text).toBe('One');
});

it('A stream whose prompt is blocked is complete', async () => {
	const { answer } = await readStream([{ promptFeedback: { blockReason: 'SAFETY' } }]);
	expect(answer.finishReason).toBe('content_filter');
	const failure = await failureOf([{ promptFeedback: {}, modelVersion: 'm' }]);
	expect(failure.kind).toBe('interrupted');
});

/** Each kind of event that continues nothing, although it has fields. */
const EMPTY_EVENTS = {
	'a role': {
		...{ id: 'c', object: 'chat.completion.chunk', model: 'm' },
		choices: [
			{
				index: 0,
				delta: { role: 'assistant', content: '', tool_calls: [], refusal: null },
				...{ finish_reason: null, native_finish_reason: 'none', logprobs: { content: [], model: 'm' } },
			},
		],
	},
	'a choice with its own probabilities': { choices: [{ delta: {}, logprobs: { content: ['x'] } }] },
	'the beginning of a message': {
		type: 'message_start',
		message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], object: 'message' },
	},
	'the beginning of a block': { type: 'content_block_start', content_block: { type: 'text', text: '' } },
	'an empty piece': { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '' } },
	'a ping': { type: 'ping' },
	'a candidate without parts': { candidates: [{ index: 0, content: { role: 'model' } }] },
	usage: { usage: { total_tokens: 7 }, choices: [] },
};
const EVENTS_WITH_CONTENT = {
	'a text': choice({ content: 'H' }),
	'a reason': choice({}, 'stop'),
	'a call': choice({ tool_calls: [{ index: 0, function: { name: 'look' } }] }),
	'a block of a call': { content_block: { type: 'tool_use', name: 'look', input: {} } },
	'a piece': { delta: { type: 'text_delta', text: 'H' } },
	'a text of the Responses API': { type: 'response.output_text.delta', delta: 'H' },
	'a whole message': { message: { content: [{ text: 'H' }] } },
	'a part': { candidates: [{ content: { parts: [{ text: 'H' }] } }] },
	'a blocked prompt': { promptFeedback: { blockReason: 'SAFETY' } },
};

describe('An event of a stream', () => {
	it.each(Object.entries(EMPTY_EVENTS))('does not count for Timeout if it is only %s', (_what, event) => {
		expect(isProgress(event)).toBe(false);
	});

	it.each(Object.entries(EVENTS_WITH_CONTENT))('continues the answer with %s', (_what, event) => {
		expect(isProgress(event)).toBe(true);
	});
});
