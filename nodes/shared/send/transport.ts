import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { streamFrom, type ByteStream } from '../answer/byteStream';
import { CONNECTION_LIMIT_MS } from './timeLimits';
import type { Redactor } from '../answer/redactor';
import { belongsToCredential, type GatewayAddresses } from './addresses';
import { findRequestOf, type SentRequest } from './connection';
import { CREDENTIAL_TYPE } from './credential';
import type { RawAnswer } from '../answer/answerReaders';
import { headerValue, type ResponseHeaders } from '../answer/headers';

/** What can send a request: a running node, a sub-node, or a list in the editor. */
export type HostContext = IExecuteFunctions | ISupplyDataFunctions | ILoadOptionsFunctions;

/** The credential, decrypted once per run instead of once per request. */
export type DecryptedCredential = NonNullable<
	NonNullable<
		Parameters<IExecuteFunctions['helpers']['httpRequestWithAuthentication']>[2]
	>['credentialsDecrypted']
>;

export type HttpMethod = 'GET' | 'POST';

/** One HTTP exchange. */
export interface Exchange {
	method: HttpMethod;
	url: string;
	headers: Record<string, string>;
	/** Sent only to the credential's own addresses. */
	ownHeaders?: Record<string, string>;
	body?: string | ByteStream;
	/** Longest silence of the connection, in milliseconds. */
	idleTimeoutMs: number;
	signal: AbortSignal;
	/** Domains that n8n allows for this credential; undefined for all. */
	allowedDomains?: string;
	/** Knows the key, which must not be part of an address. */
	redactor: Redactor;
	/** Called with each further address, before the request is sent there. */
	onRedirect?: (url: string) => void;
	/** Called with an encrypted request that has a body, before it has a connection; n8n limits only that of others. */
	onRequest?: (request: SentRequest) => void;
}

const MAX_REDIRECTS = 5;

/**
 * Sends one request through n8n's request helper, which applies the user's proxy, TLS, and network rules, and returns
 * the answer regardless of its status. It follows redirects itself, because the helper would send the key along: to the
 * credential's own addresses with the key, elsewhere (GET only) without it.
 *
 * @param credential undefined for a request without a key
 * @throws the helper's error when there is no answer; see `explainTransportError`
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
		const headers = own ? { ...request.headers, ...request.ownHeaders } : request.headers;
		const answer = await sendOnce(context, own ? credential : undefined, { ...request, url, headers });
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
		request.onRedirect?.(url);
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
		...content(request),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.idleTimeoutMs,
		// Until there is a connection; then the other limit replaces it. Some older versions of n8n ignore it.
		agentOptions: { timeout: CONNECTION_LIMIT_MS },
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
 * What is sent. A handshake that does not end can only be seen at the request itself, and that only at a body that is a
 * stream.
 */
function content({ url, headers, body, onRequest }: Exchange): Pick<IHttpRequestOptions, 'headers' | 'body'> {
	if (body === undefined || !onRequest || !/^https:/i.test(url)) return { headers, body };
	if (typeof body !== 'string') return { headers, body: findRequestOf(body, onRequest) };
	const bytes = Buffer.from(body);
	return {
		headers: { ...headers, 'content-length': String(bytes.length) },
		body: findRequestOf(streamFrom([bytes]), onRequest),
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
	if (!/^https?:/.test(location) || request.redactor.text(location) !== location) return false;
	if (request.method === 'GET') return true;
	// A streamed body cannot be sent again.
	if (typeof request.body === 'object') return false;
	// Only these two keep method and body; any other status would turn a paid request into a GET.
	return (status === 307 || status === 308) && belongsToCredential(location, addresses);
}
