import { useGateway } from './gateway';

let clock = 1_000_000;
const gateway = useGateway({ now: () => clock });

describe('Limit rule', () => {
	const limited = (limit: object) =>
		gateway.emulator.behaviour.set('GET /v1/models', { limit: { requests: 2, perMs: 10_000, ...limit } });
	const status = async () => (await gateway.get('/v1/models')).status;

	it('rejects requests above a sliding window with the documented body', async () => {
		limited({});
		expect([await status(), await status()]).toEqual([200, 200]);
		const refused = await gateway.get('/v1/models');
		expect(refused.status).toBe(429);
		expect(refused.data.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
		expect(refused.headers['retry-after']).toBeUndefined();
		clock += 9_999;
		expect(await status()).toBe(429);
		clock += 1;
		expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
	});
});

describe('Capacity rule', () => {
	it('rejects the surplus', async () => {
		const { behaviour, journal } = gateway.emulator;
		behaviour.set('*', { latencyMs: 600_000, capacity: { concurrent: 3, surplus: 'refuse' } });
		const leaving = new AbortController();
		const three = [1, 2, 3].map(() => gateway.get('/v1/models', { signal: leaving.signal }));
		await journal.until(3);
		expect((await gateway.get('/v1/models')).status).toBe(429);
		leaving.abort();
		await Promise.allSettled(three);
		await journal.until(3, ({ closedByClient }) => closedByClient);
		behaviour.set('*', { capacity: { concurrent: 3, surplus: 'refuse' } });
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});
});
