import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import type { UnreachableReason } from '../errors/errorMessages';
import type { ByteStream } from '../http/byteStream';
import { belongsToCredential, type GatewayAddresses } from './addresses';
import { CREDENTIAL_TYPE } from './credential';
import { GatewayFailure } from '../errors/gatewayFailure';
import type { RawAnswer } from '../http/answerReaders';
import { headerValue, type ResponseHeaders } from '../http/headers';

/** What can send a request: a running node, a sub-node, or a list in the editor. */
export type HostContext = IExecuteFunctions | ISupplyDataFunctions | ILoadOptionsFunctions;

/** The credential, decrypted once per run instead of once per request. */
export type DecryptedCredential = NonNullable<
	NonNullable<
		Parameters<IExecuteFunctions['helpers']['httpRequestWithAuthentication']>[2]
	>['credentialsDecrypted']
>;

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP exchange. */
export interface Exchange {
	method: HttpMethod;
	url: string;
	headers: Record<string, string>;
	body?: string | ByteStream;
	/** Longest silence of the connection, in milliseconds. */
	idleTimeoutMs: number;
	signal: AbortSignal;
	/** Domains that n8n allows for this credential; undefined for all. */
	allowedDomains?: string;
}

const MAX_REDIRECTS = 5;

/**
 * Sends one request through n8n's request helper, which applies the user's proxy, TLS, and network rules, and returns
 * the answer regardless of its status. It follows redirects itself, because the helper would send the key along: to the
 * credential's own addresses with the key, elsewhere (GET only) without it.
 *
 * @param credential undefined for a request without a key
 * @throws the helper's error when there is no answer; see {@link explainTransportError}
 */
export async function exchange(
	context: HostContext,
	credential: DecryptedCredential | undefined,
	addresses: GatewayAddresses,
	request: Exchange,
): Promise<RawAnswer> {
	let url = request.url;
	for (let redirects = 0; ; redirects++) {
		const own = belongsToCredential(url, addresses);
		const answer = await sendOnce(context, own ? credential : undefined, { ...request, url });
		const location = redirectTarget(answer, url);
		if (
			location === undefined ||
			redirects === MAX_REDIRECTS ||
			!mayFollow(request, answer, location, addresses)
		) {
			return answer;
		}
		answer.body.destroy();
		url = location;
	}
}

async function sendOnce(
	context: HostContext,
	credential: DecryptedCredential | undefined,
	request: Exchange,
): Promise<RawAnswer> {
	const options: IHttpRequestOptions = {
		method: request.method,
		url: request.url,
		headers: request.headers,
		body: request.body,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.idleTimeoutMs,
		abortSignal: request.signal,
		// The restriction belongs to the credential, so it does not apply to requests without the key.
		allowedDomains: credential && request.allowedDomains,
	};
	const response = (
		credential
			? await context.helpers.httpRequestWithAuthentication.call(
					withSignal(context, request.signal),
					CREDENTIAL_TYPE,
					options,
					{ credentialsDecrypted: credential },
				)
			: await context.helpers.httpRequest(options)
	) as IN8nHttpFullResponse;
	return {
		status: response.statusCode,
		headers: response.headers as ResponseHeaders,
		body: response.body as ByteStream,
	};
}

/**
 * A context whose cancel signal is the request's. The helper replaces the signal of a request with the signal of the
 * execution, which would remove the time limit.
 */
function withSignal(context: HostContext, signal: AbortSignal): IExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
}

function redirectTarget({ status, headers }: RawAnswer, from: string): string | undefined {
	const location = headerValue(headers, 'location');
	return status >= 300 && status < 400 && location && URL.canParse(location, from)
		? new URL(location, from).href
		: undefined;
}

function mayFollow(
	request: Exchange,
	{ status }: RawAnswer,
	location: string,
	addresses: GatewayAddresses,
): boolean {
	if (!/^https?:/.test(location)) return false;
	if (request.method === 'GET') return true;
	// A streamed body cannot be sent again.
	if (typeof request.body === 'object') return false;
	// Only these two keep method and body; any other status would turn a paid request into a GET.
	return (status === 307 || status === 308) && belongsToCredential(location, addresses);
}

/** The GatewayFailure that caused an error of the request helper, if there is one. */
export function failureInside(error: unknown): GatewayFailure | undefined {
	return causesOf(error).find((cause) => cause instanceof GatewayFailure);
}

/** Why there is no answer. */
export type TransportError =
	| { kind: 'notConnected'; reason: UnreachableReason; detail?: string }
	| { kind: 'interrupted'; timedOut: boolean };

const NOT_CONNECTED: Record<string, UnreachableReason> = {
	ENOTFOUND: 'name',
	EAI_AGAIN: 'name',
	ECONNREFUSED: 'refused',
	EHOSTUNREACH: 'other',
	ENETUNREACH: 'other',
	EADDRNOTAVAIL: 'other',
	EPROTO: 'secure',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'secure',
	SELF_SIGNED_CERT_IN_CHAIN: 'secure',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'secure',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'secure',
	HOSTNAME_MISMATCH: 'secure',
};

/**
 * Reads from an error of the request helper whether the request had been sent. Unless it is certain that nothing was
 * sent, the request counts as sent, because it may have been paid for.
 */
export function explainTransportError(error: unknown): TransportError {
	const chain = causesOf(error);
	const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
	for (const code of codes) {
		if (code in NOT_CONNECTED) return { kind: 'notConnected', reason: NOT_CONNECTED[code] };
		if (/^(CERT_|ERR_TLS_|ERR_SSL_)/.test(code)) return { kind: 'notConnected', reason: 'secure' };
	}
	if (chain.some(({ message }) => /before secure TLS connection was established/i.test(message ?? ''))) {
		return { kind: 'notConnected', reason: 'secure' };
	}
	if (chain.some(({ syscall, errors }) => (syscall ?? errors?.[0]?.syscall) === 'connect')) {
		return { kind: 'notConnected', reason: 'other' };
	}
	const blocked = chain.find(({ message }) =>
		/domain not allowed|not allowed to|blocked|SSRF|restricted/i.test(message ?? ''),
	);
	if (blocked && codes.length === 0)
		return { kind: 'notConnected', reason: 'blocked', detail: blocked.message };
	return { kind: 'interrupted', timedOut: codes.includes('ECONNABORTED') || codes.includes('ETIMEDOUT') };
}

interface NetworkError {
	code?: string;
	syscall?: string;
	message?: string;
	cause?: unknown;
	errors?: NetworkError[];
}

function causesOf(error: unknown): NetworkError[] {
	const chain: NetworkError[] = [];
	for (let current = error; typeof current === 'object' && current !== null && chain.length < 10;) {
		chain.push(current);
		current = (current as NetworkError).cause;
	}
	return chain;
}
