import * as workflow from 'n8n-workflow';
import { cancelledFailure, statusFailure } from '../errors/errorMessages';
import { attempt, type AttemptRequest, type FailedTry, type Sender } from './attempt';
import { systemClock, type Clock } from '../pacing/clock';
import { addressesOf, CREDENTIAL_TYPE, type GatewayAddresses, type GatewayCredential } from './credential';
import { download, type DownloadOptions } from './download';
import { urlsOf, type Endpoint } from './endpoints';
import type { GatewayFailure } from '../errors/gatewayFailure';
import { credentialStateOf, type CredentialState } from '../pacing/credentialState';
import type { SendSlot } from '../pacing/learnedRate';
import { readJson, type AnswerReader } from '../http/answerReaders';
import { jsonBody, type RequestBody } from '../http/requestBody';
import { backOffMs, DEFAULT_MAX_RETRIES, mayRepeat, RETRY_DEADLINE_MS } from '../pacing/retry';
import { TimeLimits } from '../pacing/timeLimits';
import type { DecryptedCredential, HostContext } from './transport';

/** How patient a request is; both come from the node's Options. */
export interface RequestOptions {
	/** Default 6. */
	maxRetries?: number;
	/** Time limit for one answer; default: that of the endpoint. */
	timeoutSeconds?: number;
}

/** One request to the gateway. */
export interface GatewayRequest extends RequestOptions {
	endpoint: Endpoint;
	/** As pairs when a name may occur several times. */
	query?: Record<string, string> | Array<[string, string]>;
	/** Sent as JSON; files in it may be `EmbeddedFile`s. */
	json?: unknown;
	/** Sent as it is, in place of `json`. */
	body?: RequestBody;
	headers?: Record<string, string>;
	/**
	 * The time limit counts silence instead of the whole answer: for files and event streams, which may
	 * rightly take long as long as they move.
	 */
	streamed?: boolean;
	/** Whether an answer must not be followed by another try although its status would allow one. */
	isFinal?: (failure: GatewayFailure) => boolean;
	/** Stops this request alone, beside the client's own signal. */
	signal?: AbortSignal;
}

/**
 * The one road to the gateway: paces, sends, reads, retries, goes to the alternate address, and gives the
 * value or throws a {@link GatewayFailure}. Made once per run of a node.
 */
export class GatewayClient {
	/** Where the credential's key may be sent to. */
	readonly addresses: GatewayAddresses;
	private readonly state: CredentialState;
	private readonly sender: Sender;

	/**
	 * @param signal stops everything at once when it is aborted
	 * @throws GatewayFailure (kind `settings`) when the credential's addresses cannot be used
	 */
	constructor(
		context: HostContext,
		credential: GatewayCredential,
		private readonly signal: AbortSignal | undefined,
		/** Time for everything that this run does. */
		readonly clock: Clock = systemClock,
	) {
		this.addresses = addressesOf(credential);
		this.state = credentialStateOf(
			[credential.baseUrl, credential.apiKey],
			credential.requestsPerMinute ?? 0,
			clock,
		);
		this.sender = {
			context,
			credential: decrypted(credential),
			addresses: this.addresses,
			allowedDomains: allowedDomainsOf(context, credential, this.addresses),
			signal,
			clock,
			limits: new TimeLimits(clock),
			redact: (text) => withoutKey(text, credential),
		};
	}

	/**
	 * A client with the credential that is set on the node.
	 *
	 * @throws GatewayFailure when the credential cannot be used
	 */
	static async of(context: HostContext, clock: Clock = systemClock): Promise<GatewayClient> {
		const credential = await context.getCredentials<GatewayCredential>(CREDENTIAL_TYPE);
		const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return new GatewayClient(context, credential, signal, clock);
	}

	/** Sends a request and parses the answer as JSON. */
	async json(request: GatewayRequest): Promise<unknown> {
		return await this.send(request, readJson);
	}

	/**
	 * Sends a request, as often as the rules allow, until `read` has made a value of a successful answer.
	 *
	 * @throws GatewayFailure when there is none in the end
	 */
	async send<T>(request: GatewayRequest, read: AnswerReader<T>): Promise<T> {
		const urls = urlsOf(request.endpoint, this.addresses).map((url) => withQuery(url, request.query));
		const body = request.json === undefined ? request.body : jsonBody(request.json);
		const signal = eitherOf(this.signal, request.signal);
		const sender = { ...this.sender, signal };
		const startedAt = this.clock.now();
		const { pacer, addresses } = this.state;
		if (pacer.isExhausted) throw statusFailure({ status: 429, attempts: 0 });
		for (let attempts = 1; ; attempts++) {
			const slot = await pacer.acquire(signal);
			if (!slot) throw cancelledFailure({ attempts: attempts - 1 });
			const url = addresses.pick(urls);
			const result = await attempt(sender, attemptOf(request, url, body, attempts), read);
			const pauseMs = this.report(url, slot, result);
			if ('value' in result) return result.value;
			const waitMs = this.retryDelayMs(request, attempts, result, pauseMs);
			if (waitMs === undefined && isRateLimited(result)) pacer.gaveUp();
			if (waitMs === undefined || this.clock.now() + waitMs - startedAt > RETRY_DEADLINE_MS) {
				throw result.failure;
			}
			await this.clock.sleep(waitMs, signal);
		}
	}

