import type { ByteStream } from '../answer/byteStream';

/** Node's `ClientRequest`. */
export interface SentRequest {
	/** The answer, as soon as its headers have arrived. */
	res?: unknown;
	/** Null until there is a connection, or a tunnel through the proxy. */
	socket?: Connection | null;
	/** Whether it has ended. */
	destroyed?: boolean;
}

/** Node's `Socket` or `TLSSocket`. */
export interface Connection {
	destroyed?: boolean;
	/** While the name is looked up, and until the other side has accepted the connection. */
	connecting?: boolean;
	/** Until the handshake is complete and the certificate is accepted. Only TLS sockets have it. */
	secureConnecting?: boolean;
	/**
	 * Bytes handed to the system, or to the encryption. Unlike the public `bytesWritten`, it does not count what waits for
	 * the connection.
	 */
	_bytesDispatched?: number;
}

/**
 * Whether a request in progress still waits for its connection, so that certainly nothing of it was sent: until the
 * handshake is complete, the encryption holds back what is written.
 */
export function isConnecting({ res, socket }: SentRequest): boolean {
	if (res || socket === undefined) return false;
	return socket === null || socket.connecting === true || socket.secureConnecting === true;
}

type Pipe = (destination: Destination, options?: object) => Destination;
type Destination = (SentRequest | { pipe: Pipe }) & object;

/**
 * Finds the request that n8n sends a body with, because a request in progress is not shown to a node otherwise. n8n
 * pipes the body into it, in some versions through another stream.
 *
 * @param found is not called where n8n does it in another way
 * @returns the same body
 */
export function findRequestOf(body: ByteStream, found: (request: SentRequest) => void): ByteStream {
	watchPipe(body as unknown as { pipe: Pipe }, found);
	return body;
}

function watchPipe(source: { pipe: Pipe }, found: (request: SentRequest) => void): void {
	const { pipe } = source;
	source.pipe = (destination, options) => {
		// A request is a stream as well, but only to be written.
		if ('setHeader' in destination) found(destination as SentRequest);
		else watchPipe(destination as { pipe: Pipe }, found);
		return pipe.call(source, destination, options);
	};
}
