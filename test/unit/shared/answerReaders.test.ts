import { Readable } from 'node:stream';
import { VECTORS_BUDGET } from '../../../nodes/shared/plain/budgets';
import {
	type Answer,
	parseAnswer,
	readFailedAnswer,
	readJson,
	readText,
	readVectorsJson,
	throwIfError,
} from '../../../nodes/shared/answer/answerReaders';
import { failingPageFailure } from '../../../nodes/shared/errors/statusFailure';
import { brokenStream } from '../brokenStream';
import { countTurns } from '../countTurns';

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
	it('is UTF-8 without its byte order mark, and no character is cut between two chunks', async () => {
		const read = async (bytes: Buffer, size: number) => {
			const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
			return await readText(answerOf(Readable.from(starts.map((at) => bytes.subarray(at, at + size)))));
		};
		for (const shift of [0, 1, 2, 3]) {
			const text = `\ufeff${'x'.repeat(262_144 - shift)}😀${'ü'.repeat(300_000)}`;
			for (const size of [1_001, 262_144, 1e9]) {
				expect((await read(Buffer.from(text), size)) === text.slice(1)).toBe(true);
			}
		}
		expect(await read(Buffer.from([0x61, 0xc3]), 1)).toBe('a\ufffd');
	});

	it('has at most as many bytes as its limit, and lets others have their turn', async () => {
		expect(await readText(answerOf('12345'), 5)).toBe('12345');
		await expect(readText(answerOf('12345'), 4)).rejects.toThrow('it is longer than 0 MB');
		const read = async () => await readText(answerOf(megabytes(20)));
		expect(await countTurns(read)).toBeGreaterThanOrEqual(10);
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
		const body = brokenStream(broken, 'a');
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
		const facts = { status: 200, requestId: 'request-1' };
		await expect(readJson(answerOf('{"id": "a'))).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('it is not valid JSON, or it was cut off'),
			facts: { ...facts, partial: { answer: '{"id": "a' } },
		});
		await expect(readJson(answerOf('x'.repeat(100_001)))).rejects.toMatchObject({
			facts: { partial: { answer: 'x'.repeat(99_999) } },
		});
		await expect(readJson(answerOf(''))).rejects.not.toHaveProperty('facts.partial');
		await expect(readJson(answerOf(PAGE))).rejects.toMatchObject({
			kind: 'address',
			message: expect.stringContaining('gateway.example answered with a web page'),
			facts,
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

	it.each([
		[{ choices: [{ message: { content: 'Once' } }] }, true],
		[{ content: [{ text: 'Once' }] }, true],
		[{ candidates: [{}] }, true],
		[{ id: 'a', data: null, list: [] }, undefined],
	])('keeps what stands beside an error: %j', async (content, mayHaveBeenCarriedOut) => {
		const body = { ...content, error: { message: 'No credit' } };
		await expect(readJson(answerOf(JSON.stringify(body)))).rejects.toMatchObject({
			facts: { mayHaveBeenCarriedOut, partial: { answer: content } },
		});
	});

	it('keeps nothing of an error alone', () => {
		const body = { type: 'error', error: { message: 'No credit' } };
		expect(() => throwIfError(body, answerOf(''))).toThrow(
			expect.objectContaining({ facts: expect.not.objectContaining({ partial: expect.anything() }) }),
		);
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
		const url = 'https://gateway.example/result';
		const factsOf = async (status: number, body = '') =>
			(await failed(body, { status, headers: { location: url } })).facts;
		expect((await factsOf(303)).partial).toEqual({ url });
		expect((await failed('', { status: 303 })).facts).not.toHaveProperty('partial');
		expect(await factsOf(302)).toMatchObject({ gatewayMessage: `Location: ${url}` });
		expect(await factsOf(302)).not.toHaveProperty('partial');
		expect((await factsOf(400, '{"error":{"message":"no"}}')).gatewayMessage).toBe('no');
	});

	it('is read as far as it arrives, and to its first megabyte', async () => {
		const text = Buffer.from('"x"');
		const breaks = brokenStream(new Error('ECONNRESET'), 'Half');
		expect((await failed(breaks)).facts.gatewayMessage).toBe('Half');
		const long = Readable.from([MEGABYTE, text]);
		expect((await failed(long)).facts.gatewayMessage).toBeUndefined();
		expect(long.destroyed).toBe(true);
	});
});

describe('A web page with a failing status', () => {
	const failure = (status: number, known: object = {}) =>
		failingPageFailure(
			'https://gateway.example/v1/models',
			{ attempts: 1, ...known, status, gatewayMessage: 'No' },
			true,
		);

	it.each([
		[404, 'address', 'gateway.example answered with a web page instead of data (status 404)'],
		[405, 'address', 'gateway.example answered with a web page instead of data (status 405)'],
		[410, 'address', 'gateway.example answered with a web page instead of data (status 410)'],
		[400, 'request', 'A proxy or firewall in front of gateway.example rejected the request (status 400)'],
		[403, 'permission', 'A proxy or firewall in front of gateway.example rejected the request (status 403)'],
		[428, 'request', 'A proxy or firewall in front of gateway.example rejected the request (status 428)'],
	])('blames the address, or whoever rejects a request with a web page: %i', (status, kind, message) => {
		expect(failure(status)).toMatchObject({ kind, message, facts: { status, attempts: 1 } });
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
