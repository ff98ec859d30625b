import { Readable } from 'node:stream';
import { VECTORS_BUDGET } from '../../../nodes/shared/http/budgets';
import {
	type Answer,
	failureOf,
	parseAnswer,
	readFailedAnswer,
	readJson,
	readText,
	readVectorsJson,
	throwIfError,
} from '../../../nodes/shared/http/answerReaders';

const PAGE = '<!DOCTYPE html><html>Sign in</html>';
const MEGABYTE = Buffer.alloc(1_000_000, ' ');
const megabytes = (count: number) => Readable.from(new Array<Buffer>(count).fill(MEGABYTE));

function answerOf(body: string | Buffer | Readable, more: Partial<Answer> = {}): Answer {
	return {
		status: 200,
		headers: { 'x-request-id': 'request-1' },
		url: 'https://gateway.example/v1/models',
		body: body instanceof Readable ? body : Readable.from([Buffer.from(body)]),
		...more,
	};
}

describe('An answer as text', () => {
	it('is UTF-8 without its byte order mark', async () => {
		expect(await readText(answerOf('\ufeffGrüße'))).toBe('Grüße');
		expect(await readText(answerOf(Buffer.from([0x61, 0xff])))).toBe('a\ufffd');
	});

	it('is not read further when it is too long', async () => {
		const body = megabytes(33);
		await expect(readText(answerOf(body))).rejects.toMatchObject({
			kind: 'answer',
			message: "The gateway's response cannot be used: it is longer than 32 MB",
			facts: { requestId: 'request-1' },
		});
		expect(body.destroyed).toBe(true);
	});

	it('keeps what had arrived when its connection breaks, or fails with the error of the connection', async () => {
		const broken = new Error('ECONNRESET');
		const body = Readable.from(
			(async function* () {
				yield Buffer.from('a');
				await Promise.resolve();
				throw broken;
			})(),
		);
		await expect(readText(answerOf(body))).rejects.toMatchObject({
			kind: 'interrupted',
			cause: broken,
			facts: { partial: { answer: 'a' } },
		});
		const silent = Readable.from([]).destroy(broken);
		await expect(readText(answerOf(silent))).rejects.toBe(broken);
	});
});

describe('An answer as JSON', () => {
	it('is its value', async () => {
		expect(await readJson(answerOf(' {"a": [1, null]} '))).toEqual({ a: [1, null] });
		expect(await parseAnswer('7', answerOf(''))).toBe(7);
	});

	it('keeps what arrived when it is not JSON, because it may be paid for', async () => {
		await expect(readJson(answerOf('{"id": "a'))).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('it is not valid JSON, or it was cut off'),
			facts: { status: 200, requestId: 'request-1', partial: { answer: '{"id": "a' } },
		});
	});

	it('keeps the first 100,000 characters, and nothing of an empty answer', async () => {
		await expect(readJson(answerOf('x'.repeat(100_001)))).rejects.toMatchObject({
			facts: { partial: { answer: 'x'.repeat(100_000) } },
		});
		const empty = await readJson(answerOf('')).catch((error: { facts: object }) => error.facts);
		expect(empty).toEqual({ status: 200, requestId: 'request-1' });
	});

	it('may turn out to be a web page', async () => {
		await expect(readJson(answerOf(PAGE))).rejects.toMatchObject({
			kind: 'address',
			message: expect.stringContaining('gateway.example answered with a web page'),
			facts: { status: 200, requestId: 'request-1' },
		});
	});

	it('may be an error despite its status', async () => {
		const body = JSON.stringify({ error: { message: 'No credit', code: 'credit' } });
		await expect(readJson(answerOf(body))).rejects.toMatchObject({
			kind: 'request',
			facts: { status: 200, code: 'credit', gatewayMessage: 'No credit', requestId: 'request-1' },
		});
		for (const harmless of [{}, { error: null }, { error: {} }, { error: '' }, { error: false }, []]) {
			expect(() => throwIfError(harmless, answerOf(''))).not.toThrow();
		}
	});

	it('keeps what stands beside an error', async () => {
		const error = { message: 'No credit' };
		const failureOf = async (body: object) =>
			await readJson(answerOf(JSON.stringify(body))).catch((failure: { facts: object }) => failure.facts);
		const contents = [
			{ choices: [{ message: { content: 'Once' } }] },
			{ content: [{ text: 'Once' }] },
			{ candidates: [{}] },
		];
		for (const content of contents) {
			const body = { ...content, error };
			expect(await failureOf(body)).toMatchObject({ mayHaveBeenCarriedOut: true, partial: { answer: body } });
		}
		const withId = await failureOf({ id: 'a', data: null, list: [], error });
		expect(withId).toMatchObject({ partial: { answer: { id: 'a' } } });
		expect(withId).toMatchObject({ mayHaveBeenCarriedOut: undefined });
		expect(await failureOf({ type: 'error', error })).not.toHaveProperty('partial');
	});

	it('may be longer if it contains vectors', async () => {
		const tooLong = () => answerOf(megabytes(VECTORS_BUDGET.bytes / 1e6 + 1));
		await expect(readVectorsJson(tooLong())).rejects.toThrow('longer than 48 MB');
		await expect(readJson(tooLong())).rejects.toThrow('longer than 32 MB');
		expect(await readVectorsJson(answerOf('[[1, 2]]'))).toEqual([[1, 2]]);
	});
});