	/**
	 * Fetches a result file from any host, without credentials.
	 *
	 * @param url as the gateway gave it; a path counts from the base address
	 * @throws GatewayFailure (kind `download`) with the URL in its details
	 */
	async download<T>(url: string, read: AnswerReader<T>, options: DownloadOptions = {}): Promise<T> {
		const sender = { ...this.sender, credential: undefined, allowedDomains: undefined };
		const { base } = this.addresses;
		return await download(sender, URL.canParse(url, base) ? new URL(url, base).href : url, read, options);
	}

	/**
	 * Tells the other requests of the credential what happened to this one.
	 *
	 * @returns how long all of them pause, in milliseconds
	 */
	private report(url: string, slot: SendSlot, result: { value: unknown } | FailedTry): number {
		const { pacer, addresses } = this.state;
		const failed = 'attempt' in result ? result : undefined;
		if (failed?.attempt.kind === 'notConnected') addresses.notConnected(url);
		else addresses.connected(url);
		if (failed && isRateLimited(failed)) return pacer.refused(slot, failed.retryAfterMs);
		pacer.accepted(slot);
		return 0;
	}

	/** Milliseconds to wait before the next attempt, or undefined when there must be none. */
	private retryDelayMs(
		{ maxRetries = DEFAULT_MAX_RETRIES, endpoint, isFinal }: GatewayRequest,
		attempts: number,
		failed: FailedTry,
		pauseMs: number,
	): number | undefined {
		if (isRateLimited(failed)) {
			// The pauses count, not the refusals: while other items succeed, the gateway is only busy.
			return maxRetries > 0 && this.state.pacer.pausesInARow <= maxRetries ? pauseMs : undefined;
		}
		const isOver = attempts > maxRetries || !mayRepeat(failed.attempt, endpoint.repeatability);
		if (isOver || isFinal?.(failed.failure)) return undefined;
		return backOffMs(attempts, () => this.clock.random(), failed.retryAfterMs);
	}
}

function isRateLimited({ attempt }: FailedTry): boolean {
	return attempt.kind === 'status' && attempt.status === 429;
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
	return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function attemptOf(
	request: GatewayRequest,
	url: string,
	body: RequestBody | undefined,
	attempts: number,
): AttemptRequest {
	const { endpoint, headers, timeoutSeconds = endpoint.timeoutSeconds, streamed = false } = request;
	const { method, repeatability } = endpoint;
	return { method, url, headers, body, repeatability, timeoutSeconds, streamed, attempts };
}

function decrypted(credential: GatewayCredential): DecryptedCredential {
	return {
		id: '',
		name: CREDENTIAL_TYPE,
		type: CREDENTIAL_TYPE,
		data: credential as unknown as DecryptedCredential['data'],
	};
}

/** A shorter key is none ("test", "none"); it may stand in any answer by chance. */
const LEAST_KEY_LENGTH = 8;

/** Gateways like to repeat a key that they do not know. */
function withoutKey(text: string, { apiKey }: GatewayCredential): string {
	const key = apiKey?.trim();
	return key && key.length >= LEAST_KEY_LENGTH ? text.replaceAll(key, '[API key]') : text;
}

function withQuery(url: string, query: GatewayRequest['query']): string {
	if (!query) return url;
	const text = new URLSearchParams(query).toString();
	return text ? `${url}?${text}` : url;
}

/**
 * The domains that n8n's own restriction on the credential allows. Hosts before n8n-workflow 2.41 have no
 * such check.
 */
function allowedDomainsOf(
	context: HostContext,
	credential: GatewayCredential,
	addresses: GatewayAddresses,
): string | undefined {
	if (!('assertCredentialAllowsUrl' in workflow)) return undefined;
	return workflow.assertCredentialAllowsUrl({
		node: context.getNode(),
		credentialData: credential as unknown as workflow.ICredentialDataDecryptedObject,
		url: addresses.base,
		pinnedUrl: addresses.base,
	});
}
