import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { streamFrom, type ByteStream } from '../answer/byteStream';
import { CONNECTION_LIMIT_MS } from './timeLimits';
import type { Redactor } from '../answer/redactor';
import { belongsToCredential, type GatewayAddresses, withoutKey } from './addresses';
import { findRequestOf, type SentRequest } from './transportError';
import { CREDENTIAL_TYPE, type GatewayCredential } from './credential';
import { allowedDomainsFor } from '../olderEngines';
import type { RawAnswer } from '../answer/answerReaders';
import { headerValue, type ResponseHeaders } from '../plain/headers';

/** A context that can send requests: a running node, a sub-node, or a list in the editor. */
export type HostContext = IExecuteFunctions | ISupplyDataFunctions | ILoadOptionsFunctions;

export type HttpMethod = 'GET' | 'POST';

export interface Transport {
	context: HostContext;
	/** Undefined for requests without a key. */
	credential: GatewayCredential | undefined;
	/** The addresses that the key may be sent to. */
	addresses: GatewayAddresses;
	/** Finds the key, which must not be part of an address. */
	keyRedactor: Redactor;
}

export interface HttpRequest {
	method: HttpMethod;
	url: string;
	/** Headers that are sent to other hosts as well, after a redirect. */
	headers: Record<string, string>;
	/** Headers that are sent only where the key is sent. */
	ownHeaders?: Record<string, string>;
	body?: string | ByteStream;
	/** True if a redirect to another host stands for a link to the file that was asked for. */
	redirectsToFile?: boolean;
	/** The longest silence of the connection, in milliseconds. */
	idleTimeoutMs: number;
	signal: AbortSignal;
	/** Called before anything can be sent. */
	onSend?: () => void;
	/** Called with each further address, before the request is sent there. */
	onRedirect?: (url: string) => void;
	/** Called before an encrypted request with a body has a connection, which n8n would wait for without a limit. */
	onRequest?: (request: SentRequest) => void;
}

/** An error of n8n's request helper. Anything else that is thrown is a fault of this package. */
export interface Unanswered {
	thrown: unknown;
}

/** Sends one request through n8n, and returns the answer regardless of its status; see `whyUnsent`. */
export type Exchange = (request: HttpRequest) => Promise<RawAnswer | Unanswered>;

const MAX_REDIRECTS = 5;

/**
 * Sends requests through n8n's request helper, with the user's proxy, TLS, and network rules. It follows redirects
 * itself, because the helper would send the key along: with the key to the credential's own addresses, and without it
 * (GET only) to any other.
 */
export function exchangeOf(transport: Transport): Exchange {
	const { context, addresses } = transport;
	const authentication = transport.credential && authenticationOf(transport.credential, transport);
	return async (request) => {
		let { url } = request;
		const asked = new Set<string>();
		for (let redirects = 0; ; redirects++) {
			const isOwn = belongsToCredential(url, addresses);
			const isSigned = isOwn && authentication !== undefined;
			const options = helperOptions(request, url, isSigned);
			asked.add(url);
			let response: unknown;
			request.onSend?.();
			try {
				response = isSigned
					? await context.helpers.httpRequestWithAuthentication.call(
							withSignal(context, request.signal),
							CREDENTIAL_TYPE,
							{ ...options, allowedDomains: authentication.allowedDomains },
							{ credentialsDecrypted: authentication.credentialsDecrypted },
						)
					: await context.helpers.httpRequest(options);
			} catch (thrown) {
				return { thrown };
			}
			const answer = rawAnswerOf(response);
			const location = redirectTarget(answer, url);
			if (request.redirectsToFile && location && new URL(location).hostname !== new URL(url).hostname) {
				return answerWithLink(answer, location);
			}
			if (location === undefined || redirects === MAX_REDIRECTS) return answer;
			// The same paid request gets the same answer there. What only reads may wait for a result that way (Modal).
			const isLoop = request.method !== 'GET' && asked.has(location);
			if (isLoop || !mayFollow(transport, request, answer, location)) return answer;
			answer.body.destroy();
			url = location;
			request.onRedirect?.(url);
		}
	};
}

/** Reads what a request helper of n8n returns for a full response whose body is a stream. */
export function rawAnswerOf(response: unknown): RawAnswer {
	const { statusCode, headers, body } = response as IN8nHttpFullResponse;
	return { status: statusCode, headers: headers as ResponseHeaders, body: body as ByteStream };
}

/** Returns an answer that contains a link, because a failed download must not repeat the request itself. */
function answerWithLink({ headers, body }: RawAnswer, link: string): RawAnswer {
	body.destroy();
	const content = { 'content-type': 'text/plain' };
	return { status: 200, headers: { ...headers, ...content }, body: streamFrom([Buffer.from(link)]) };
}

/** Returns what authenticates requests: the credential, decrypted once per run, and the domains that n8n allows it. */
function authenticationOf(credential: GatewayCredential, { context, addresses }: Transport) {
	const data = credential as unknown as ICredentialDataDecryptedObject;
	const url = addresses.base;
	return {
		credentialsDecrypted: { id: '', name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE, data },
		allowedDomains: allowedDomainsFor({ node: context.getNode(), credentialData: data, url, pinnedUrl: url }),
	};
}

function helperOptions(request: HttpRequest, url: string, isSigned: boolean): IHttpRequestOptions {
	const headers = isSigned ? { ...request.headers, ...request.ownHeaders } : request.headers;
	return {
		method: request.method,
		url,
		headers,
		body: watched({ ...request, url }),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.idleTimeoutMs,
		// Applies until there is a connection; then `timeout` does. Some older versions of n8n ignore it.
		agentOptions: { timeout: CONNECTION_LIMIT_MS },
		abortSignal: request.signal,
	};
}

/** Finds the request that sends a body. Only with a streamed body can a handshake that never ends be noticed. */
function watched({ url, body, onRequest }: HttpRequest): string | ByteStream | undefined {
	if (body === undefined || !onRequest || !/^https:/i.test(url)) return body;
	return findRequestOf(typeof body === 'string' ? streamFrom([Buffer.from(body)]) : body, onRequest);
}

/** Makes the helper use the signal of a request, with its time limit, instead of that of the execution. */
function withSignal(context: HostContext, signal: AbortSignal): IExecuteFunctions {
	return { __proto__: context, getExecutionCancelSignal: () => signal } as unknown as IExecuteFunctions;
}

function redirectTarget({ status, headers }: RawAnswer, from: string): string | undefined {
	const location = headerValue(headers, 'location');
	return status >= 300 && status < 400 && location && URL.canParse(location, from)
		? new URL(location, from).href
		: undefined;
}

function mayFollow(
	{ addresses, keyRedactor }: Transport,
	{ method, body }: HttpRequest,
	{ status }: RawAnswer,
	location: string,
): boolean {
	if (!/^https?:/.test(location) || withoutKey(location, keyRedactor) !== location) return false;
	if (method === 'GET') return true;
	// A streamed body cannot be sent again.
	if (typeof body === 'object') return false;
	// Only these two keep method and body; any other status would turn a paid request into a GET.
	return (status === 307 || status === 308) && belongsToCredential(location, addresses);
}
