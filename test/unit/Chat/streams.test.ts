import { ChatReader } from '../../../nodes/Chat/formats/readAnswer';
import { chunk, event, eventsOf, failureOf, readStream, streamOf } from './readStream';

type Fields = Record<string, unknown>;

const DONE = '[DONE]';
const text = (words: string) => ({ type: 'text', text: words });
const thinking = (words: string) => ({ type: 'thinking', thinking: [text(words)] });
const part = (fields: object, more: object = {}) => ({
	candidates: [{ index: 0, content: { role: 'model', parts: [fields] }, ...more }],
});
const textDelta = (words: string, index = 0) => ({
	...{ type: 'content_block_delta', index },
	delta: { type: 'text_delta', text: words },
});
const STOP = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }];

/** Events of the three formats with the same texts. */
const streamsOf = (texts: string[]): Record<string, unknown[]> => ({
	chat: [...texts.map((content) => chunk({ content })), chunk({}, 'stop'), DONE],
	messages: [
		{ type: 'message_start', message: { id: 'c1', model: 'm', usage: { input_tokens: 1 } } },
		{ type: 'content_block_start', index: 0, content_block: text('') },
		...texts.map((one) => textDelta(one)),
		...STOP,
	],
	generate: [...texts.map((one) => part({ text: one })), { candidates: [{ finishReason: 'STOP' }] }],
});

/** Reads the deltas of a chat completion. */
const streamed = async (...deltas: object[]) =>
	await readStream([...deltas.map((delta) => chunk(delta)), chunk({}, 'stop')]);
const choiceIn = (body: Fields) => (body.choices as Fields[])[0];

describe.each(['chat', 'messages', 'generate'])('A stream of the %s format', (format) => {
	const events = (...texts: string[]) => streamsOf(texts)[format];

	it('says why it ended, and is complete as soon as it does', async () => {
		const cut = JSON.stringify(events('Once'))
			.replace('"stop"', '"length"')
			.replace('"end_turn"', '"max_tokens"')
			.replace('"STOP"', '"MAX_TOKENS"');
		const sent = (JSON.parse(cut) as Fields[]).filter(({ type }) => type !== 'message_stop');
		const { answer } = await readStream(sent, { error: new Error('aborted') });
		expect(answer).toMatchObject({ text: 'Once', finishReason: 'length' });
	});

	it('is recognized without its content type, and as a JSON list of its events', async () => {
		const sent = events('Once ', 'more');
		const unlabelled = await readStream(sent, { sizes: [3], contentType: 'application/octet-stream' });
		const list = JSON.stringify(sent.filter((one) => one !== DONE));
		const listed = await readStream(list, { sizes: [7], contentType: 'application/json' });
		expect([unlabelled, listed].map(({ answer }) => answer.text)).toEqual(['Once more', 'Once more']);
	});
});

it('Events of the messages format may have further fields, which are kept', async () => {
	const [delta, stop] = STOP;
	const events = [...streamsOf(['Once']).messages.slice(0, -2), { ...delta, one: 1 }, { ...stop, two: 2 }];
	expect((await readStream(events)).body).toMatchObject({ one: 1, two: 2 });
});

it.each([
	['chat', chunk({ role: 'assistant', content: '' }), chunk({ content: 'A' })],
	['messages', { type: 'ping' }, textDelta('A')],
	['generate', part({ text: '' }), part({ text: 'A' })],
])('An empty event is no progress that extends Timeout: %s', async (format, empty, filled) => {
	let progress = 0;
	const count = async (event: unknown) => {
		progress = 0;
		const response = streamOf(eventsOf([event, ...streamsOf([])[format]]));
		await new ChatReader(true).read({ ...response, countOnlyProgress: () => () => (progress += 1) });
		return progress;
	};
	expect((await count(filled)) - (await count(empty))).toBe(1);
});

