import { chatBody, useGateway } from './gateway';

const gateway = useGateway({ v1Only: true });

describe('An emulator that is a second address', () => {
	it('has the paths under /v1', async () => {
		expect((await gateway.get('/v1/models')).status).toBe(200);
		expect((await gateway.post('/v1/chat/completions', chatBody('Hello'))).status).toBe(200);
	});

	it.each([
		['GET', '/v2/apis/60s'],
		['POST', '/v1beta/models/aurora-4:generateContent'],
		['GET', '/v1'],
		['GET', '/anything'],
	])('does not know %s %s', async (method, url) => {
		const answer = await gateway.client.request({ method, url });
		expect(answer.status).toBe(404);
		const unknown = await gateway.get('/v1/no-such-path');
		expect(answer.data.error).toMatchObject({ type: unknown.data.error.type, code: unknown.data.error.code });
		expect(answer.data.error.message).toContain(url);
	});
});
