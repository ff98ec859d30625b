import { randomUUID } from 'crypto';
import { afterUnclearAttempt, cancelledFailure, statusFailure } from '../errors/errorMessages';
import { attempt, type AttemptRequest, type FailedTry, type Sender } from './attempt';
import { senderOf } from './sender';
import { systemClock, type Clock } from '../pacing/clock';
import { addressesOf, type GatewayAddresses } from './addresses';
import {
	checkHeaderFields,
	CREDENTIAL_TYPE,
	type GatewayCredential,
	idempotencyHeaderOf,
	redactorOf,
} from './credential';
import { download, type DownloadOptions } from './download';
import { isPaid, urlsOf, type Endpoint } from './endpoints';
import type { GatewayFailure } from '../errors/gatewayFailure';
import { credentialStateOf, type CredentialState } from '../pacing/credentialState';
import type { SendSlot } from '../pacing/learnedRate';
import { DEFAULT_TOTAL_MINUTES, type StreamKind } from '../http/budgets';
import { readJson, type AnswerReader } from '../http/answerReaders';
import { jsonBody, type RequestBody } from '../http/requestBody';
import { backOffMs, DEFAULT_MAX_RETRIES, mayRepeat, RETRY_DEADLINE_MS } from '../pacing/retry';
import type { Redactor } from '../secrets/redactor';
import type { HostContext } from './transport';

/** Retries and time limit of a request, from the node's Options. */
export interface RequestOptions {
	/** Default: `DEFAULT_MAX_RETRIES`. */
	maxRetries?: number;
	/** Time limit for one answer. Default: the endpoint's. */
	timeoutSeconds?: number;
	/** Time limit for a streamed answer as a whole. Default: `DEFAULT_TOTAL_MINUTES`. */
	totalMinutes?: number;
	/** Whether to repeat a request that may already be paid for. Default: only with an idempotency key. */
	repeatsUnclear?: boolean;
}

/** One request to the gateway. */
export interface GatewayRequest extends RequestOptions {
	endpoint: Endpoint;
	/** Pairs when a name may occur several times. */
	query?: Record<string, string> | Array<[string, string]>;
	/** Sent as JSON; it may contain `EmbeddedFile`s. */
	json?: unknown;
	/** Sent as it is, instead of `json`. */
	body?: RequestBody;
	headers?: Record<string, string>;
	/**
	 * The kind of an answer whose time limit counts silence instead of the whole answer: files and event streams may take
	 * long as long as they make progress.
	 */
	streamed?: StreamKind;
	/** Sent with a paid request if the credential names a header for it. Default: a random one. */
	idempotencyKey?: string;
	/** Whether a failure must not be retried although its status would allow a retry. */
	isFinal?: (failure: GatewayFailure) => boolean;
	/** Stops only this request, in addition to the client's signal. */
	signal?: AbortSignal;
}

/**
 * The only way to the gateway. It paces, sends, reads, and retries requests, switches to the alternate address, and
 * returns a value or throws a {@link GatewayFailure}. There is one client for each run of a node.
 */
export class GatewayClient {
	/** The addresses to which the credential's key may be sent. */
	readonly addresses: GatewayAddresses;
	private readonly idempotencyHeader: string;
	private readonly state: CredentialState;
	private readonly sender: Sender;
	/** Removes the key from whatever leaves a node. */
	readonly redactor: Redactor;

	/**
	 * @param signal stops everything immediately when it is aborted
	 * @throws GatewayFailure (kind `settings`) when the credential's addresses cannot be used
	 */
	constructor(
		context: HostContext,
		credential: GatewayCredential,
		private readonly signal: AbortSignal | undefined,
		/** The clock of this run. */
		readonly clock: Clock = systemClock,
	) {
		this.redactor = redactorOf(credential);
		this.addresses = addressesOf(credential);
		checkHeaderFields(credential);
		this.idempotencyHeader = idempotencyHeaderOf(credential);
		this.state = credentialStateOf(
			[credential.baseUrl, credential.apiKey],
			credential.requestsPerMinute ?? 0,
			clock,
		);
		this.sender = senderOf(context, credential, signal, clock, this.redactor);
	}

	/**
	 * A client with the node's credential.
	 *
	 * @throws GatewayFailure when the credential cannot be used
	 */
	static async of(context: HostContext, clock: Clock = systemClock): Promise<GatewayClient> {
		const credential = await context.getCredentials<GatewayCredential>(CREDENTIAL_TYPE);
		const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		try {
			return new GatewayClient(context, credential, signal, clock);
		} catch (error) {
			throw await redactorOf(credential).failure(error);
		}
	}

	/** Sends a request and parses the answer as JSON. */
	async json(request: GatewayRequest): Promise<unknown> {
		return await this.send(request, readJson);
	}

