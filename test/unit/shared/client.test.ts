import { Readable } from 'node:stream';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { endpoints, generateContentEndpoint, utilityEndpoint } from '../../../nodes/shared/send/endpoints';
import { interruptedFailure } from '../../../nodes/shared/errors/errorMessages';
import { readText } from '../../../nodes/shared/answer/answerReaders';
import { jsonBody } from '../../../nodes/shared/send/requestBody';
import { brokenStream } from '../brokenStream';
import { type FakeContext, type FakeAnswer } from './fakeContext';
import { BUSY, GOOD, gatewayWith, networkError, UNCLEAR } from './fakeGateway';

const REFUSED = networkError('ECONNREFUSED', 'connect');
/** A request that only reads. */
const READING = { endpoint: endpoints.models, json: undefined };

const CUT_OFF = new Error('cut off');

describe('A request to the gateway', () => {
	it('is sent once if it succeeds', async () => {
		const { send, sent } = gatewayWith([GOOD]);
		expect(await send()).toEqual({ text: 'Hello' });
		expect(sent).toMatchObject([
			{
				method: 'POST',
				url: 'https://gateway.example/v1/chat/completions',
				headers: { accept: '*/*', 'content-type': 'application/json', 'content-length': '15' },
				body: '{"prompt":"Hi"}',
				timeout: 300_000,
				agentOptions: { timeout: 10_000 },
				withKey: true,
			},
		]);
	});

	it('may have a query, a body of its own, and another time limit', async () => {
		const { send, sent } = gatewayWith([GOOD]);
		const body = { ...jsonBody('x'), contentType: 'text/plain', length: 3 };
		await send({ json: undefined, body, query: { a: '1 2' }, timeoutSeconds: 7 });
		await send({
			json: undefined,
			query: [
				['a', '1'],
				['a', '2'],
			],
			endpoint: endpoints.models,
		});
		await send({ query: {} });
		expect(sent.map(({ url }) => url.split('example')[1])).toEqual([
			'/v1/chat/completions?a=1+2',
			'/v1/models?a=1&a=2',
			'/v1/chat/completions',
		]);
		expect(sent[0]).toMatchObject({
			headers: { accept: '*/*', 'content-type': 'text/plain', 'content-length': '3' },
			body: '"x"',
			timeout: 7_000,
		});
		expect(sent[1]).toMatchObject({ method: 'GET', body: undefined, headers: { accept: '*/*' } });
		expect(sent[1].headers).not.toHaveProperty('content-type');
	});

	it('needs a credential that can be used', async () => {
		const failing = async (credential: object) => await gatewayWith([GOOD], { credential }).send();
		await expect(failing({ baseUrl: 'x' })).rejects.toMatchObject({ kind: 'settings' });
		await expect(failing({ apiKey: 'a\nb' })).rejects.toThrow('API Key');
		await expect(failing({ idempotencyHeader: 'host' })).rejects.toThrow('Idempotency Header');
	});
});

describe('A request that the gateway did not take', () => {
	it('is sent as often as Max Retries says, three more times by default', async () => {
		for (const maxRetries of [0, 2, undefined]) {
			const { send, sent } = gatewayWith([BUSY]);
			const count = 1 + (maxRetries ?? 3);
			await expect(send({ maxRetries })).rejects.toMatchObject({
				kind: 'gateway',
				facts: { status: 503, attempts: count, gatewayMessage: 'Busy' },
			});
			expect(sent).toHaveLength(count);
		}
	});

	it('is given up rather than sent more than ten minutes later', async () => {
		const after = (seconds: number) => [{ ...BUSY, headers: { 'retry-after': `${seconds}` } }, GOOD];
		const late = gatewayWith(after(601));
		await expect(late.send()).rejects.toMatchObject({
			facts: { status: 503, attempts: 1 },
			description: expect.stringMatching(/available again at .*\d\d:\d\d/),
		});
		expect(late.sent).toHaveLength(1);
		const inTime = gatewayWith(after(599));
		expect(await inTime.send()).toEqual({ text: 'Hello' });
	});

	it('is not sent again once somebody has seen a part of its answer', async () => {
		const { context, clock, sent } = gatewayWith([GOOD, GOOD]);
		const client = await GatewayClient.of(context.execute, { clock });
		const request = { endpoint: endpoints.chatCompletions, repeatsUnclear: true };
		const breaksOff = client.send(request, async ({ passedOn }) => {
			passedOn?.();
			return await Promise.reject(interruptedFailure(undefined, {}));
		});
		await expect(breaksOff).rejects.toMatchObject({ kind: 'interrupted' });
		expect(sent).toHaveLength(1);
	});
});