describe('An answer with a failing status', () => {
	const failed = async (body: string | Readable, more: Partial<Answer> = {}) =>
		await readFailedAnswer(answerOf(body, { status: 500, ...more }));

	it("has the facts of a gateway's error object", async () => {
		expect(await failed('{"error":{"message":"Busy","type":"server"}}')).toEqual({
			status: 500,
			facts: { code: undefined, type: 'server', gatewayMessage: 'Busy', requestId: 'request-1' },
			meantStatus: 500,
			hasErrorObject: true,
			isWebPage: false,
		});
	});

	it('may be a text or a web page', async () => {
		expect(await failed('Bad gateway')).toMatchObject({
			facts: { gatewayMessage: 'Bad gateway' },
			hasErrorObject: false,
			isWebPage: false,
		});
		expect(await failed(PAGE)).toMatchObject({ hasErrorObject: false, isWebPage: true });
	});

	it('has where the result is only if the status says "see other"', async () => {
		const headers = { location: 'https://gateway.example/result' };
		expect((await failed('', { status: 303, headers })).facts).toMatchObject({
			partial: { url: 'https://gateway.example/result' },
		});
		expect((await failed('', { status: 303 })).facts).not.toHaveProperty('partial');
		const other = (await failed('', { status: 302, headers })).facts;
		expect(other).not.toHaveProperty('partial');
		expect(other.gatewayMessage).toBe('Location: https://gateway.example/result');
		expect((await failed('{"error":{"message":"no"}}', { status: 400, headers })).facts.gatewayMessage).toBe(
			'no',
		);
	});

	it('is read as far as it arrives, and to its first megabyte', async () => {
		const text = Buffer.from('"x"');
		const breaks = Readable.from(
			(async function* () {
				yield Buffer.from('Half');
				await Promise.resolve();
				throw new Error('ECONNRESET');
			})(),
		);
		expect((await failed(breaks)).facts.gatewayMessage).toBe('Half');
		const long = Readable.from([MEGABYTE, text]);
		expect((await failed(long)).facts.gatewayMessage).toBeUndefined();
		expect(long.destroyed).toBe(true);
	});
});

describe('The failure for an answer with a failing status', () => {
	const failure = (status: number, known: object = {}, isWebPage = true) =>
		failureOf(
			{
				status,
				facts: { gatewayMessage: 'No' },
				meantStatus: status,
				hasErrorObject: false,
				isWebPage,
				waitMs: undefined,
			},
			'https://gateway.example/v1/models',
			{ attempts: 1, ...known },
			true,
		);

	it('has all that is known', () => {
		expect(failure(400, {}, false)).toMatchObject({
			kind: 'request',
			facts: { status: 400, gatewayMessage: 'No', attempts: 1 },
		});
	});

	it('is the wrong address if a web page says that there is nothing', () => {
		for (const status of [404, 405, 410]) {
			expect(failure(status).message).toContain('answered with a web page');
			expect(failure(status).facts).toMatchObject({ status, attempts: 1 });
		}
	});

	it('blames whoever rejects a request with a web page', () => {
		for (const [status, kind] of [
			[400, 'request'],
			[403, 'permission'],
			[428, 'request'],
		] as const) {
			expect(failure(status)).toMatchObject({
				kind,
				message: `A proxy or firewall in front of gateway.example rejected the request (status ${status})`,
				facts: { status, attempts: 1 },
			});
		}
	});

	it('is that of the status where proxies answer with web pages, or where it may be paid for', () => {
		expect([302, 401, 413, 429, 500, 502].map((status) => failure(status).message)).toEqual([
			'The gateway redirects this request to another address: No',
			'The gateway did not accept the API key: No',
			'The request is too large for the gateway (status 413): No',
			'The rate limit of the gateway is reached (tried once): No',
			'The gateway is temporarily unavailable (status 500, tried once): No',
			'The gateway is temporarily unavailable (status 502, tried once): No',
		]);
		expect(failure(408, { mayHaveBeenCarriedOut: true }).kind).toBe('request');
	});
});