	/**
	 * Sends a request, as often as the rules allow, until `read` has turned a successful answer into a value.
	 *
	 * @throws GatewayFailure when no attempt succeeds
	 */
	async send<T>(request: GatewayRequest, read: AnswerReader<T>): Promise<T> {
		const earlier = { isUnclear: false };
		try {
			return await this.redactor.unfinished(await this.sendRepeatedly(request, read, earlier));
		} catch (error) {
			const failure = await this.redactor.failure(error);
			throw earlier.isUnclear ? afterUnclearAttempt(failure) : failure;
		}
	}

	/** @param earlier is told when the gateway may have carried out an attempt that is then repeated */
	private async sendRepeatedly<T>(
		request: GatewayRequest,
		read: AnswerReader<T>,
		earlier: { isUnclear: boolean },
	): Promise<T> {
		const urls = urlsOf(request.endpoint, this.addresses).map((url) => withQuery(url, request.query));
		const body = request.json === undefined ? request.body : jsonBody(request.json);
		const signal = eitherOf(this.signal, request.signal);
		const sender = { ...this.sender, signal };
		const startedAt = this.clock.now();
		const { pacer, addresses } = this.state;
		if (pacer.isExhausted) throw statusFailure({ status: 429, attempts: 0 });
		const keyHeaders = this.idempotencyHeaders(request);
		for (let attempts = 1; ; attempts++) {
			const slot = await pacer.acquire(signal);
			if (!slot) throw cancelledFailure({ attempts: attempts - 1 });
			const url = addresses.pick(urls);
			const result = await attempt(sender, attemptOf(request, url, body, keyHeaders, attempts), read);
			const pauseMs = this.report(url, slot, result);
			if ('value' in result) return result.value;
			const waitMs = this.retryDelayMs(request, attempts, result, pauseMs);
			if (waitMs === undefined && isRateLimited(result)) pacer.gaveUp();
			if (waitMs === undefined || this.clock.now() + waitMs - startedAt > RETRY_DEADLINE_MS) {
				throw result.failure;
			}
			earlier.isUnclear ||= result.failure.facts.mayHaveBeenCarriedOut === true;
			await this.clock.sleep(waitMs, signal);
		}
	}

	/**
	 * Downloads a result file from any host, without credentials.
	 *
	 * @param url as the gateway returned it; a path is relative to the base address
	 * @throws GatewayFailure (kind `download`) with the URL in its details
	 */
	async download<T>(url: string, read: AnswerReader<T>, options: DownloadOptions = {}): Promise<T> {
		const sender = { ...this.sender, credential: undefined, allowedDomains: undefined };
		const { base } = this.addresses;
		const link = this.redactor.text(url);
		return await download(sender, URL.canParse(link, base) ? new URL(link, base).href : link, read, options);
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

	/** Whether paid requests carry a key by which the gateway recognizes a repeated one. */
	get usesIdempotencyKeys(): boolean {
		return this.idempotencyHeader !== '';
	}

	private idempotencyHeaders({
		endpoint,
		idempotencyKey,
	}: GatewayRequest): Record<string, string> | undefined {
		if (!this.usesIdempotencyKeys || !isPaid(endpoint)) return undefined;
		return { [this.idempotencyHeader]: idempotencyKey ?? randomUUID() };
	}

	/** Milliseconds to wait before the next attempt, or undefined when there must be none. */
	private retryDelayMs(
		{ maxRetries = DEFAULT_MAX_RETRIES, endpoint, isFinal, repeatsUnclear }: GatewayRequest,
		attempts: number,
		failed: FailedTry,
		pauseMs: number,
	): number | undefined {
		if (isRateLimited(failed)) {
			// The pauses count, not the refusals: while other items succeed, the gateway is only busy.
			return maxRetries > 0 && this.state.pacer.pausesInARow <= maxRetries ? pauseMs : undefined;
		}
		const repeats = repeatsUnclear === true || this.usesIdempotencyKeys;
		const isOver = attempts > maxRetries || !mayRepeat(failed.attempt, endpoint.repeatability, repeats);
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
	keyHeaders: Record<string, string> | undefined,
	attempts: number,
): AttemptRequest {
	const { endpoint, headers, timeoutSeconds = endpoint.timeoutSeconds, streamed } = request;
	const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
	const { method, repeatability } = endpoint;
	const limits = { timeoutSeconds, totalMinutes, streamed };
	return { method, url, headers, keyHeaders, body, repeatability, attempts, ...limits };
}

function withQuery(url: string, query: GatewayRequest['query']): string {
	if (!query) return url;
	const text = new URLSearchParams(query).toString();
	return text ? `${url}?${text}` : url;
}
