import { PassThrough, Readable, Writable } from 'node:stream';
import { findRequestOf, isConnecting, type SentRequest } from '../../../nodes/shared/send/transportError';

/** A request as far as a body knows it. */
class FakeRequest extends Writable {
	readonly text: string[] = [];
	setHeader(): void {}
	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.text.push(chunk.toString());
		done();
	}
}

describe('The request of a body', () => {
	it.each<[string, (body: Readable, request: FakeRequest) => void]>([
		['directly', (body, request) => void body.pipe(request)],
		['through another stream', (body, request) => void body.pipe(new PassThrough()).pipe(request)],
	])('is found when the body is piped into it %s, and gets the body', async (_how, send) => {
		const found: SentRequest[] = [];
		const request = new FakeRequest();
		send(
			findRequestOf(Readable.from(['a', 'b']), (one) => found.push(one)),
			request,
		);
		expect(found).toEqual([request]);
		await new Promise((resolve) => request.once('finish', resolve));
		expect(request.text.join('')).toBe('ab');
	});
});

describe('A request', () => {
	it.each<[string, SentRequest, boolean]>([
		['has no connection yet', { socket: null }, true],
		['is connecting', { socket: { connecting: true } }, true],
		['is in its handshake', { socket: { connecting: false, secureConnecting: true } }, true],
		['is connected', { socket: { connecting: false, secureConnecting: false } }, false],
		['is connected without encryption', { socket: { connecting: false } }, false],
		['has its answer', { socket: null, res: {} }, false],
		['tells nothing', {}, false],
	])('that %s', (_name, request, connects) => {
		expect(isConnecting(request)).toBe(connects);
	});
});
