import type { AxiosError } from 'axios';
import { startEmulator } from '../../../emulator';
import { chatBody, speechBody, useGateway } from './gateway';

let clock = 1_000_000;
const gateway = useGateway({ now: () => clock });

const elapsed = async (work: () => Promise<unknown>) => {
	const start = performance.now();
	await work();
	return performance.now() - start;
};
const failureOf = async (request: Promise<unknown>): Promise<AxiosError> =>
	await request.then(
		() => Promise.reject(new Error('The request succeeded.')),
		(error: AxiosError) => error,
	);

describe('latency', () => {
	it('delays the answer of the route it is set for', async () => {
		gateway.emulator.behaviour.set('GET /v1/models', { latencyMs: 200 });
		expect(await elapsed(() => gateway.get('/v1/models'))).toBeGreaterThanOrEqual(198);
		expect(await elapsed(() => gateway.get('/v1/audio/voices'))).toBeLessThan(190);
	});

	it('draws the same latencies from a range in every run', () => {
		const { behaviour } = gateway.emulator;
		const draw = () => {
			behaviour.reset();
			behaviour.set('*', { latencyMs: [10, 20] });
			const { latencyMs } = behaviour.treatmentOf('GET', '/v1/models');
			return [latencyMs(), latencyMs(), latencyMs()];
		};
		const drawn = draw();
		expect(draw()).toEqual(drawn);
		expect(new Set(drawn).size).toBe(3);
		for (const latency of drawn) {
			expect(latency).toBeGreaterThanOrEqual(10);
			expect(latency).toBeLessThanOrEqual(20);
		}
	});

	it('takes the longest pattern', () => {
		const { behaviour } = gateway.emulator;
		behaviour.set('GET /v1/*', { latencyMs: 2 });
		behaviour.set('*', { latencyMs: 1 });
		behaviour.set('GET /v1/models', { latencyMs: 3 });
		const latency = (method: string, path: string) => behaviour.treatmentOf(method, path).latencyMs();
		expect(latency('GET', '/v1/models')).toBe(3);
		expect(latency('GET', '/v1/audio/voices')).toBe(2);
		expect(latency('POST', '/v1/models')).toBe(1);
	});
});

