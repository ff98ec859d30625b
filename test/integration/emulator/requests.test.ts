import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway();
const messagesHeaders = { 'msgapi-version': '2023-06-01' };
const messagesBody = (more: object = {}) => ({ ...chatBody('Hello'), max_tokens: 100, ...more });
const contentsBody = (more: object = {}) => ({ contents: [{ parts: [{ text: 'Hello' }] }], ...more });

describe('keys', () => {
	it.each([
		['GET', '/v1/models'],
		['POST', '/v1/chat/completions'],
		['POST', '/v1/messages'],
		['POST', '/v1beta/models/aurora-4:generateContent'],
		['GET', '/v1/no-such-path'],
		['GET', '/v2/apis/60s'],
	])('%s %s without a key is a 401', async (method, url) => {
		const answer = await gateway.client.request({ method, url, headers: { Authorization: null } });
		expect(answer.status).toBe(401);
		expect(answer.data.error).toEqual({
			message: expect.stringContaining('No API key'),
			type: 'authentication_error',
			code: 'invalid_api_key',
		});
	});

	it('refuses a wrong key and names it invalid', async () => {
		const answer = await gateway.get('/v1/models', { headers: { Authorization: 'Bearer other' } });
		expect(answer.status).toBe(401);
		expect(answer.data.error.message).toContain('invalid');
	});

	it('takes x-api-key on the messages endpoint only, and x-goog-api-key on generate-content only', async () => {
		const { apiKey } = gateway.emulator;
		const status = async (path: string, header: string, body: object) =>
			(
				await gateway.post(path, body, {
					headers: { ...messagesHeaders, Authorization: null, [header]: apiKey },
				})
			).status;
		expect(await status('/v1/messages', 'x-api-key', messagesBody())).toBe(200);
		expect(await status('/v1/chat/completions', 'x-api-key', chatBody('Hello'))).toBe(401);
		expect(await status('/v1beta/models/aurora-4:generateContent', 'x-goog-api-key', contentsBody())).toBe(
			200,
		);
		expect(await status('/v1/messages', 'x-goog-api-key', messagesBody())).toBe(401);
	});

	it('checks the key before the body', async () => {
		const answer = await gateway.post('/v1/chat/completions', Buffer.from('{'), {
			headers: { Authorization: null },
		});
		expect(answer.status).toBe(401);
	});
});

describe('paths', () => {
	it('answers an unknown path with a JSON error', async () => {
		const answer = await gateway.get('/v1/v1/models');
		expect(answer.status).toBe(404);
		expect(answer.data).toEqual({
			error: {
				message: 'There is no GET /v1/v1/models.',
				type: 'invalid_request_error',
				code: 'not_found',
			},
		});
	});

	it('answers a wrong method with the methods that exist', async () => {
		const answer = await gateway.post('/v1/models', {});
		expect(answer.status).toBe(405);
		expect(answer.headers.allow).toContain('GET');
		expect((await gateway.get('/v1/chat/completions')).status).toBe(405);
		expect((await gateway.get('/v1beta/models/aurora-4:generateContent')).status).toBe(405);
	});

	it('knows no other action of a model', async () => {
		expect((await gateway.post('/v1beta/models/aurora-4:countTokens', contentsBody())).status).toBe(404);
	});
});

describe('bodies', () => {
	const json = { headers: { 'Content-Type': 'application/json' } };

	it('refuses text that is no JSON, JSON that is no object, and a missing body', async () => {
		const broken = await gateway.post('/v1/chat/completions', Buffer.from('{"model":'), json);
		expect([broken.status, broken.data.error.code]).toEqual([400, 'invalid_request_error']);
		expect(broken.data.error.message).toContain('not valid JSON');
		expect((await gateway.post('/v1/chat/completions', [], json)).status).toBe(400);
		expect((await gateway.post('/v1/chat/completions', undefined, json)).status).toBe(400);
	});

	it('refuses another content type', async () => {
		const answer = await gateway.post('/v1/chat/completions', JSON.stringify(chatBody('Hello')), {
			headers: { 'Content-Type': 'text/plain' },
		});
		expect(answer.status).toBe(415);
	});

	it('takes bodies of many megabytes and refuses more than 50', async () => {
		const image = `data:image/png;base64,${'A'.repeat(8 * 1024 * 1024)}`;
		const content = [
			{ type: 'text', text: 'What is this?' },
			{ type: 'image_url', image_url: { url: image } },
		];
		const large = await gateway.post('/v1/chat/completions', {
			model: 'aurora-4',
			messages: [{ role: 'user', content }],
		});
		expect(large.status).toBe(200);
		expect(gateway.emulator.journal.entries()[0].body).toEqual({ bytes: expect.any(Number) });

		const tooLarge = await gateway.post('/v1/chat/completions', Buffer.alloc(16), {
			headers: { 'Content-Type': 'application/json', 'Content-Length': String(51 * 1024 * 1024) },
		});
		expect(tooLarge.status).toBe(413);
	});

	it('lets unknown fields pass when the rules say so', async () => {
		const send = async () =>
			(await gateway.post('/v1/chat/completions', chatBody('Hello', { novelty: 1 }))).status;
		expect(await send()).toBe(400);
		gateway.emulator.behaviour.set('POST /v1/chat/completions', { acceptUnknownFields: true });
		expect(await send()).toBe(200);
	});
});

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

describe('lists', () => {
	it('lists models in the documented shape', async () => {
		const { data } = await gateway.get('/v1/models');
		expect(data.object).toBe('list');
		for (const model of data.data) {
			expect(model).toEqual({
				id: expect.any(String),
				object: 'model',
				created: expect.any(Number),
				owned_by: expect.any(String),
			});
		}
		const ids = data.data.map(({ id }: { id: string }) => id);
		expect(ids).toEqual(
			expect.arrayContaining([
				'image-2',
				'image-pro',
				'svc-tts',
				'music-v4.5-plus',
				'music-v5',
				'reranker-v2-m3',
			]),
		);
	});

	it('lists the same 38 or more voices under both paths', async () => {
		const { data } = await gateway.get('/v1/audio/voices');
		expect(data.success).toBe(true);
		expect(data.total).toBe(data.voice_characters.length);
		expect(data.total).toBeGreaterThanOrEqual(38);
		for (const voice of data.voice_characters) {
			expect(voice).toEqual({ name: expect.any(String), public: 'public', description: expect.any(String) });
		}
		expect(new Set(data.voice_characters.map(({ name }: { name: string }) => name)).size).toBe(data.total);
		expect((await gateway.get('/v1/voice/models/list')).data).toEqual(data);
	});
});