describe('A request that the gateway refuses for its rate', () => {
	const limited: FakeAnswer = { status: 429, headers: { 'retry-after': '2' } };

	it('is sent again after the pause that the gateway asks for', async () => {
		const { send, times } = gatewayWith([limited, limited, GOOD]);
		expect(await send()).toEqual({ text: 'Hello' });
		expect(times[1]).toBeGreaterThanOrEqual(2_000);
		expect(times).toHaveLength(3);
	});

	it('fails after as many pauses as Max Rate Limit Retries, or at once without retries', async () => {
		for (const maxRateLimitRetries of [0, 2]) {
			const { send, sent } = gatewayWith([limited]);
			const count = 1 + maxRateLimitRetries;
			await expect(send({ maxRateLimitRetries })).rejects.toMatchObject({
				kind: 'rateLimit',
				facts: { status: 429, attempts: count },
			});
			expect(sent).toHaveLength(count);
		}
	});

	it('fails if the pause is longer than ten minutes', async () => {
		const { send, sent } = gatewayWith([{ status: 429, headers: { 'retry-after': '86400' } }, GOOD]);
		await expect(send()).rejects.toMatchObject({ kind: 'rateLimit', facts: { attempts: 1 } });
		expect(sent).toHaveLength(1);
	});
});

describe('A request that may have been carried out', () => {
	it('is not sent again, and its failure says so', async () => {
		const { send, sent } = gatewayWith([UNCLEAR, GOOD]);
		await expect(send()).rejects.toMatchObject({
			kind: 'gateway',
			facts: { status: 502, attempts: 1, mayHaveBeenCarriedOut: true },
		});
		expect(sent).toHaveLength(1);
	});

	it('is sent again if it only reads', async () => {
		const { send, sent } = gatewayWith([UNCLEAR, GOOD]);
		await send(READING);
		expect(sent).toHaveLength(2);
		const failing = gatewayWith([UNCLEAR]).send({ ...READING, maxRetries: 1 });
		await expect(failing).rejects.toMatchObject({ facts: { mayHaveBeenCarriedOut: undefined } });
	});

	it('is sent again if the user wants that, or if the gateway recognizes it', async () => {
		const wanted = gatewayWith([UNCLEAR, GOOD]);
		expect(await wanted.send({ repeatsUnclear: true })).toEqual({ text: 'Hello' });
		const recognized = gatewayWith([UNCLEAR, GOOD], { credential: { idempotencyHeader: ' Key ' } });
		expect(await recognized.send()).toEqual({ text: 'Hello' });
	});

	it.each([
		['before its answer', [new Error('socket hang up')]],
		['in its answer', [{ body: brokenStream(CUT_OFF, '{"text"') }]],
		['in its answer, even with an error of connecting', [{ body: brokenStream(REFUSED, '{') }]],
	])('is one whose connection was lost %s', async (_when, answers) => {
		const { send, sent } = gatewayWith(answers);
		await expect(send()).rejects.toMatchObject({
			kind: 'interrupted',
			facts: { attempts: 1, mayHaveBeenCarriedOut: true },
		});
		expect(sent).toHaveLength(1);
	});
});

