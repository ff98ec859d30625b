import { Readable, PassThrough } from 'node:stream';
import {
	type Answer,
	readFailedAnswer,
	readJson,
	readText,
	readWith,
	unusable,
} from '../../../nodes/shared/answer/answerReaders';
import { bytesOf, inChunks } from '../answerOf';
import { countTurns } from '../countTurns';
import { ByteCollector, peek, withinSize } from '../../../nodes/shared/answer/byteStream';
import { headerValue, mediaTypeOf, requestIdOf } from '../../../nodes/shared/plain/headers';
import { answerFailure } from '../../../nodes/shared/failure/words';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';

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

/** A stream that breaks with this error after these chunks. */
const brokenStream = (error: Error, ...chunks: string[]) =>
	Readable.from(inChunks(Buffer.from(chunks.join('')), [1], error));

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
		await expect(readText(answerOf(silent))).rejects.toMatchObject({ kind: 'interrupted', cause: broken });
	});
});

describe('An answer as JSON', () => {
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
		const wordsIn = async (text: string) =>
			await readJson(answerOf(text)).catch(({ facts }: GatewayFailure) => facts.gatewayMessage);
		const texts = ['  Slow down', '7 are ahead', '{"id": "Slow'];
		expect(await Promise.all(texts.map(wordsIn))).toEqual(['Slow down', '7 are ahead', undefined]);
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
	});

	it.each([
		[{ choices: [{ message: { content: 'Once' } }] }, 'possible'],
		[{ content: [{ text: 'Once' }] }, 'possible'],
		[{ candidates: [{}] }, 'possible'],
		[{ id: 'a', data: null, list: [] }, 'none'],
	])('keeps what stands beside an error: %j', async (content, charge) => {
		const body = { ...content, error: { message: 'No credit' } };
		await expect(readJson(answerOf(JSON.stringify(body)))).rejects.toMatchObject({
			charge,
			facts: { partial: { answer: content } },
		});
	});
});

