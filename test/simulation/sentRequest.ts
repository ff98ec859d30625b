import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { NotConnected } from './fault';

/** The parts of a `ClientRequest` that show whether anything was sent. */
export class SentRequest extends Writable {
	socket: { destroyed: boolean; encrypted?: boolean; _bytesDispatched: number } | null = null;
	res: unknown = null;
	private readonly chunks: Buffer[] = [];

	/** Exists because n8n's request helper, and a body that watches a request, recognize a request by this method. */
	setHeader(): void {}

	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.chunks.push(chunk);
		done();
	}

	/** Reads the whole body. */
	async take(body: unknown): Promise<Buffer> {
		if (!(body instanceof Readable)) return Buffer.from(typeof body === 'string' ? body : '');
		body.once('error', (error) => this.destroy(error));
		body.pipe(this);
		await once(this, 'finish');
		return Buffer.concat(this.chunks);
	}

	/** Simulates that a connection was made. */
	connect(): void {
		this.socket = { destroyed: false, encrypted: true, _bytesDispatched: 900 };
	}

	/** An error of the connection. @param isSent whether anything was sent */
	fail(isSent: boolean, message: string, code: string, syscall?: string): Error {
		this.socket = { destroyed: true, _bytesDispatched: isSent ? 900 : 0 };
		return Object.assign(new Error(message), { code, request: this, ...(syscall ? { syscall } : {}) });
	}

	/** Returns the error with which n8n's request helper reports that no connection was made. */
	notConnected(how: NotConnected): Error {
		switch (how) {
			case 'swallowed':
				this.destroy();
				return Object.assign(new Error('canceled'), { code: 'ERR_CANCELED', request: this });
			case 'refused':
				return this.fail(false, 'connect ECONNREFUSED', 'ECONNREFUSED', 'connect');
			case 'name':
				return this.fail(false, 'getaddrinfo ENOTFOUND', 'ENOTFOUND', 'getaddrinfo');
			case 'handshake':
				return this.fail(false, 'socket hang up', 'ECONNRESET');
			case 'certificate':
				return this.fail(false, 'certificate has expired', 'CERT_HAS_EXPIRED');
		}
	}
}