describe('limits', () => {
	const limited = (limit: object) =>
		gateway.emulator.behaviour.set('GET /v1/models', { limit: { requests: 2, perMs: 10_000, ...limit } });
	const status = async () => (await gateway.get('/v1/models')).status;

	it('refuses the surplus of a sliding window with the documented body', async () => {
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

	it('starts a fixed window at a fixed time', async () => {
		limited({ mode: 'fixed' });
		clock = 1_009_999;
		expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
		clock = 1_010_000;
		expect([await status(), await status(), await status()]).toEqual([200, 200, 429]);
	});

	it.each([
		['seconds', 'retry-after', '8'],
		['ms', 'retry-after-ms', '7500'],
		['date', 'retry-after', 'Tue, 01 Jan 2030 00:00:08 GMT'],
	])('says when to come back, in %s', async (retryAfter, header, value) => {
		clock = Date.UTC(2030, 0, 1);
		limited({ requests: 1, perMs: 7_500, retryAfter });
		await status();
		expect((await gateway.get('/v1/models')).headers[header]).toBe(value);
	});

	it('holds together with the limit of a wider pattern, and a refused request counts in neither', async () => {
		limited({ requests: 1 });
		gateway.emulator.behaviour.set('*', { limit: { requests: 2, perMs: 10_000 } });
		expect([await status(), await status()]).toEqual([200, 429]);
		expect((await gateway.get('/v1/audio/voices')).status).toBe(200);
		expect((await gateway.get('/v1/audio/voices')).status).toBe(429);
	});

	it('is given for the whole gateway at the start, and survives a reset', async () => {
		const emulator = await startEmulator({ requestsPerMinute: 2, latencyMs: 30, now: () => clock });
		const models = () =>
			gateway.client.get(`${emulator.url}/v1/models`, { headers: { Authorization: 'Bearer emulator-key' } });
		try {
			emulator.behaviour.reset();
			expect(await elapsed(models)).toBeGreaterThanOrEqual(28);
			expect([(await models()).status, (await models()).status]).toEqual([200, 429]);
			clock += 60_000;
			expect((await models()).status).toBe(200);
		} finally {
			await emulator.close();
		}
	});
});

describe('capacity', () => {
	const four = async () => {
		const answers = await Promise.all([1, 2, 3, 4].map(() => gateway.get('/v1/models')));
		return answers.map(({ status }) => status);
	};

	it('lets the surplus wait', async () => {
		gateway.emulator.behaviour.set('*', { latencyMs: 30, capacity: { concurrent: 2, surplus: 'queue' } });
		expect(
			await elapsed(async () => expect(await four()).toEqual([200, 200, 200, 200])),
		).toBeGreaterThanOrEqual(58);
	});

	it('refuses the surplus', async () => {
		gateway.emulator.behaviour.set('*', { latencyMs: 150, capacity: { concurrent: 3, surplus: 'refuse' } });
		expect((await four()).sort()).toEqual([200, 200, 200, 429]);
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});

	it('forgets a client that leaves the queue', async () => {
		const { behaviour, journal } = gateway.emulator;
		behaviour.set('*', { latencyMs: 60, capacity: { concurrent: 1 } });
		const leaving = new AbortController();
		const first = gateway.get('/v1/models');
		await journal.until(1);
		const left = gateway.get('/v1/models', { signal: leaving.signal });
		await journal.until(2);
		leaving.abort();
		await expect(left).rejects.toThrow('canceled');
		expect((await first).status).toBe(200);
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});
});

describe('faults', () => {
	const withFaults = (...faults: object[]) =>
		gateway.emulator.behaviour.set('*', { faults: faults as never });
	const speech = () => gateway.post('/v1/audio/speech', speechBody('Hello'), { responseType: 'arraybuffer' });

	/** Three beats of MP3. */
	const helloBytes = 1440;

	it('hit one request each, in their order, and are noted in the journal', async () => {
		withFaults({ kind: 'status', status: 500 }, { kind: 'status', status: 429, times: 2 });
		const answers = [];
		for (let index = 0; index < 4; index++) answers.push(await gateway.get('/v1/models'));
		expect(answers.map(({ status }) => status)).toEqual([500, 429, 429, 200]);
		expect(answers[0].data.error.code).toBe('server_error');
		expect(answers[1].data.error.code).toBe('rate_limit_exceeded');
		expect(gateway.emulator.journal.entries().map(({ fault }) => fault)).toEqual([
			'status',
			'status',
			'status',
			null,
		]);
	});

	it('hit always, skip requests, and look for a text', async () => {
		const status = async (text: string) =>
			(await gateway.post('/v1/chat/completions', chatBody(text))).status;
		withFaults({ kind: 'status', status: 503, times: 'always', skip: 1, when: 'item 7' });
		expect([await status('item 7'), await status('item 8')]).toEqual([200, 200]);
		expect([await status('item 7'), await status('item 8'), await status('item 7')]).toEqual([503, 200, 503]);
		withFaults({ kind: 'status', status: 503, when: 'page=3' });
		expect((await gateway.get('/v1/models?page=2')).status).toBe(200);
		expect((await gateway.get('/v1/models?page=3')).status).toBe(503);
	});

	it('do not hit requests with a wrong key', async () => {
		withFaults({ kind: 'status', status: 500 });
		expect((await gateway.get('/v1/models', { headers: { Authorization: null } })).status).toBe(401);
		expect((await gateway.get('/v1/models')).status).toBe(500);
	});

	it('status: with its own headers and body', async () => {
		withFaults(
			{
				kind: 'status',
				status: 529,
				headers: { 'retry-after': '1' },
				body: { status: 529, message: 'full' },
			},
			{ kind: 'status', status: 413, body: 'too large', contentType: 'text/x-note' },
		);
		const json = await gateway.get('/v1/models');
		expect([json.status, json.headers['retry-after'], json.data]).toEqual([
			529,
			'1',
			{ status: 529, message: 'full' },
		]);
		const text = await gateway.get('/v1/models');
		expect([text.status, text.headers['content-type'], text.data]).toEqual([413, 'text/x-note', 'too large']);
	});

	it('html and empty: what a proxy answers', async () => {
		withFaults({ kind: 'html', status: 502 }, { kind: 'empty', status: 429 });
		const html = await gateway.get('/v1/models');
		expect([html.status, html.headers['content-type']]).toEqual([502, expect.stringContaining('text/html')]);
		expect(html.data).toContain('<h1>502 Bad Gateway</h1>');
		const empty = await gateway.get('/v1/models');
		expect([empty.status, empty.data, empty.headers['content-length']]).toEqual([429, '', '0']);
	});

	it('redirect: to any address', async () => {
		withFaults({ kind: 'redirect', status: 307, location: 'http://elsewhere.example/' });
		const answer = await gateway.get('/v1/models');
		expect([answer.status, answer.headers.location]).toEqual([307, 'http://elsewhere.example/']);
	});

	it('resetBeforeHeaders: the connection is gone, and not because of the client', async () => {
		withFaults({ kind: 'resetBeforeHeaders' });
		expect((await failureOf(gateway.get('/v1/models'))).code).toBe('ECONNRESET');
		const [entry] = await gateway.emulator.journal.until(1, ({ finishedAt }) => finishedAt !== null);
		expect(entry).toMatchObject({ closedByClient: false, status: null });
	});

	it.each([0, 50, 100_000])('cut: after %d bytes of the body', async (afterBytes) => {
		withFaults({ kind: 'cut', afterBytes });
		const answer = await gateway.post('/v1/audio/speech', speechBody('Hello'), { responseType: 'stream' });
		expect(answer.status).toBe(200);
		const received: Buffer[] = [];
		const read = async () => {
			for await (const chunk of answer.data) received.push(chunk);
		};
		await expect(read()).rejects.toThrow(/aborted/);
		expect(Buffer.concat(received).length).toBe(Math.min(afterBytes, helloBytes));
		const [entry] = await gateway.emulator.journal.until(1, ({ finishedAt }) => finishedAt !== null);
		expect(entry.closedByClient).toBe(false);
	});

	it('stall: without an answer, and in the middle of the body', async () => {
		withFaults({ kind: 'stall' }, { kind: 'stall', afterBytes: 10 });
		expect((await failureOf(gateway.get('/v1/models', { timeout: 60 }))).code).toBe('ECONNABORTED');
		const answer = await gateway.get('/v1/models', { responseType: 'stream' });
		const received = await new Promise<Buffer>((resolve) => answer.data.once('data', resolve));
		expect(received).toHaveLength(10);
		answer.data.destroy();
		const entries = await gateway.emulator.journal.until(2, ({ closedByClient }) => closedByClient);
		expect(entries.map(({ status }) => status)).toEqual([null, 200]);
	});

	it('drip: slowly, but complete', async () => {
		const whole = (await speech()).data;
		withFaults({ kind: 'drip', bytes: 480, delayMs: 20 });
		let dripped: unknown;
		const time = await elapsed(async () => (dripped = (await speech()).data));
		expect(dripped).toEqual(whole);
		expect(time).toBeGreaterThanOrEqual(58);
	});

	it('truncatedJson: ends too early without a sign of it', async () => {
		withFaults({ kind: 'truncatedJson', bytes: 12 });
		const answer = await gateway.get('/v1/models');
		expect([answer.status, answer.data]).toEqual([200, '{"object":"l']);
	});

	it('wrongContentType: the right body under another name', async () => {
		withFaults({ kind: 'wrongContentType', contentType: 'text/plain' });
		const answer = await gateway.get('/v1/models');
		expect([answer.headers['content-type'], answer.data.object]).toEqual(['text/plain', 'list']);
	});
});

it('refuses malformed patterns and rules', () => {
	const { behaviour } = gateway.emulator;
	expect(() => behaviour.set('v1/models', {})).toThrow('not a route pattern');
	expect(() => behaviour.set('*', { latency: 5 } as never)).toThrow('latency');
	expect(() => behaviour.set('*', { faults: [{ kind: 'explode' } as never] })).toThrow('kind');
	expect(behaviour.current()).toEqual({});
});

describe('control over HTTP', () => {
	it('sets, shows and resets rules', async () => {
		const rules = { 'GET /v1/models': { faults: [{ kind: 'empty', status: 418 }] } };
		expect((await gateway.client.put('/__emulator/behaviour', rules)).status).toBe(200);
		expect((await gateway.get('/__emulator/behaviour')).data).toMatchObject(rules);
		expect((await gateway.get('/v1/models')).status).toBe(418);
		await gateway.client.put('/__emulator/behaviour', { '*': { limit: { requests: 0, perMs: 1_000 } } });
		expect((await gateway.get('/v1/models')).status).toBe(429);
		expect((await gateway.client.delete('/__emulator/behaviour')).status).toBe(204);
		expect((await gateway.get('/v1/models')).status).toBe(200);
	});

	it('refuses malformed rules and keeps those that hold', async () => {
		gateway.emulator.behaviour.set('*', { latencyMs: 1 });
		for (const body of [{ nowhere: {} }, { '*': { speed: 1 } }, [], 'text']) {
			expect((await gateway.client.put('/__emulator/behaviour', body)).status).toBe(400);
		}
		expect(gateway.emulator.behaviour.current()).toEqual({ '*': { latencyMs: 1 } });
	});

	it('shows and clears the journal without a key, and is not in it', async () => {
		const open = { headers: { Authorization: null } };
		await gateway.get('/v1/models');
		const { data } = await gateway.get('/__emulator/journal', open);
		expect(data.entries).toHaveLength(1);
		expect(data.entries[0].path).toBe('/v1/models');
		expect((await gateway.get('/__emulator/health', open)).data).toEqual({ status: 'ok', requests: 1 });
		await gateway.client.delete('/__emulator/journal', open);
		expect(gateway.emulator.journal.count()).toBe(0);
	});
});

it('closes at once, whatever is open', async () => {
	const emulator = await startEmulator();
	emulator.behaviour.set('*', { faults: [{ kind: 'stall' }] });
	const open = gateway.client.get(`${emulator.url}/v1/models`, {
		headers: { Authorization: `Bearer ${emulator.apiKey}` },
	});
	const broken = expect(open).rejects.toThrow();
	await emulator.journal.until(1, ({ fault }) => fault === 'stall');
	expect(await elapsed(() => emulator.close())).toBeLessThan(500);
	await broken;
	expect(emulator.journal.entries()[0].closedByClient).toBe(false);
});

it('says when its port is taken', async () => {
	await expect(startEmulator({ port: gateway.emulator.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