describe('An answer with a failing status', () => {
	const failed = async (body: string | Readable, more: Partial<Answer> = {}) =>
		await readFailedAnswer(answerOf(body, { status: 500, ...more }));

	it('has where the result is only if the status says "see other"', async () => {
		const url = 'https://gateway.example/result';
		const factsOf = async (status: number, body = '') =>
			(await failed(body, { status, headers: { location: url } })).facts;
		expect((await factsOf(303)).partial).toEqual({ url });
		expect((await failed('', { status: 303 })).facts).not.toHaveProperty('partial');
		expect(await factsOf(302)).toMatchObject({ gatewayMessage: `Location: ${url}` });
		expect(await factsOf(302)).not.toHaveProperty('partial');
		expect(await factsOf(300)).toHaveProperty('gatewayMessage');
		expect(await factsOf(299)).not.toHaveProperty('gatewayMessage', expect.anything());
		expect((await factsOf(400, '{"error":{"message":"no"}}')).gatewayMessage).toBe('no');
	});

	it('says where it was redirected to if the key was missing there', async () => {
		const read = async (status: number) =>
			await readFailedAnswer(answerOf('', { status }), 'https://files.example');
		for (const status of [401, 403]) {
			const gatewayMessage = 'Location: https://files.example';
			expect(await read(status)).toMatchObject({ report: { status: 308 }, facts: { gatewayMessage } });
		}
		expect((await read(404)).report.status).toBe(404);
	});

	it('may be an event of a stream, as DashScope sends it', async () => {
		const words = { code: 'Arrearage', message: 'Access denied' };
		const event = `id:1\nevent:error\n:HTTP_STATUS/400\ndata:${JSON.stringify(words)}\n\n`;
		const { facts } = await failed(event, { status: 400 });
		expect(facts).toMatchObject({ code: 'Arrearage', gatewayMessage: 'Access denied' });
		expect((await failed('No data: none')).facts.gatewayMessage).toBe('No data: none');
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

const breaking = (...chunks: string[]) => brokenStream(new Error('ECONNRESET'), ...chunks);

describe('peek', () => {
	it('waits for as many bytes as it needs, and no longer', async () => {
		let count = 0;
		function* digits() {
			for (;;) yield Buffer.from(String(count++ % 10));
		}
		expect((await peek(Readable.from(digits()), 3)).firstBytes.toString()).toBe('012');
		expect(count).toBeLessThan(6);
	});

	it('leaves the error of a broken stream to the next reader, after what had arrived', async () => {
		const { firstBytes, body } = await peek(breaking('a', 'b'));
		expect(firstBytes.toString()).toBe('ab');
		const parts: string[] = [];
		await expect(async () => {
			for await (const part of body) parts.push(String(part));
		}).rejects.toThrow('ECONNRESET');
		expect(parts).toEqual(['ab']);
		await expect(peek(breaking())).rejects.toThrow('ECONNRESET');
	});

	it('leaves an error that comes later to the next reader', async () => {
		const stream = new PassThrough();
		stream.write('a');
		const { body } = await peek(stream, 1);
		stream.destroy(new Error('ECONNRESET'));
		await new Promise((resolve) => stream.once('close', resolve));
		await expect(bytesOf(body)).rejects.toThrow('ECONNRESET');
	});
});

describe('A body', () => {
	it('passes through up to its limit', async () => {
		const passed: Buffer[] = [];
		const pass = async (maxBytes: number) => {
			for await (const part of withinSize(megabytes(4), maxBytes)) passed.push(part);
		};
		await expect(pass(3_000_000)).rejects.toThrow('longer than 3 MB');
		expect(passed).toHaveLength(3);
		await pass(4_000_000);
		expect(passed).toHaveLength(7);
	});
});

describe('Bytes that are collected', () => {
	it('are not copied if there is only one chunk, and not changed by what follows', () => {
		const bytes = new ByteCollector();
		const first = Buffer.from('abc').subarray(0, 1);
		bytes.add(first);
		expect([bytes.length, bytes.all().buffer]).toEqual([1, first.buffer]);
		bytes.add(Buffer.from('z'));
		expect([bytes.all().toString(), first.toString()]).toEqual(['az', 'a']);
	});

	it('need few blocks for many chunks', () => {
		const bytes = new ByteCollector();
		const blocks = new Set<ArrayBufferLike>();
		for (let count = 0; count < 100_000; count++) {
			bytes.add(Buffer.from('x'));
			blocks.add(bytes.all().buffer);
		}
		expect(bytes.length).toBe(100_000);
		// 16 kB, then twice as much each time.
		expect(blocks.size).toBe(5);
	});
});

describe('Headers', () => {
	const contentType = (type?: string) => ({ headers: { 'content-type': type } });
	const long = 'x'.repeat(300);

	it.each<[string, unknown, unknown]>([
		['a header with one value', headerValue({ a: 'one' }, 'a'), 'one'],
		['the first of several values', headerValue({ a: ['one', 'two'] }, 'a'), 'one'],
		['no value of a missing header', headerValue({}, 'a'), undefined],
		['no value of an empty list', headerValue({ a: [] }, 'a'), undefined],
		[
			"the gateway's own ID of a request",
			requestIdOf({ 'x-oneapi-request-id': 'own', 'x-request-id': 'b' }),
			'own',
		],
		['else the usual ID', requestIdOf({ 'request-id': 'b', 'x-request-id': 'usual' }), 'usual'],
		["else Anthropic's", requestIdOf({ 'request-id': 'req_1' }), 'req_1'],
		['no ID', requestIdOf({}), undefined],
		['200 characters of an ID', requestIdOf({ 'x-request-id': long }), long.slice(0, 200)],
		['a media type in lower case', mediaTypeOf(contentType('Audio/MPEG ; rate=44100')), 'audio/mpeg'],
		['a media type alone', mediaTypeOf(contentType(' text/event-stream;charset=utf-8')), 'text/event-stream'],
		['an empty media type', mediaTypeOf(contentType()), ''],
	])('have %s', (_what, found, expected) => expect(found).toBe(expected));
});

describe('A response that cannot be used', () => {
	it('is kept in the failure, at most 100,000 characters of it', () => {
		const body = { id: 'embd-1', data: 'x'.repeat(200_000) };
		const { facts } = unusable(answerFailure('it has no results'), body);
		const kept = facts.partial?.answer as unknown as typeof body;
		expect(kept.id).toBe('embd-1');
		expect(kept.data.length).toBeGreaterThan(99_000);
		expect(kept.data.length).toBeLessThan(100_000);
	});

	it.each<[unknown, object]>([
		[{ success: false, id: 7 }, { partial: { answer: { success: false, id: 7 } } }],
		[{ message: 'Slow down' }, { gatewayMessage: 'Slow down' }],
		['Slow down', { gatewayMessage: 'Slow down' }],
		[7, { partial: { answer: 7 } }],
	])('has the words of the gateway, and what arrived: %j', async (body, facts) => {
		const reading = readWith(body, () => {
			throw answerFailure('it has no results');
		});
		await expect(reading).rejects.toMatchObject({ kind: 'answer', facts });
	});

	it('keeps the words of its failure, and is no success if it denies it', async () => {
		const failure = answerFailure('it is late', { gatewayMessage: 'Late' });
		expect(unusable(failure, { message: 'Slow' }).facts.gatewayMessage).toBe('Late');
		expect(await readWith({ success: true }, () => 'done')).toBe('done');
		await expect(readWith({ success: false }, () => 'done')).rejects.toThrow('was not successful');
	});
});
