import { GatewayFailure, guarded } from '../failure/failure';
import { errorInWords } from '../olderEngines';
import { asRecord } from '../plain/values';
import type { Unreachable, UnreachableReason } from '../failure/unreachableWords';

/** Node's `ClientRequest`. */
export interface SentRequest {
	/** The answer, as soon as its headers have arrived. */
	res?: unknown;
	/** Null until there is a connection, or a tunnel through the proxy. */
	socket?: Connection | null;
	destroyed?: boolean;
}

/** Node's `Socket` or `TLSSocket`. */
interface Connection {
	destroyed?: boolean;
	/** Only TLS sockets have it. */
	encrypted?: boolean;
	/** True while the name is looked up, and until the other side has accepted the connection. */
	connecting?: boolean;
	/** True until the handshake is complete and the certificate is accepted. Only TLS sockets have it. */
	secureConnecting?: boolean;
	/** Bytes handed to the system, or to the encryption. `bytesWritten` also counts what waits for the connection. */
	_bytesDispatched?: number;
}

/** The reasons for codes of errors, by the first row that matches. `invalid`: Node refuses to write such characters. */
const REASONS: Array<[RegExp, UnreachableReason]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'name'],
	[/^ECONNREFUSED$/, 'refused'],
	[/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'expired'],
	[/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'otherHost'],
	[/^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(VERIFY|GET)_)/, 'certificate'],
	[/^(EPROTO$|ERR_TLS_|ERR_SSL_)/, 'secure'],
	[/^ERR_(INVALID_|UNESCAPED_|HTTP_INVALID_)/, 'invalid'],
];
/** Reasons that occur only before anything is sent. */
const NEVER_SENT: UnreachableReason[] = ['name', 'refused', 'expired', 'otherHost', 'certificate', 'invalid'];
const TIME_LIMITS = ['ECONNABORTED', 'ETIMEDOUT'];

interface NetworkError {
	code?: unknown;
	syscall?: string;
	message?: string;
	/** The target of a system call: the address and port of a connection, or the name to look up. */
	address?: string;
	port?: number;
	hostname?: string;
	cause?: unknown;
	errors?: NetworkError[];
	request?: SentRequest;
	response?: unknown;
}

/** The GatewayFailure that caused an error of the request helper, if there is one. */
export function failureInside(error: unknown): GatewayFailure | undefined {
	return causesOf(error).find((cause) => cause instanceof GatewayFailure);
}

interface KnownOfRequest {
	/** False if the code of an error is enough to call it unsent, because sending it again costs nothing. */
	isPaid?: boolean;
	/** The request, if it was seen on its way. Some older versions of n8n do not show it in their errors. */
	sent?: SentRequest;
}

/**
 * Reads from an error of the request helper why nothing was sent, by the state of the connection: the same code occurs
 * before and after sending. @returns undefined unless certainly nothing was sent, because it may be paid for
 */
export function whyUnsent(error: unknown, known: KnownOfRequest = {}): Unreachable | undefined {
	const chain = causesOf(error);
	const request = chain.find((one) => asRecord(one.request))?.request ?? known.sent;
	const codes = codesOf(chain);
	const reason = reasonOfCodes(codes);
	const unsent = isUnsent(chain, request, reason, known.isPaid);
	const refusal = codes.length === 0 ? chain.find(isRefusal)?.message : undefined;
	if (!(unsent ?? refusal !== undefined)) return undefined;
	if (refusal !== undefined) return { reason: 'blocked', detail: refusal };
	return { reason: reason ?? reasonOf(codes, request?.socket), ...peerOf(chain) };
}

/** Tells whether a time limit of the request helper has ended the request. */
export function hasTimedOut(error: unknown): boolean {
	return codesOf(causesOf(error)).some((code) => TIME_LIMITS.includes(code));
}

/** The codes of zlib and of Brotli for data in another form. Data that only ends too early has another code. */
const UNPACKING = /^(Z_DATA_ERROR|Z_NEED_DICT|ERR_(BROTLI_|_ERROR_FORMAT).*)$/;

/** Tells whether a body is not compressed as its headers say. It has arrived, and would be the same again. */
export function cannotBeUnpacked(error: unknown): boolean {
	return codesOf(causesOf(error)).some((code) => UNPACKING.test(code));
}

function codesOf(chain: NetworkError[]): string[] {
	return chain.map(({ code }) => code).filter((code) => typeof code === 'string');
}