describe('Pieces of an answer', () => {
	it.each<[string, Array<object[] | string>]>([
		['lists, then texts', [[thinking('Hm')], [thinking('m.'), text('A')], 'N', 'S']],
		['texts, then lists', ['A', [text('N')], [thinking('Hmm.'), text('S')]]],
		['lists, then an empty text', [[thinking('Hmm.'), text('A'), text('N')], [text('S')], '']],
	])('follow each other: %s (Mistral)', async (_what, contents) => {
		const { live, answer } = await streamed(...contents.map((content) => ({ content })));
		expect([live, answer.text, answer.reasoning]).toEqual(['ANS', 'ANS', 'Hmm.']);
	});

	it.each<[string, object[]]>([
		[
			'with the text beside each delta (Together)',
			['On', 'ce'].map((content) => ({ text: content, delta: { content, tool_calls: null } })),
		],
		['with an empty delta', [{ text: 'Once', delta: {} }]],
		['with a delta that has no content', [{ text: 'Once', delta: { role: 'assistant' } }]],
		['of an older API, which have only a text', [{ text: 'On' }, { text: 'ce' }]],
		['whole and with a delta (Perplexity)', [{ delta: { content: 'Once' }, message: { content: 'Once' } }]],
		[
			'again as a whole at the end (MiniMax)',
			[{ delta: { content: 'On' } }, { delta: { content: 'ce' } }, { message: { content: 'Once' } }],
		],
		['as messages that grow', [{ message: { content: 'On' } }, { message: { content: 'Once' } }]],
		['before an empty list', [{ delta: { content: 'Once' } }, { delta: { content: [] } }]],
	])('count once: %s', async (_what, choices) => {
		const end = { index: 0, text: '', delta: {}, finish_reason: 'eos' };
		const events = [...choices.map((choice) => ({ index: 0, ...choice })), end];
		const { live, answer } = await readStream(events.map((choice) => ({ choices: [choice] })));
		expect([live, answer]).toMatchObject(['Once', { text: 'Once', finishReason: 'stop' }]);
	});

	it('of one event count once (Gemini)', async () => {
		const parts = [{ text: 'A' }, { text: 'N' }];
		const sent = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
		const { live, answer } = await readStream([sent]);
		expect([live, answer.text]).toEqual(['AN', 'AN']);
	});

	it('that repeat in each chunk are not glued together (OpenRouter, Azure)', async () => {
		const detail = { type: 'reasoning.text', format: 'vendor-v1', index: 0 };
		const others = {
			...{ index: 0, native_finish_reason: 'completed' },
			content_filter_results: { hate: { filtered: false, severity: 'safe' } },
		};
		const deltas = ['Let me ', 'think.'].map((words) => ({
			channel: 'final',
			reasoning_details: [{ ...detail, text: words }],
		}));
		const { body } = await readStream([
			...deltas.map((delta) => ({ id: 'c1', object: 'x.chunk', choices: [{ ...others, delta }] })),
			{ ...chunk({}, 'stop'), id: '', model: null },
		]);
		expect(body).toMatchObject({ id: 'c1', object: 'chat.completion' });
		expect(choiceIn(body)).toMatchObject({
			...others,
			message: { channel: 'final', reasoning_details: [{ ...detail, text: 'Let me think.' }] },
		});
	});

	it('of thoughts with the same number are kept apart by type and ID, as they have to be sent back', async () => {
		const details = [
			{ type: 'reasoning.text', text: 'Hm', index: 0 },
			{ type: 'reasoning.encrypted', data: 'aa', id: 'one', index: 0 },
			{ type: 'reasoning.encrypted', data: 'bb', id: 'two', index: 0 },
		];
		const { body, answer } = await streamed(...details.map((detail) => ({ reasoning_details: [detail] })));
		expect(choiceIn(body).message).toMatchObject({ reasoning_details: details });
		expect(answer.reasoning).toBe('Hm');
	});

	it('of a summary follow each other (OpenRouter), and a part that is signed stays one (Gemini)', async () => {
		const details = ['In ', 'short.'].map((summary) => ({ type: 'reasoning.summary', index: 0, summary }));
		const { answer } = await streamed(...details.map((detail) => ({ reasoning_details: [detail] })));
		expect(answer.reasoning).toBe('In short.');
		const parts = [{ text: 'A', thoughtSignature: 's' }, { text: 'N' }];
		const { body } = await readStream([part(parts[0]), part(parts[1], { finishReason: 'STOP' })]);
		expect(body).toMatchObject({ candidates: [{ content: { parts } }] });
	});

	it('of a block of thoughts make one block again, and a signature ends it (LiteLLM)', async () => {
		const one = (words: string, signature = {}) => ({ type: 'thinking', thinking: words, ...signature });
		const [first, second] = [{ signature: 's1' }, { signature: 's2' }];
		const sent = [one('He'), one('llo'), one('', first), one('Well'), one('', second)];
		const { body } = await streamed(
			...sent.map((block) => ({ reasoning_content: block.thinking, thinking_blocks: [block] })),
		);
		const blocks = [one('Hello', first), one('Well', second)];
		expect(choiceIn(body).message).toMatchObject({ thinking_blocks: blocks });
	});

	it('are no whole answer yet when the finish reason is the word "null" (DashScope)', async () => {
		const started = chunk({ content: 'x' }, 'null');
		expect(await failureOf([started])).toMatchObject({ kind: 'interrupted' });
		expect((await readStream([started, chunk({ content: 'x' }, 'stop')])).answer.text).toBe('xx');
	});

	it('keep the sources when a later event has other fields of the grounding (Gemini)', async () => {
		const web = { uri: 'https://a.example/', title: 'A' };
		const { answer } = await readStream([
			part({ text: 'x' }, { groundingMetadata: { groundingChunks: [{ web }] } }),
			part({}, { groundingMetadata: { searchEntryPoint: {} }, finishReason: 'STOP' }),
		]);
		expect(answer.sources).toEqual([{ url: web.uri, title: 'A' }]);
	});
});