describe('The idempotency key', () => {
	const credential = { idempotencyHeader: 'Idempotency-Key' };
	const keysOf = ({ sent }: FakeContext) => sent.map(({ headers }) => headers?.['Idempotency-Key']);

	it('is the same in all attempts of a paid request, and another one in another request', async () => {
		const { send, context } = gatewayWith([BUSY, GOOD], { credential });
		await send();
		await send();
		const [first, again, other] = keysOf(context);
		expect(first).toMatch(/^[\w-]{36}$/);
		expect(again).toBe(first);
		expect(other).not.toBe(first);
	});

	it('is what the caller says', async () => {
		const { send, context } = gatewayWith([GOOD], { credential });
		await send({ idempotencyKey: 'mine' });
		await send({ idempotencyKey: 'mine', endpoint: utilityEndpoint('/v2/apis/news') });
		expect(keysOf(context)).toEqual(['mine', 'mine']);
	});

	it('is not sent with what is free, or without a header for it', async () => {
		const free = gatewayWith([GOOD], { credential });
		await free.send({ endpoint: endpoints.models, idempotencyKey: 'mine' });
		expect(keysOf(free.context)).toEqual([undefined]);
		const none = gatewayWith([GOOD]);
		await none.send({ idempotencyKey: 'mine' });
		expect(JSON.stringify(none.sent)).not.toContain('mine');
	});

	it('tells the gateway about a request in progress, whose 409 is then unclear', async () => {
		const inProgress = { status: 409, body: { error: { message: 'In progress' } } };
		const { send, sent } = gatewayWith([inProgress, GOOD], { credential });
		expect(await send()).toEqual({ text: 'Hello' });
		expect(sent).toHaveLength(2);
		await expect(gatewayWith([inProgress, GOOD]).send()).rejects.toMatchObject({
			facts: { status: 409, mayHaveBeenCarriedOut: undefined },
		});
	});
});

describe('A gateway that cannot be reached', () => {
	const credential = { alternateBaseUrl: 'https://other.example' };
	const hosts = (sent: Array<{ url: string }>) => sent.map(({ url }) => new URL(url).hostname);

	const refusing = (...names: string[]) => ({
		respond: ({ url }: { url: string }) => {
			if (names.includes(new URL(url).hostname)) throw REFUSED;
			return GOOD;
		},
		credential,
	});

	it('is reached there by each of a hundred requests, which are sent once', async () => {
		const { context, clock, sent } = gatewayWith([], refusing('gateway.example'));
		const client = await GatewayClient.of(context.execute, { clock });
		const request = { endpoint: endpoints.chatCompletions, json: { prompt: 'Hi' }, maxRetries: 0 };
		const all = Promise.all(Array.from({ length: 100 }, async () => await client.json(request)));
		expect(await clock.run(all)).toHaveLength(100);
		expect(hosts(sent).filter((host) => host === 'other.example')).toHaveLength(100);
	});

	it('has the files of its answers at the other address, too', async () => {
		for (const link of ['/files/a.png', 'files/a.png']) {
			const { context, clock, sent } = gatewayWith([], refusing('gateway.example'));
			const client = await GatewayClient.of(context.execute, { clock });
			await clock.run(client.download(link, readText, { maxRetries: 0 }));
			expect(sent.map(({ url }) => url)).toEqual([
				'https://gateway.example/files/a.png',
				'https://other.example/files/a.png',
			]);
			// Then that address is tried first, by requests and by downloads.
			await clock.run(client.json({ endpoint: endpoints.models }));
			await clock.run(client.download(link, readText, { maxRetries: 0 }));
			expect(hosts(sent).slice(2)).toEqual(['other.example', 'other.example']);
		}
	});

	it('is tried at both addresses with each retry, and what happened at either is said', async () => {
		const { send, sent } = gatewayWith([], refusing('gateway.example', 'other.example'));
		await expect(send({ maxRetries: 1 })).rejects.toMatchObject({
			kind: 'unreachable',
			message: 'No gateway answers at gateway.example:443',
			description:
				'Check the host and port of Base URL in the credential, and check that the gateway is running. Inside Docker, localhost is the container itself. Nothing was sent. Alternate Base URL was tried as well, without success: no gateway answers at other.example:443.',
			facts: { attempts: 2 },
		});
		expect(hosts(sent)).toEqual([...Array(2)].flatMap(() => ['gateway.example', 'other.example']));
	});

	it.each([
		['the utilities', utilityEndpoint('/v2/apis/60s')],
		['generate-content', generateContentEndpoint('aurora-4', false)],
	])('is not asked at its other address for %s, and that is said', async (_name, endpoint) => {
		const { send, sent } = gatewayWith([], refusing('gateway.example'));
		await expect(send({ endpoint, maxRetries: 1 })).rejects.toMatchObject({
			kind: 'unreachable',
			description: expect.stringMatching(
				/ Alternate Base URL was not tried, because it has only the paths under \/v1\.$/,
			),
		});
		expect(hosts(sent)).toEqual(['gateway.example', 'gateway.example']);
	});

	it.each([
		['n8n does not allow it', new Error('Domain not allowed: sk-canary'), 'n8n does not allow requests to'],
		['it cannot be written', networkError('ERR_INVALID_CHAR', ''), 'cannot be sent'],
	])('is not tried again if %s', async (_why, error, message) => {
		const { send, sent } = gatewayWith([error]);
		await expect(send()).rejects.toMatchObject({
			kind: 'unreachable',
			message: expect.stringContaining(message),
		});
		expect(sent).toHaveLength(1);
	});
});