/** Tells whether certainly nothing of a request was sent; undefined if the error does not tell. Ignores tunnels. */
function isUnsent(
	chain: NetworkError[],
	request: SentRequest | undefined,
	reason: UnreachableReason | undefined,
	isPaid = true,
): boolean | undefined {
	if (request?.res || chain.some(({ response }) => response)) return false;
	// A request that failed gets no connection later.
	if (request?.socket === null) return request.destroyed !== false;
	if (request?.socket) {
		const { destroyed, secureConnecting, _bytesDispatched } = request.socket;
		// A connection that is still open could send the request later.
		if (!destroyed) return false;
		// During the handshake, the encryption holds back what is written.
		if (secureConnecting) return true;
		if (_bytesDispatched !== undefined) return _bytesDispatched === 0;
	}
	const isClear = reason !== undefined && (!isPaid || NEVER_SENT.includes(reason));
	return isClear || chain.some(isConnectError) || undefined;
}

/** Tells whether the system call that failed belongs to making a connection. */
function isConnectError({ syscall, errors }: NetworkError): boolean {
	return ['getaddrinfo', 'connect'].includes(syscall ?? errors?.[0]?.syscall ?? '');
}

/** Finds the server that a connection was meant for. It may be a proxy, about which n8n tells a node nothing else. */
function peerOf(chain: NetworkError[]): Pick<Unreachable, 'peer'> {
	for (const error of chain.flatMap((each) => [each, ...(each.errors ?? [])])) {
		const { hostname, address, port } = error;
		const host = hostname ?? address;
		if (isConnectError(error) && (host ?? port) !== undefined) return { peer: { host, port } };
	}
	return {};
}

/** Tells whether n8n forbids the request: by the credential's domains, or by the protection of internal addresses. */
function isRefusal({ message }: NetworkError): boolean {
	return /domain not allowed|not allowed to|blocked|SSRF|restricted/i.test(message ?? '');
}

function reasonOf(codes: string[], socket: Connection | null | undefined): UnreachableReason {
	// After a time limit, nothing is known about the certificate.
	if (codes.some((code) => code === 'ERR_CANCELED' || TIME_LIMITS.includes(code))) return 'timeout';
	return socket?.secureConnecting && socket._bytesDispatched !== 0 ? 'secure' : 'other';
}

function reasonOfCodes(codes: string[]): UnreachableReason | undefined {
	const reasons = codes.map((code) => REASONS.find(([pattern]) => pattern.test(code))?.[1]);
	return reasons.find((reason) => reason !== undefined);
}

/** Describes an error of the request helper for the log; the error itself contains the key. */
export function causeInWords(error: unknown): string {
	const causes = causesOf(error).map(({ code, message = '' }) =>
		typeof code === 'string' ? `${code}: ${message}` : message,
	);
	return [...new Set(causes)].filter((words) => words !== '').join(' < ');
}

function causesOf(error: unknown): NetworkError[] {
	const chain: NetworkError[] = [];
	for (let current = error; typeof current === 'object' && current !== null && chain.length < 10;) {
		chain.push(current);
		current = (current as NetworkError).cause ?? errorInWords(current);
	}
	return chain;
}

/**
 * Tells whether a proxy has answered an encrypted request itself, because it made no tunnel to the server: its answer comes
 * through a socket without encryption (`https-proxy-agent`). Nothing was sent then.
 */
export function hasNoTunnel(request: SentRequest | undefined): boolean {
	return !!request?.socket && request.socket.encrypted !== true;
}

/** Tells whether a request still waits for its connection; until the end of the handshake, nothing is sent. */
export function isConnecting({ res, socket }: SentRequest): boolean {
	if (res || socket === undefined) return false;
	return socket === null || socket.connecting === true || socket.secureConnecting === true;
}

type Pipe = (destination: Destination, options?: object) => Destination;
type Destination = (SentRequest | { pipe: Pipe }) & object;

/** Finds the request that n8n pipes a body into, in some versions through another stream. */
export function findRequestOf<Body extends object>(body: Body, found: (request: SentRequest) => void): Body {
	const source = body as { pipe: Pipe };
	const { pipe } = source;
	source.pipe = (destination, options) => {
		// A request is a stream as well, but one that can only be written to.
		const isRequest = 'setHeader' in destination;
		guarded(() => (isRequest ? found(destination as SentRequest) : findRequestOf(destination, found)));
		return pipe.call(source, destination, options);
	};
	return body;
}
