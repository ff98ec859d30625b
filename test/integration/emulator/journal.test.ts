import { chatBody, useGateway } from './gateway';

let clock = 1_000;
const gateway = useGateway({ now: () => clock });

describe('Journal', () => {
	it('records requests in order', async () => {
		clock = 5_000;
		await gateway.get('/v1/models?page=2');
		await gateway.post('/v1/chat/completions', chatBody('Hello'));
		const [models, chat] = gateway.emulator.journal.entries();
		expect(models).toMatchObject({
			method: 'GET',
			path: '/v1/models',
			query: { page: '2' },
			status: 200,
			key: 'valid',
		});
		expect(chat).toMatchObject({
			method: 'POST',
			body: chatBody('Hello'),
			receivedAt: 5_000,
			closedByClient: false,
		});
		expect(chat.id).toBe(models.id + 1);
		await gateway.emulator.journal.until(2, (entry) => entry.finishedAt === 5_000);
	});

	it('records the state of keys but never the keys', async () => {
		const { apiKey } = gateway.emulator;
		const headers = { Authorization: 'Bearer wrong-key', 'x-api-key': apiKey, 'x-goog-api-key': apiKey };
		await gateway.get('/v1/models', { headers });
		await gateway.get('/v1/models');
		await gateway.get('/v1/models', { headers: { Authorization: null } });
		const [wrong, right, missing] = gateway.emulator.journal.entries();
		expect(wrong.headers).toMatchObject({
			authorization: 'invalid',
			'x-api-key': 'valid',
			'x-goog-api-key': 'valid',
		});
		expect(right.headers).toMatchObject({ authorization: 'valid', 'x-api-key': 'missing' });
		expect(missing.headers).toMatchObject({ authorization: 'missing' });
		expect([wrong.key, right.key, missing.key]).toEqual(['invalid', 'valid', 'missing']);
		const text = JSON.stringify(gateway.emulator.journal.entries());
		expect(text).not.toContain(apiKey);
		expect(text).not.toContain('wrong-key');
	});

	it('records that a client left before the response', async () => {
		const { behaviour, journal } = gateway.emulator;
		behaviour.set('POST /v1/chat/completions', { latencyMs: 600_000 });
		const leaving = new AbortController();
		const left = gateway.post('/v1/chat/completions', chatBody('Hello'), { signal: leaving.signal });
		await journal.until(1);
		leaving.abort();
		await expect(left).rejects.toThrow('canceled');
		const [entry] = await journal.until(1, ({ finishedAt }) => finishedAt !== null);
		expect(entry).toMatchObject({ closedByClient: true, status: null });
	});
});