describe('A hostile stream', () => {
	it('cannot change the prototype of an object', async () => {
		const hostile =
			'{"choices":[{"index":0,"__proto__":{"polluted":1},"delta":{"content":"x","__proto__":{"polluted":1}},"finish_reason":"stop"}]}';
		const { body, answer } = await readStream([hostile, hostile]);
		expect(answer.text).toBe('xx');
		expect([{} as Fields, choiceIn(body)].map(({ polluted }) => polluted)).toEqual([undefined, undefined]);
	});

	it.each([
		['nothing but its end', 'data: [DONE]\n\n', 'answer'],
		['nothing but a comment', ': PING\n\n', 'interrupted'],
	])('is refused if it contains %s', async (_what, sent, kind) => {
		expect(await failureOf(sent)).toMatchObject({ kind });
	});
});

describe('A stream of another gateway', () => {
	it('may have a choice without a delta (Azure, of its content filter)', async () => {
		const bare = (finish: string | null) => ({ choices: [{ index: 0, finish_reason: finish }] });
		const { answer } = await readStream([chunk({ content: 'A' }), bare(null), bare('stop')]);
		expect(answer).toMatchObject({ text: 'A', finishReason: 'stop' });
	});

	const chunks = [chunk({ content: 'On' }), chunk({ content: 'ce' }, 'stop')];
	const whole = { choices: [{ message: { content: 'Once' }, finish_reason: 'stop' }] };

	const deltas = ['On', 'ce'].map((delta) => ({ type: 'response.output_text.delta', delta }));
	const output = [{ type: 'message', content: [{ type: 'output_text', text: 'Once' }] }];
	const completed = { type: 'response.completed', response: { id: 'r1', status: 'completed', output } };
	const candidates = streamsOf(['On', 'ce']).generate;

	const lines = chunks.map((one) => `${JSON.stringify(one)}\n`).join('');

	it.each<[string, string, contentType: string]>([
		['without blank lines', chunks.map((one) => event(one).trimEnd()).join('\n'), 'text/event-stream'],
		['without "data:"', lines, 'text/event-stream'],
		['that begins with an ID, unlabelled', `id: 1\n${eventsOf(chunks)}`, ''],
		['with an event in each line of JSON', lines, 'application/json'],
		['in an envelope', eventsOf(chunks.map((result) => ({ success: true, result }))), 'text/event-stream'],
		['that is one answer', JSON.stringify(whole), 'text/event-stream'],
		['with comments before one answer', `: PING\n\n: PING\n\n${JSON.stringify(whole)}`, 'application/json'],
		['of the Responses API', eventsOf([...deltas, completed]), 'text/event-stream'],
		['with a list of events', eventsOf([candidates]), 'text/event-stream'],
		['that is a list of events', JSON.stringify(candidates), 'text/event-stream'],
	])('%s is read', async (_what, sent, contentType) => {
		expect((await readStream(sent, { contentType })).answer.text).toBe('Once');
	});

	it('of the Responses API is complete also if Max Tokens cuts it off', async () => {
		const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output };
		const { answer } = await readStream([...deltas, { type: 'response.incomplete', response }]);
		expect(answer).toMatchObject({ text: 'Once', finishReason: 'length' });
	});

	it('of the Responses API has its parts in earlier events if its last one has none (ChatGPT)', async () => {
		const end = { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [] } };
		const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' };
		const items = [...output, call].map((item) => ({ type: 'response.output_item.done', item }));
		const { answer, live } = await readStream([...deltas, ...items, end]);
		expect(answer).toMatchObject({
			...{ text: 'Once', finishReason: 'tool_calls', id: 'r1' },
			toolCalls: [{ id: 'a', name: 'f', arguments: { x: 1 } }],
		});
		expect(live).toBe('Once');
		expect((await readStream([...deltas, end])).answer.text).toBe('Once');
	});

	it('of the Responses API keeps what arrived when it breaks off or fails', async () => {
		const { live } = await readStream([...deltas, completed]);
		expect(live).toBe('Once');
		const created = { type: 'response.created', response: { id: 'r1', output: [] } };
		const partial = { id: 'r1', text: 'Once' };
		expect((await failureOf([created, ...deltas])).facts.partial).toEqual(partial);
		const error = { code: 'server_error', message: 'Down' };
		const failed = { type: 'response.failed', response: { status: 'failed', error, output: [] } };
		expect(await failureOf([created, ...deltas, failed])).toMatchObject({
			kind: 'gateway',
			message: expect.stringContaining('Down'),
			charge: 'possible',
			facts: { partial },
		});
	});

	it('in no known format is kept', async () => {
		expect(await failureOf([{ odd: 'Once' }])).toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('its event stream contains no answer'),
			facts: { partial: { event: '{"odd":"Once"}' } },
		});
	});
});

