import { GatewayClient } from '../../../nodes/shared/send/client';
import type { GatewayRequest } from '../../../nodes/shared/send/layer';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { type AnswerReader, readText } from '../../../nodes/shared/answer/answerReaders';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { mediaTypeOf } from '../../../nodes/shared/plain/headers';
import { jsonBody } from '../../../nodes/shared/send/requestBody';
import { FakeClock } from '../fakeClock';
import { FakeContext, type FakeAnswer, type FakeSettings } from './fakeContext';
import type { DownloadOptions } from '../../../nodes/shared/send/download';

const BUSY: FakeAnswer = { status: 503, body: { error: { message: 'Busy', type: 'server' } } };
const GOOD: FakeAnswer = { body: { text: 'Hello' } };
const BASE = 'https://other.example';
const REFUSED = Object.assign(new Error('ECONNREFUSED'), {
	...{ code: 'ECONNREFUSED', syscall: 'connect' },
	request: { socket: null, res: null },
});

let credentials = 0;
/** A gateway that answers with these answers in turn, and then with the last one again. */
function gatewayWith(answers: Array<FakeAnswer | Error>, settings: FakeSettings = {}) {
	const clock = new FakeClock();
	const startedAt = clock.now();
	const times: number[] = [];
	const respond = () => {
		times.push(clock.now() - startedAt);
		const answer = answers[Math.min(times.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	// Each credential has its own pace.
	const apiKey = `secret-key-${++credentials}`;
	const context = new FakeContext({ respond, ...settings, credential: { apiKey, ...settings.credential } });
	const send = async (request: Partial<GatewayRequest> = {}) => {
		const client = await GatewayClient.of(context.execute, { clock });
		const all = { endpoint: endpoints.chatCompletions, json: { prompt: 'Hi' }, ...request };
		return await clock.run(client.json(all, (body) => body));
	};
	return { context, clock, times, send, sent: context.sent };
}

describe('A request to the gateway', () => {
	it('says how often it was sent, also if its answer cannot be used', async () => {
		const { send } = gatewayWith([{ status: 503, body: 'Busy' }, { body: 'no JSON' }]);
		await expect(send()).rejects.toMatchObject({ kind: 'answer', facts: { attempts: 2 } });
	});

	it('may have a query, a body of its own, and another time limit', async () => {
		const { send, sent, context } = gatewayWith([GOOD]);
		const body = { ...jsonBody('x'), contentType: 'text/plain', length: 3 };
		await send({ json: undefined, body, query: { a: '1 2' }, timeoutSeconds: 7 });
		const query: Array<[string, string]> = [
			['a', '1'],
			['a', '2'],
		];
		await send({ json: undefined, query, endpoint: endpoints.models });
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
		// The query may be what a user has written.
		expect(context.attempts[1]).toContain('GET /v1/models, status 200');
	});

	it('repeats a request whose refusal says that the work was done only if the user wants it', async () => {
		const done = { status: 429, body: { error: { message: 'failed to upload image' } } };
		const ask = async (repeatsUnclear: boolean) => {
			const { send, sent } = gatewayWith([done, GOOD]);
			const outcome = await send({ repeatsUnclear }).catch((failure: GatewayFailure) => failure.charge);
			return [outcome, sent.length];
		};
		expect(await ask(false)).toEqual(['possible', 1]);
		expect(await ask(true)).toEqual([GOOD.body, 2]);
	});
});

describe('The log of an attempt', () => {
	it('ends with the request ID, from which the key is removed', async () => {
		const apiKey = 'sk-3f9a1c7e5b2d8046af51';
		const answers = ['8f2c', `for ${apiKey}`].map((id) => ({ ...GOOD, headers: { 'x-request-id': id } }));
		const { send, context } = gatewayWith(answers, { credential: { apiKey } });
		await send();
		await send();
		expect(context.attempts).toEqual([
			expect.stringMatching(/^Unified AI Gateway: POST .* succeeded, request ID 8f2c$/),
			expect.stringMatching(/ succeeded, request ID for \[API key\]$/),
		]);
	});
});

describe('A credential with the key in another field as well', () => {
	const apiKey = 'sk-3f9a1c7e5b2d8046af51';
	const values = [{ name: `Bearer ${apiKey}`, value: 'x' }];

	it.each<object>([
		{ messagesVersionHeader: `Bearer ${apiKey}` },
		{ idempotencyHeader: `Bearer ${apiKey}` },
		{ headers: { values } },
	])('is refused without the key: %j', async (fields) => {
		const { execute } = new FakeContext({ credential: { apiKey, ...fields } });
		await expect(GatewayClient.of(execute)).rejects.toMatchObject({
			kind: 'settings',
			message: expect.stringMatching(/^[^"]+ in the credential cannot (be|contain) "Bearer \[API key\]"$/),
		});
	});
});

describe('What is known of a gateway', () => {
	it('is shared by everything that uses the same address, key, headers, and limit', async () => {
		const learnedWith = async (credential: object) =>
			(await GatewayClient.of(new FakeContext({ credential }).execute, { clock: new FakeClock() })).learned;
		const learned = await learnedWith({});
		const headers = { values: [{ name: 'X-Organization', value: 'acme-corp' }] };
		for (const other of [
			{ baseUrl: BASE },
			{ apiKey: 'other-key' },
			{ headers },
			{ requestsPerMinute: 60 },
		]) {
			expect(await learnedWith(other)).not.toBe(learned);
		}
		expect(await learnedWith({})).toBe(learned);
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
			await clock.run(client.json({ endpoint: endpoints.models }, (body) => body));
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
				'Check the host and port of Base URL in the credential, and check that the gateway is running. Inside Docker, localhost is the container itself. Alternate Base URL was tried as well, without success: no gateway answers at other.example:443. Nothing was sent.',
			facts: { attempts: 2 },
		});
		expect(hosts(sent)).toEqual([...Array(2)].flatMap(() => ['gateway.example', 'other.example']));
	});

	it('is found at the address that was out of reach before if the other one is now', async () => {
		let out = 'gateway.example';
		const respond = ({ url }: { url: string }) => {
			if (new URL(url).hostname === out) throw REFUSED;
			return GOOD;
		};
		const { send, sent } = gatewayWith([], { respond, credential });
		await send();
		out = 'other.example';
		await send({ maxRetries: 0 });
		expect(hosts(sent)).toEqual(['gateway.example', 'other.example', 'other.example', 'gateway.example']);
	});

	it('is not blamed for an address that it redirects to', async () => {
		const moved: FakeAnswer = { status: 302, headers: { location: 'https://elsewhere.example/' } };
		const { send } = gatewayWith([moved, REFUSED]);
		await expect(send({ endpoint: endpoints.models, json: undefined, maxRetries: 0 })).rejects.toMatchObject({
			message: 'No server answers at elsewhere.example:443',
			description: expect.stringContaining('The gateway sent n8n to this address'),
		});
	});

	it.each<[string, object, object]>([
		['with an idempotency key', { idempotencyHeader: 'Idempotency-Key' }, {}],
		['because the user wants it', {}, { repeatsUnclear: true }],
	])('gets no request at its other address that the first one may have carried out, %s', async (...given) => {
		const [, ofCredential, options] = given;
		let count = 0;
		const respond = () => {
			throw ++count === 1 ? Object.assign(new Error('reset'), { code: 'ECONNRESET' }) : REFUSED;
		};
		const { send, sent } = gatewayWith([], { respond, credential: { ...credential, ...ofCredential } });
		const request = { endpoint: endpoints.chatCompletions, json: {}, maxRetries: 2, ...options };
		await expect(send(request)).rejects.toMatchObject({ charge: 'possible' });
		expect(hosts(sent)).toEqual(Array(3).fill('gateway.example'));
	});
});

describe('A download', () => {
	const FILE = 'http://files.example/a.png';
	const downloadOf = async (
		answers: Array<FakeAnswer | Error>,
		url = FILE,
		options: DownloadOptions = {},
		settings: FakeSettings = {},
		read: AnswerReader<unknown> = readText,
	) => {
		const { context, clock, sent, times } = gatewayWith(answers, settings);
		const client = await GatewayClient.of(context.execute, { clock });
		const outcome = await clock.run(client.download(url, read, options)).catch((failure: unknown) => failure);
		return { outcome, sent, times, context };
	};

	it('carries no key, not even to the gateway, and may have a path for an address', async () => {
		const { outcome, sent } = await downloadOf([{ body: 'file' }]);
		expect(outcome).toBe('file');
		expect(sent).toMatchObject([{ method: 'GET', url: FILE, withKey: false, timeout: 60_000 }]);
		const own = await downloadOf([{ body: 'file' }], '/files/a.png');
		expect(own.sent).toMatchObject([{ url: 'https://gateway.example/files/a.png', withKey: false }]);
	});

	it('is sent without the key in its link, and the log does not have its path', async () => {
		const apiKey = 'sk-3f9a1c7e5b2d8046af51';
		const link = `${FILE}?signature=${apiKey}`;
		const { sent, context } = await downloadOf([{ body: 'file' }], link, {}, { credential: { apiKey } });
		expect(sent.map(({ url }) => url.includes(apiKey))).toEqual([false]);
		const encoded = apiKey.replace('sk-', '%2573k%2d');
		const twice = await downloadOf(
			[{ body: 'file' }],
			`${FILE}?a=${encoded}`,
			{},
			{ credential: { apiKey } },
		);
		expect(twice.sent.map(({ url }) => /3f9a1c7e/.test(url))).toEqual([false]);
		expect(context.attempts).toEqual([expect.stringMatching(/GET a file of files\.example, status 200/)]);
		expect(context.attempts.join()).not.toContain('a.png');
	});

	it('has a link with the key if it is one of the gateway itself, and with the value of a header anywhere', async () => {
		const credential = {
			apiKey: 'sk-3f9a1c7e5b2d8046af51',
			headers: { values: [{ name: 'X-Organization', value: 'acme-corp' }] },
		};
		for (const link of [`https://gateway.example/${credential.apiKey}/a.png`, `${FILE}?for=acme-corp`]) {
			const { sent } = await downloadOf([{ body: 'file' }], link, {}, { credential });
			expect(sent.map(({ url }) => url)).toEqual([link]);
		}
	});

	it('fails with its link, because the file is paid for', async () => {
		const { outcome, sent } = await downloadOf([BUSY], FILE, { maxRetries: 2, timeoutSeconds: 7 });
		expect(outcome).toMatchObject({
			kind: 'download',
			message: 'The file could not be downloaded from files.example (status 503, tried 3 times: Busy)',
			facts: { partial: { url: FILE }, status: 503 },
		});
		expect(sent).toHaveLength(3);
		expect(sent[0].timeout).toBe(7_000);
		const credential = { alternateBaseUrl: BASE };
		const unreachable = await downloadOf([REFUSED], FILE, { maxRetries: 0 }, { credential });
		expect(unreachable.sent).toHaveLength(1);
	});

	it('waits for a file that is there some seconds later', async () => {
		const later = { status: 404, headers: { 'retry-after': '9' } };
		const { outcome, times } = await downloadOf([{ status: 404 }, later, { body: 'file' }]);
		expect(outcome).toBe('file');
		const waits = [times[1], times[2] - times[1]].map((ms) => Math.floor(ms / 1_000));
		expect(waits).toEqual([3, 9]);
		const never = await downloadOf(Array(4).fill({ status: 404 }));
		expect(never.outcome).toMatchObject({ message: expect.stringContaining('status 404, tried 4 times') });
		expect((await downloadOf([{ status: 403 }])).sent).toHaveLength(1);
	});

	it('is no request if the link is the file itself', async () => {
		const read: AnswerReader<unknown> = async (answer) => [mediaTypeOf(answer), await readText(answer)];
		const { outcome, sent } = await downloadOf([], 'data:audio/mpeg;base64,U29uZw==', {}, {}, read);
		expect(outcome).toEqual(['audio/mpeg', 'Song']);
		expect(sent).toEqual([]);
	});

	it.each(['data:image/png;base64,<>', 'ftp://files.example/a', 'https://'])(
		'is impossible from %s',
		async (url) => {
			const { outcome, sent } = await downloadOf([{ body: 'file' }], url);
			expect(outcome).toMatchObject({
				kind: 'download',
				message: expect.stringContaining('the link is not a valid web address'),
				facts: { partial: { url } },
			});
			expect(sent).toEqual([]);
		},
	);

	it.each<[GatewayFailure, string]>([
		[new GatewayFailure('storage', 'Full', ''), 'Full'],
		[new GatewayFailure('bug', 'Fault', ''), 'Fault'],
		[new GatewayFailure('answer', 'Odd', '', { status: 300, attempts: 2 }), ' (odd, tried 2 times)'],
		[new GatewayFailure('address', 'A page', '', { status: 200 }), ' (a page)'],
		[new GatewayFailure('address', 'Moved', '', { status: 300 }), ' (status 300)'],
	])('says why it cannot be read, and keeps its link: %s', async (failure, words) => {
		const read = async () => await Promise.reject(failure);
		const { outcome } = await downloadOf([{ body: 'file' }], FILE, {}, {}, read);
		expect(outcome).toMatchObject({
			kind: ['storage', 'bug'].includes(failure.kind) ? failure.kind : 'download',
			message: expect.stringContaining(words),
			facts: { partial: { url: FILE } },
		});
	});

	it.each([
		['six', undefined, 6],
		['Parallel Requests', 9, 9],
		['Parallel Requests', 2, 2],
	])('waits while there are as many others as %s', async (_limit, mostRequests, expected) => {
		const { context, clock } = gatewayWith([{ body: 'file' }]);
		const client = await GatewayClient.of(context.execute, { clock, mostRequests });
		let [open, most] = [0, 0];
		const read = async () => {
			most = Math.max(most, ++open);
			await clock.sleep(1_000);
			open -= 1;
		};
		await clock.run(Promise.all(Array.from({ length: 12 }, async () => await client.download(FILE, read))));
		expect(most).toBe(expected);
	});

	it('keeps its link when the execution is stopped', async () => {
		const cancel = new AbortController();
		const respond = () => {
			cancel.abort();
			throw new Error('aborted');
		};
		const { outcome } = await downloadOf([], FILE, {}, { signal: cancel.signal, respond });
		const advice = expect.stringMatching(/^The file was created and paid for, and its link is kept/);
		expect(outcome).toMatchObject({ kind: 'cancelled', advice, facts: { partial: { url: FILE } } });
	});
});
