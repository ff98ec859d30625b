import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { exchangeOf, type HttpRequest } from '../../../nodes/shared/send/transport';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import { FakeContext, type FakeAnswer } from './fakeContext';

const addresses = {
	base: 'https://gateway.example',
	alternate: 'https://other.example',
	utilities: 'https://gateway.example',
};
const credential = {
	baseUrl: addresses.base,
	apiKey: 'key',
	allowedHttpRequestDomains: 'domains',
	allowedDomains: 'gateway.example',
};
const URL_OF_MODELS = 'https://gateway.example/v1/models';
const REQUEST = {
	method: 'GET',
	url: URL_OF_MODELS,
	headers: { accept: '*/*' },
	idleTimeoutMs: 5_000,
} as const;
const TRANSPORT = { credential, addresses, redactor: new Redactor(['secret-key-123']) };

/** Sends one request to a server that answers by URL. */
async function send(answers: Record<string, FakeAnswer>, request: Partial<HttpRequest> = {}, withKey = true) {
	const respond = ({ url }: IHttpRequestOptions) => answers[url] ?? { status: 404 };
	const context = new FakeContext({ respond });
	const { signal } = new AbortController();
	const key = withKey ? {} : { credential: undefined };
	const transport = { ...TRANSPORT, ...key, context: context.execute };
	const answer = await exchangeOf(transport)({ ...REQUEST, signal, ...request });
	return { answer, sent: context.sent, signal };
}
const redirect = (location: string, status = 302): FakeAnswer => ({ status, headers: { location } });

describe('A request', () => {
	it('goes through the helper of n8n, with its time limit and its signal, and returns any status', async () => {
		const { answer, sent, signal } = await send({ [URL_OF_MODELS]: { status: 500, headers: { a: 'b' } } });
		expect(answer).toMatchObject({ status: 500, headers: { a: 'b' } });
		expect(answer.body.readable).toBe(true);
		expect(sent).toMatchObject([
			{
				method: 'GET',
				url: URL_OF_MODELS,
				headers: REQUEST.headers,
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 5_000,
				abortSignal: signal,
				withKey: true,
			},
		]);
	});

	it('carries the key and its own headers only to the addresses of the credential', async () => {
		const ownHeaders = { 'idempotency-key': '1' };
		const own = await send({}, { ownHeaders });
		expect(own.sent).toMatchObject([
			{
				withKey: true,
				headers: { accept: '*/*', 'idempotency-key': '1' },
				allowedDomains: 'gateway.example',
			},
		]);
		const foreign = { ownHeaders, url: 'https://files.example/a' };
		const { sent } = await send({}, foreign);
		expect(sent).toMatchObject([{ withKey: false, headers: { accept: '*/*' } }]);
		expect(sent[0].headers).not.toHaveProperty('idempotency-key');
		expect(sent[0].allowedDomains).toBeUndefined();
	});

	it('is stopped by its own signal, not only by that of the execution', async () => {
		const { signal } = new AbortController();
		let seen: AbortSignal | undefined;
		const { execute } = new FakeContext({ signal: new AbortController().signal });
		Object.assign(execute.helpers.httpRequestWithAuthentication, {
			call: async (context: typeof execute) => {
				seen = context.getExecutionCancelSignal();
				return { statusCode: 200, headers: {}, body: { destroy: () => {} } };
			},
		});
		const transport = { ...TRANSPORT, context: execute };
		await exchangeOf(transport)({ ...REQUEST, signal });
		expect(seen).toBe(signal);
	});
});

describe('A redirect of a request that reads', () => {
	it('is followed, with the key only at the addresses of the credential', async () => {
		const { answer, sent } = await send({
			[URL_OF_MODELS]: redirect('/v2/models'),
			'https://gateway.example/v2/models': redirect('https://files.example/models'),
			'https://files.example/models': redirect('https://other.example/models'),
			'https://other.example/models': { status: 200 },
		});
		expect(answer.status).toBe(200);
		expect(sent.map(({ url, withKey }) => [url, withKey])).toEqual([
			[URL_OF_MODELS, true],
			['https://gateway.example/v2/models', true],
			['https://files.example/models', false],
			['https://other.example/models', true],
		]);
	});

	it('closes the answer that redirects', async () => {
		const body = Readable.from([Buffer.from('Moved')]);
		await send({ [URL_OF_MODELS]: { ...redirect('/a'), body } });
		expect(body.destroyed).toBe(true);
	});

	it('is followed five times', async () => {
		const { answer, sent } = await send({ [URL_OF_MODELS]: redirect(URL_OF_MODELS) });
		expect([answer.status, sent.length]).toEqual([302, 6]);
	});

	it.each([
		['to another protocol', redirect('ftp://gateway.example/')],
		['to a file', redirect('file:///etc/passwd')],
		['to something that is no address', redirect('https://')],
		['to nowhere', redirect('')],
		['without an address', { status: 302 }],
		['with the key in its address', redirect('https://files.example/?k=secret-key-123')],
		['with a status that is none', redirect('/a', 200)],
		['with a status above', redirect('/a', 400)],
		['with a status below', redirect('/a', 299)],
	])('is returned as it is %s', async (_what, answer) => {
		const { sent } = await send({ [URL_OF_MODELS]: answer });
		expect(sent).toHaveLength(1);
	});

	it.each([300, 301, 303, 307, 308, 399])('is followed with the status %i', async (status) => {
		expect((await send({ [URL_OF_MODELS]: redirect('/a', status) })).sent).toHaveLength(2);
	});
});

describe('A redirect of a request that may be paid for', () => {
	const post = async (answer: FakeAnswer, body: HttpRequest['body'] = '{}') =>
		(await send({ [URL_OF_MODELS]: answer }, { method: 'POST', body })).sent;

	it('is followed only with the statuses that keep the request as it is', async () => {
		for (const status of [307, 308]) {
			const sent = await post(redirect('https://other.example/a', status));
			expect(sent).toMatchObject([{ method: 'POST' }, { method: 'POST', body: '{}', withKey: true }]);
		}
		for (const status of [300, 301, 302, 303]) expect(await post(redirect('/a', status))).toHaveLength(1);
	});

	it('is followed only to an address of the credential', async () => {
		expect(await post(redirect('https://files.example/a', 307))).toHaveLength(1);
	});

	it('is not followed if its body cannot be sent again', async () => {
		expect(await post(redirect('/a', 307), Readable.from([]))).toHaveLength(1);
	});
});
