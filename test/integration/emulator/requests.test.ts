import { chatBody, useGateway } from './gateway';

const gateway = useGateway();
const messagesHeaders = { 'msgapi-version': '2023-06-01' };
const messagesBody = (more: object = {}) => ({ ...chatBody('Hello'), max_tokens: 100, ...more });
const contentsBody = (more: object = {}) => ({ contents: [{ parts: [{ text: 'Hello' }] }], ...more });

describe('Key check', () => {
	it.each([
		['GET', '/v1/models'],
		['POST', '/v1/chat/completions'],
		['POST', '/v1/messages'],
		['POST', '/v1beta/models/aurora-4:generateContent'],
		['GET', '/v1/no-such-path'],
		['GET', '/v2/apis/60s'],
	])('rejects %s %s without a key', async (method, url) => {
		const answer = await gateway.client.request({ method, url, headers: { Authorization: null } });
		expect(answer.status).toBe(401);
		expect(answer.data.error).toEqual({
			message: expect.stringContaining('No API key'),
			type: 'authentication_error',
			code: 'invalid_api_key',
		});
	});

	it('accepts x-api-key only on the messages endpoint', async () => {
		const { apiKey } = gateway.emulator;
		const status = async (path: string, header: string, body: object) =>
			(
				await gateway.post(path, body, {
					headers: { ...messagesHeaders, Authorization: null, [header]: apiKey },
				})
			).status;
		expect(await status('/v1/messages', 'x-api-key', messagesBody())).toBe(200);
		expect(await status('/v1/chat/completions', 'x-api-key', chatBody('Hello'))).toBe(401);
		expect(await status('/v1beta/models/aurora-4:generateContent', 'x-api-key', contentsBody())).toBe(401);
		expect(await status('/v1beta/models/aurora-4:generateContent', 'x-goog-api-key', contentsBody())).toBe(
			401,
		);
		expect(await status('/v1/messages', 'x-goog-api-key', messagesBody())).toBe(401);
	});
});

describe('Body check', () => {
	const json = { headers: { 'Content-Type': 'application/json' } };

	it('rejects invalid JSON, JSON that is not an object, and a missing body', async () => {
		const broken = await gateway.post('/v1/chat/completions', Buffer.from('{"model":'), json);
		expect([broken.status, broken.data.error.code]).toEqual([400, 'invalid_request_error']);
		expect(broken.data.error.message).toContain('not valid JSON');
		expect((await gateway.post('/v1/chat/completions', [], json)).status).toBe(400);
		expect((await gateway.post('/v1/chat/completions', undefined, json)).status).toBe(400);
	});
});

describe('Lists', () => {
	it('contain the same 38 or more voices under both paths', async () => {
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