describe('The end of a stream', () => {
	const failed = { error: { message: 'The upstream failed', code: 502 } };
	const ended: Record<string, unknown[]> = {
		...streamsOf(['Once']),
		messages: streamsOf(['Once']).messages.slice(0, -1),
	};

	it.each(Object.keys(ended))('is an error that the gateway reports after it: %s', async (format) => {
		const failure = await failureOf([...ended[format].filter((one) => one !== DONE), failed]);
		expect(failure.facts).toMatchObject({ gatewayMessage: 'The upstream failed', partial: { text: 'Once' } });
		expect(failure.charge).not.toBe('none');
	});

	it.each(['none', 7, [7], null])(
		'has the usage of its end if that of its beginning is %j',
		async (usage) => {
			const start = { type: 'message_start', message: { id: 'c1', model: 'm', content: [], usage } };
			const [, ...rest] = streamsOf(['Once']).messages;
			const end = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } };
			const { answer } = await readStream([start, ...rest.slice(0, -1), end, ...rest.slice(-1)]);
			expect(answer).toMatchObject({ text: 'Once', outputTokens: 3 });
		},
	);

	it('has no reason if none is given (litellm#40260)', async () => {
		const { answer } = await readStream([chunk({ content: 'Once' }), DONE]);
		expect(answer).toMatchObject({ text: 'Once', finishReason: 'unknown' });
	});

	it.each([
		['network_error', 'network_error'],
		['MALFORMED_FUNCTION_CALL', 'MALFORMED_FUNCTION_CALL'],
		['UNEXPECTED_TOOL_CALL', 'UNEXPECTED_TOOL_CALL'],
		['stop', 'stop'],
		['completed', 'stop'],
	])(
		'is %s although OpenRouter calls it "stop" (hax#15, vellum-assistant#43134)',
		async (native, finishReason) => {
			const end = { index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: native };
			const { answer } = await readStream([chunk({ content: 'Once' }), { choices: [end] }]);
			expect(answer.finishReason).toBe(finishReason);
		},
	);
});

describe('Sources in several events are all kept', () => {
	const [a, b] = ['https://example.com/a', 'https://example.com/b'];
	const urls = [{ url: a }, { url: b }];

	it.each(['citationSources', 'citations'])('%s of the generate-content format', async (name) => {
		const cited = (...uris: string[]) =>
			part({ text: 'A' }, { citationMetadata: { [name]: uris.map((uri) => ({ uri })) } });
		const { answer } = await readStream([
			cited(a),
			cited(b),
			cited(a),
			{ candidates: [{ finishReason: 'STOP' }] },
		]);
		expect(answer.sources).toEqual(urls);
	});

	it.each([
		['new ones', [[a], [b]]],
		['all so far', [[a], [a, b]]],
		['all, and none at the end', [[a, b], []]],
	])('citations of a chat completion: %s', async (_what, lists) => {
		const events = lists.map((citations) => ({ ...chunk({ content: 'A' }), citations }));
		const { answer } = await readStream([...events, chunk({}, 'stop')]);
		expect(answer.sources).toEqual(urls);
	});

	it('and are not read again with each event', async () => {
		const images = [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }];
		const first = { ...chunk({ content: 'A', images }), search_results: [{ url: 'https://example.com/' }] };
		const events = eventsOf([first, ...Array(100).fill(chunk({ content: 'B' })), chunk({}, 'stop')]);
		const write = jest.spyOn(JSON, 'stringify');
		const { body } = await readStream(events);
		const written = write.mock.calls.length;
		write.mockRestore();
		expect(body).toMatchObject({ search_results: [{}], choices: [{ message: { images } }] });
		expect(written).toBeLessThan(20);
	});

	it('citations of a message', async () => {
		const cite = (url: string) => ({
			type: 'content_block_delta',
			index: 0,
			delta: { type: 'citations_delta', citation: { url } },
		});
		const { answer } = await readStream([
			streamsOf([]).messages[0],
			textDelta('A'),
			cite(a),
			cite(b),
			...STOP,
		]);
		expect(answer.sources).toEqual(urls);
	});
});
