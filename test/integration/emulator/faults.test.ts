import type { AxiosError } from 'axios';
import { chatBody, elapsed, speechBody, useGateway } from './gateway';

const gateway = useGateway();

const failureOf = async (request: Promise<unknown>): Promise<AxiosError> =>
	await request.then(
		() => Promise.reject(new Error('The request succeeded.')),
		(error: AxiosError) => error,
	);

/** The beginning of a response that does not end. */
async function beginningOf(path: string, isEnough: (text: string) => boolean): Promise<string> {
	const { data } = await gateway.get(path, { responseType: 'stream' });
	let text = '';
	for await (const chunk of data) {
		text += chunk;
		if (isEnough(text)) break;
	}
	return text;
}

describe('Faults', () => {
	const withFaults = (...faults: object[]) =>
		gateway.emulator.behaviour.set('*', { faults: faults as never });
	const speech = () => gateway.post('/v1/audio/speech', speechBody('Hello'), { responseType: 'arraybuffer' });

	/** Size of three beats of MP3. */
	const helloBytes = 1440;

	it('affect one request each, in order, and appear in the journal', async () => {
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

	it('support times, skip and when', async () => {
		const status = async (text: string) =>
			(await gateway.post('/v1/chat/completions', chatBody(text))).status;
		withFaults({ kind: 'status', status: 503, times: 'always', skip: 1, when: 'item 7' });
		expect([await status('item 7'), await status('item 8')]).toEqual([200, 200]);
		expect([await status('item 7'), await status('item 8'), await status('item 7')]).toEqual([503, 200, 503]);
		withFaults({ kind: 'status', status: 503, when: 'page=3' });
		expect((await gateway.get('/v1/models?page=2')).status).toBe(200);
		expect((await gateway.get('/v1/models?page=3')).status).toBe(503);
	});

	it('of kind resetBeforeHeaders reset the connection, which does not count as closed by the client', async () => {
		withFaults({ kind: 'resetBeforeHeaders' });
		expect((await failureOf(gateway.get('/v1/models'))).code).toBe('ECONNRESET');
		const [entry] = await gateway.emulator.journal.until(1, ({ finishedAt }) => finishedAt !== null);
		expect(entry).toMatchObject({ closedByClient: false, status: null });
	});

	it.each([0, 50, 100_000])(
		'of kind cut close the connection after %d bytes of the body',
		async (afterBytes) => {
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
		},
	);

	it('of kind stall stop before the response or in the middle of the body', async () => {
		withFaults({ kind: 'stall' }, { kind: 'stall', afterBytes: 10 });
		expect((await failureOf(gateway.get('/v1/models', { timeout: 60 }))).code).toBe('ECONNABORTED');
		const answer = await gateway.get('/v1/models', { responseType: 'stream' });
		const received = await new Promise<Buffer>((resolve) => answer.data.once('data', resolve));
		expect(received).toHaveLength(10);
		answer.data.destroy();
		const entries = await gateway.emulator.journal.until(2, ({ closedByClient }) => closedByClient);
		expect(entries.map(({ status }) => status)).toEqual([null, 200]);
	});

	it('of kind drip send the complete body slowly', async () => {
		const whole = (await speech()).data;
		withFaults({ kind: 'drip', bytes: 480, delayMs: 20 });
		let dripped: unknown;
		const time = await elapsed(async () => (dripped = (await speech()).data));
		expect(dripped).toEqual(whole);
		expect(time).toBeGreaterThanOrEqual(58);
	});

	it('of kind deepJson add nested arrays to the correct JSON', async () => {
		withFaults(
			{ kind: 'deepJson', levels: 3 },
			{ kind: 'deepJson', levels: 3 },
			{ kind: 'deepJson', levels: 3 },
		);
		const models = await gateway.get('/v1/models');
		expect(models.data).toMatchObject({ object: 'list', deep: [[[]]] });
		const envelope = await gateway.get('/v2/apis/60s');
		expect(envelope.data).toMatchObject({ code: 200, data: { deep: [[[]]] } });
		expect(envelope.data).not.toHaveProperty('deep');
		expect(JSON.parse(Buffer.from((await speech()).data).toString())).toEqual({ deep: [[[]]] });
	});

	it('of kind endless go on after the correct body', async () => {
		withFaults(
			{ kind: 'endless', of: 'whiteSpace', delayMs: 1 },
			{ kind: 'endless', of: 'content', delayMs: 1 },
		);
		const json = await beginningOf('/v1/models', (text) => text.endsWith('   '));
		expect(JSON.parse(json)).toMatchObject({ object: 'list' });
		const repeated = await beginningOf('/v1/models', (text) =>
			text.endsWith(`}${json.trim().slice(-1_000)}`),
		);
		expect(repeated.startsWith(json.trim())).toBe(true);
	});

	it('of kind invalidUtf8 insert invalid bytes into the correct body', async () => {
		withFaults({ kind: 'invalidUtf8' });
		const { data } = await gateway.get('/v1/models', { responseType: 'arraybuffer' });
		expect(() => new TextDecoder('utf-8', { fatal: true }).decode(data)).toThrow();
		expect(JSON.parse(Buffer.from(data).toString('utf8'))).toHaveProperty('data');
	});
});
