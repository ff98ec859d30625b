import type { AxiosError } from 'axios';
import { chatBody, speechBody, useGateway } from './gateway';

const gateway = useGateway();

const failureOf = async (request: Promise<unknown>): Promise<AxiosError> =>
	await request.then(
		() => Promise.reject(new Error('The request succeeded.')),
		(error: AxiosError) => error,
	);

describe('Faults', () => {
	const withFaults = (...faults: object[]) =>
		gateway.emulator.behaviour.set('*', { faults: faults as never });

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
});
