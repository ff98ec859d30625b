import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway();
const messagesHeaders = { 'msgapi-version': '2023-06-01' };
const messagesBody = (more: object = {}) => ({ ...chatBody('Hello'), max_tokens: 100, ...more });
const contentsBody = (more: object = {}) => ({ contents: [{ parts: [{ text: 'Hello' }] }], ...more });

const messagesConfig = { headers: messagesHeaders };
const parts = (value: unknown) => ({ messages: [{ role: 'user', content: value }] });

describe('POST /v1/chat/completions', () => {
	it.each<[string, object, string]>([
		['a request without a model', { ...chatBody('x'), model: undefined }, 'Missing required field "model"'],
		['a model that is not text', chatBody('x', { model: 5 }), '"model"'],
		['an unknown model', chatBody('x', { model: 'aurora-5' }), 'there is no model "aurora-5"'],
		['a model id in the wrong case', chatBody('x', { model: 'Aurora-4' }), 'did you mean "aurora-4"'],
		['a model that cannot chat', chatBody('x', { model: 'image-2' }), 'cannot be used for chat'],
		['a request without messages', { model: 'aurora-4' }, 'Missing required field "messages"'],
		['messages that are text', chatBody('x', { messages: 'x' }), '"messages"'],
		['an empty list of messages', chatBody('x', { messages: [] }), '"messages"'],
		[
			'a message without a role',
			chatBody('x', { messages: [{ content: 'x' }] }),
			'Missing required field "messages[0].role"',
		],
		['a message without content', chatBody('x', { messages: [{ role: 'user' }] }), '"messages[0].content"'],
		['a part of an unknown type', chatBody('x', parts([{ type: 'audio' }])), '"messages[0].content[0].type"'],
		[
			'an image that is not an address',
			chatBody('x', parts([{ type: 'image_url', image_url: { url: 'cat.png' } }])),
			'"messages[0].content[0].image_url.url"',
		],
		['an unknown style', chatBody('x', { style: 'haiku' }), '"style"'],
		['stream given as text', chatBody('x', { stream: 'true' }), '"stream"'],
		['max_tokens given as text', chatBody('x', { max_tokens: '5' }), '"max_tokens"'],
		['max_tokens with a fraction', chatBody('x', { max_tokens: 1.5 }), '"max_tokens"'],
		['a temperature above 2', chatBody('x', { temperature: 2.1 }), '"temperature"'],
	])('rejects %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1/chat/completions', body);
		expect(answer.status).toBe(400);
		expect(answer.data).toEqual({
			error: {
				message: expect.stringContaining(message),
				type: 'invalid_request_error',
				code: 'invalid_request_error',
			},
		});
	});
});

describe('POST /v1/messages', () => {
	it.each<[string, object, string]>([
		[
			'a request without max_tokens',
			messagesBody({ max_tokens: undefined }),
			'Missing required field "max_tokens"',
		],
		['a temperature above 1', messagesBody({ temperature: 1.5 }), '"temperature"'],
		['a system role', messagesBody({ messages: [{ role: 'system', content: 'x' }] }), '"messages[0].role"'],
		['an unknown model', messagesBody({ model: 'none' }), '"model"'],
	])('rejects %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1/messages', body, messagesConfig);
		expect(answer.status).toBe(400);
		expect(answer.data.type).toBe('error');
		expect(answer.data.error.message).toContain(message);
	});

	it('requires a valid version header', async () => {
		const missing = await gateway.post('/v1/messages', messagesBody());
		expect([missing.status, missing.data.error.message]).toEqual([
			400,
			expect.stringContaining('msgapi-version'),
		]);
		const wrong = await gateway.post('/v1/messages', messagesBody(), {
			headers: { 'msgapi-version': '2020-01-01' },
		});
		expect([wrong.status, wrong.data.error.message]).toEqual([400, expect.stringContaining('2020-01-01')]);
		const vendor = await gateway.post('/v1/messages', messagesBody(), {
			headers: { 'anthropic-version': '2023-06-01' },
		});
		expect(vendor.status).toBe(200);
	});
});

describe('POST /v1beta/models/{model}:generateContent', () => {
	it.each<[string, object, string]>([
		['a request without contents', {}, 'Missing required field "contents"'],
		['contents without parts', contentsBody({ contents: [{ parts: [] }] }), '"contents[0].parts"'],
		['an empty part', contentsBody({ contents: [{ parts: [{}] }] }), '"contents[0].parts[0]"'],
		[
			'a token limit given as text',
			contentsBody({ generationConfig: { maxOutputTokens: '9' } }),
			'"generationConfig.maxOutputTokens"',
		],
		['safety settings that are not a list', contentsBody({ safetySettings: {} }), '"safetySettings"'],
	])('rejects %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1beta/models/aurora-4:generateContent', body);
		expect(answer.status).toBe(400);
		expect(answer.data.error.message).toContain(message);
	});

	it('rejects an unknown model with status 400', async () => {
		expect((await gateway.post('/v1beta/models/none:generateContent', contentsBody())).status).toBe(400);
	});
});

describe('POST /v1/audio/speech', () => {
	it.each<[string, object, string]>([
		['a request without input', speechBody('x', { input: undefined }), 'Missing required field "input"'],
		['blank input', speechBody('  '), '"input"'],
		['input of 4097 characters', speechBody('😀'.repeat(4097)), '4097 characters'],
		['a request without a voice', speechBody('x', { voice: undefined }), 'Missing required field "voice"'],
		['an unknown voice', speechBody('x', { voice: 'sunny' }), 'there is no voice "sunny"'],
		['a model that cannot speak', speechBody('x', { model: 'aurora-4' }), 'cannot be used for speech'],
	])('rejects %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1/audio/speech', body);
		expect(answer.status).toBe(400);
		expect(answer.data.error.message).toContain(message);
	});

	it('accepts 4096 characters, counted as code points', async () => {
		expect((await gateway.post('/v1/audio/speech', speechBody('😀'.repeat(4096)))).status).toBe(200);
	});
});

describe('Thinking in POST /v1/messages', () => {
	beforeEach(() => gateway.emulator.behaviour.set('POST /v1/messages', { checkUndocumented: true }));

	const enabled = { type: 'enabled', budget_tokens: 1024 };
	const ask = async (more: object) =>
		await gateway.post('/v1/messages', messagesBody({ max_tokens: 2000, ...more }), messagesConfig);

	it.each([
		[{ thinking: enabled, temperature: 0.5 }, '`temperature` may only be set to 1'],
		[{ thinking: { type: 'adaptive' }, top_p: 0.9 }, '`top_p` must be at least 0.95'],
		[{ thinking: enabled, max_tokens: 1024 }, '`max_tokens` must be greater'],
		[{ thinking: enabled, tool_choice: { type: 'any' } }, 'tool_choice forces tool use'],
		[{ thinking: { type: 'enabled', budget_tokens: 1000 } }, '"thinking.budget_tokens"'],
	])('excludes other settings: %j', async (more, words) => {
		const { status, data } = await ask(more);
		expect(status).toBe(400);
		expect(data.error.message).toContain(words);
	});

	it.each([
		{ thinking: enabled, temperature: 1, top_p: 0.95 },
		{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
		{ thinking: { type: 'disabled' }, temperature: 0.5 },
	])('accepts %j', async (more) => {
		expect((await ask(more)).status).toBe(200);
	});
});