describe('A request that is stopped', () => {
	it('fails as cancelled, and says whether it may be paid for', async () => {
		for (const [request, error, mayHaveBeenCarriedOut] of [
			[{}, new Error('aborted'), true],
			[READING, new Error('aborted'), undefined],
			[{}, REFUSED, undefined],
		] as const) {
			const cancel = new AbortController();
			const respond = () => {
				cancel.abort();
				throw error;
			};
			await expect(gatewayWith([], { signal: cancel.signal, respond }).send(request)).rejects.toMatchObject({
				kind: 'cancelled',
				facts: { mayHaveBeenCarriedOut },
			});
		}
	});

	it('does not wait for its next attempt', async () => {
		const cancel = new AbortController();
		const { send, sent, clock } = gatewayWith([], {
			signal: cancel.signal,
			respond: () => {
				setImmediate(() => cancel.abort());
				return { ...BUSY, headers: { 'retry-after': '300' } };
			},
		});
		const startedAt = clock.now();
		await expect(send()).rejects.toMatchObject({ kind: 'cancelled', facts: { attempts: 1 } });
		expect(sent).toHaveLength(1);
		expect(clock.now() - startedAt).toBeLessThan(300_000);
	});

	it('may be stopped alone', async () => {
		const cancel = new AbortController();
		cancel.abort();
		for (const signal of [undefined, new AbortController().signal]) {
			const { send, sent } = gatewayWith([GOOD], { signal });
			await expect(send({ signal: cancel.signal })).rejects.toMatchObject({
				kind: 'cancelled',
				facts: { attempts: 0 },
			});
			expect(sent).toEqual([]);
		}
	});
});

describe('A request that takes too long', () => {
	const never = (options: { abortSignal?: { addEventListener?: unknown } }) =>
		new Promise<FakeAnswer>((_resolve, reject) => {
			const signal = options.abortSignal as AbortSignal;
			signal.addEventListener('abort', () => reject(new Error('canceled')), { once: true });
		});

	it('is given up after its time limit', async () => {
		const { send, clock } = gatewayWith([], { respond: never });
		const startedAt = clock.now();
		await expect(send({ timeoutSeconds: 5 })).rejects.toMatchObject({
			kind: 'interrupted',
			message: 'The gateway did not respond in time',
			facts: { attempts: 1, mayHaveBeenCarriedOut: true },
		});
		expect(clock.now() - startedAt).toBeGreaterThanOrEqual(5_000);
		expect(clock.now() - startedAt).toBeLessThan(5_200);
	});
});

describe('A status', () => {
	it.each([
		[200, undefined],
		[299, undefined],
		[199, 'request'],
		[300, 'address'],
	])('of %i is a success or a failure: %s', async (status, kind) => {
		const outcome = await gatewayWith([{ ...GOOD, status }])
			.send({ maxRetries: 0 })
			.catch((failure: { kind: string }) => failure);
		expect(outcome).toMatchObject(kind === undefined ? { text: 'Hello' } : { kind });
	});
});

describe('A body that is generated while it is sent', () => {
	it('is closed with the attempt, even if nobody has read it', async () => {
		const opened: Readable[] = [];
		const open = () => {
			opened.push(Readable.from([Buffer.from('a')]));
			return opened.at(-1)!;
		};
		const body = { contentType: 'a/b', open, identity: () => '' };
		await gatewayWith([BUSY, GOOD]).send({ json: undefined, body });
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});
});
