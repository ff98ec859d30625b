import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway();
const messagesHeaders = { 'msgapi-version': '2023-06-01' };
const messagesBody = (more: object = {}) => ({ ...chatBody('Hello'), max_tokens: 100, ...more });
const contentsBody = (more: object = {}) => ({ contents: [{ parts: [{ text: 'Hello' }] }], ...more });

describe('fields', () => {
	const messagesConfig = { headers: messagesHeaders };
	const parts = (value: unknown) => ({ messages: [{ role: 'user', content: value }] });

	it.each<[string, object, string]>([
		['a missing model', { ...chatBody('x'), model: undefined }, 'Missing required field "model"'],
		['a model of another type', chatBody('x', { model: 5 }), '"model"'],
		['an unknown model', chatBody('x', { model: 'aurora-5' }), 'there is no model "aurora-5"'],
		['a model in other letters', chatBody('x', { model: 'Aurora-4' }), 'did you mean "aurora-4"'],
		['a model that cannot chat', chatBody('x', { model: 'image-2' }), 'cannot be used for chat'],
		['missing messages', { model: 'aurora-4' }, 'Missing required field "messages"'],
		['messages as text', chatBody('x', { messages: 'x' }), '"messages"'],
		['no messages', chatBody('x', { messages: [] }), '"messages"'],
		[
			'a missing role',
			chatBody('x', { messages: [{ content: 'x' }] }),
			'Missing required field "messages[0].role"',
		],
		['an unknown role', chatBody('x', { messages: [{ role: 'bot', content: 'x' }] }), '"messages[0].role"'],
		['missing content', chatBody('x', { messages: [{ role: 'user' }] }), '"messages[0].content"'],
		['an unknown part', chatBody('x', parts([{ type: 'audio' }])), '"messages[0].content[0].type"'],
		[
			'an image that is no address',
			chatBody('x', parts([{ type: 'image_url', image_url: { url: 'cat.png' } }])),
			'"messages[0].content[0].image_url.url"',
		],
		['an unknown style', chatBody('x', { style: 'haiku' }), '"style"'],
		['stream as text', chatBody('x', { stream: 'true' }), '"stream"'],
		[
			'stream options without a stream',
			chatBody('x', { stream_options: { include_usage: true } }),
			'"stream_options"',
		],
		['max_tokens as text', chatBody('x', { max_tokens: '5' }), '"max_tokens"'],
		['max_tokens with a fraction', chatBody('x', { max_tokens: 1.5 }), '"max_tokens"'],
		['a temperature above 2', chatBody('x', { temperature: 2.1 }), '"temperature"'],
		['a field that does not exist', chatBody('x', { maxTokens: 5 }), 'Unknown field "maxTokens"'],
	])('chat completions: %s', async (_case, body, message) => {
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

	it.each<[string, object, string]>([
		['missing max_tokens', messagesBody({ max_tokens: undefined }), 'Missing required field "max_tokens"'],
		['a temperature above 1', messagesBody({ temperature: 1.5 }), '"temperature"'],
		['a system role', messagesBody({ messages: [{ role: 'system', content: 'x' }] }), '"messages[0].role"'],
		['an unknown model', messagesBody({ model: 'none' }), '"model"'],
		['an unknown field', messagesBody({ style: 'openai' }), 'Unknown field "style"'],
	])('messages: %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1/messages', body, messagesConfig);
		expect(answer.status).toBe(400);
		expect(answer.data.type).toBe('error');
		expect(answer.data.error.message).toContain(message);
	});

	it('messages: the version header is required and checked', async () => {
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

	it.each<[string, object, string]>([
		['missing contents', {}, 'Missing required field "contents"'],
		['no parts', contentsBody({ contents: [{ parts: [] }] }), '"contents[0].parts"'],
		['an empty part', contentsBody({ contents: [{ parts: [{}] }] }), '"contents[0].parts[0]"'],
		[
			'a token limit as text',
			contentsBody({ generationConfig: { maxOutputTokens: '9' } }),
			'"generationConfig.maxOutputTokens"',
		],
		['safety settings that are no list', contentsBody({ safetySettings: {} }), '"safetySettings"'],
	])('generate content: %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1beta/models/aurora-4:generateContent', body);
		expect(answer.status).toBe(400);
		expect(answer.data.error.message).toContain(message);
	});

	it('generate content: an unknown model is a request error', async () => {
		expect((await gateway.post('/v1beta/models/none:generateContent', contentsBody())).status).toBe(400);
	});

	it.each<[string, object, string]>([
		['missing input', speechBody('x', { input: undefined }), 'Missing required field "input"'],
		['blank input', speechBody('  '), '"input"'],
		['input of 4097 characters', speechBody('😀'.repeat(4097)), '4097 characters'],
		['a missing voice', speechBody('x', { voice: undefined }), 'Missing required field "voice"'],
		['an unknown voice', speechBody('x', { voice: 'sunny' }), 'there is no voice "sunny"'],
		['another format', speechBody('x', { response_format: 'flac' }), 'mp3, wav, opus'],
		['a model that cannot speak', speechBody('x', { model: 'aurora-4' }), 'cannot be used for speech'],
		['speed 0', speechBody('x', { speed: 0 }), '"speed"'],
	])('speech: %s', async (_case, body, message) => {
		const answer = await gateway.post('/v1/audio/speech', body);
		expect(answer.status).toBe(400);
		expect(answer.data.error.message).toContain(message);
	});

	it('speech: takes 4096 characters, counted as whole characters', async () => {
		expect((await gateway.post('/v1/audio/speech', speechBody('😀'.repeat(4096)))).status).toBe(200);
	});
});
