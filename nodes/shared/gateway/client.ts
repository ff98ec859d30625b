import { randomUUID } from 'crypto';
import { afterUnclearAttempt, cancelledFailure } from '../errors/errorMessages';
import { limitFailure, type Moment, unavailableFailure } from '../errors/rateLimitFailure';
import { attempt, type FailedTry, isRateLimited, type Sender, wasAdmitted } from './attempt';
import { senderOf } from './sender';
import { systemClock, type Clock } from '../pacing/clock';
import { addressesOf, type GatewayAddresses } from './addresses';
import {
	checkHeaderFields,
	credentialOf,
	type GatewayCredential,
	idempotencyHeaderOf,
	redactorOf,
} from './credential';
import { download, linksOf, type DownloadOptions } from './download';
import { isPaid } from './endpoints';
import { sendToFirstReachable, waysOf } from './firstReachable';
import { Ledger } from './ledger';
import { restAfterRefusal } from './restAfterRefusal';
import { attemptOf, type Earlier, type GatewayRequest } from './request';
import { type FailureFacts, toFailure } from '../errors/gatewayFailure';
import { credentialStateOf, type CredentialState } from '../pacing/credentialState';
import type { Lane } from '../pacing/lane';
import { newRequest, type SendSlot } from '../pacing/sendSlot';
import { readJson, type AnswerReader } from '../http/answerReaders';
import { jsonBody } from '../http/requestBody';
import { asksToWait, mayRepeat, Retries, RETRY_DEADLINE_MS } from '../pacing/retry';
import { eitherOf } from '../pacing/timeLimits';
import type { Redactor } from '../secrets/redactor';
import type { HostContext } from './transport';
import { UsedLanes } from './usedLanes';

export type { GatewayRequest, RequestOptions } from './request';

/**
 * The only way to the gateway. It paces, sends, reads, and retries requests, switches to the alternate address, and
 * returns a value or throws a {@link GatewayFailure}. There is one client for each run of a node.
 */
export class GatewayClient {
	/** The addresses to which the credential's key may be sent. */
	readonly addresses: GatewayAddresses;
	/** What the requests of this client have cost. */
	readonly ledger: Ledger;
	private readonly idempotencyHeader: string;
	private readonly state: CredentialState;
	private readonly sender: Sender;
	/** Where its requests are paced. */
	readonly lanes: UsedLanes;
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
		/** Whether it sends as many requests at once as suit the gateway. Otherwise the caller limits them. */
		private readonly findsWidth = false,
	) {
		this.redactor = redactorOf(credential);
		this.ledger = new Ledger(clock);
		this.addresses = addressesOf(credential);
		checkHeaderFields(credential);
		this.idempotencyHeader = idempotencyHeaderOf(credential);
		const { baseUrl, apiKey, requestsPerMinute = 0 } = credential;
		this.state = credentialStateOf([baseUrl, apiKey], requestsPerMinute, clock);
		this.lanes = new UsedLanes(this.state.pacer);
		this.sender = senderOf(context, credential, signal, clock, this.redactor);
	}

	/**
	 * A client with the node's credential.
	 *
	 * @throws GatewayFailure when the credential cannot be used
	 */
	static async of(context: HostContext, clock = systemClock, findsWidth = false): Promise<GatewayClient> {
		const credential = await credentialOf(context);
		const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		try {
			return new GatewayClient(context, credential, signal, clock, findsWidth);
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
		const earlier: Earlier = {};
		try {
			return await this.redactor.unfinished(await this.sendRepeatedly(request, read, earlier));
		} catch (error) {
			const last = toFailure(error);
			const isLess = last.facts.partial === undefined && earlier.partial !== undefined;
			const failure = await this.redactor.failure(isLess ? last.with({ partial: earlier.partial }) : last);
			throw earlier.mayHaveBeenCarriedOut ? afterUnclearAttempt(failure) : failure;
		}
	}

	/** @param earlier receives what is known of attempts that are then repeated */
	private async sendRepeatedly<T>(
		request: GatewayRequest,
		read: AnswerReader<T>,
		earlier: Earlier,
	): Promise<T> {
		const body = request.body ?? (request.json === undefined ? undefined : jsonBody(request.json));
		const signal = eitherOf(this.signal, request.signal);
		const sender = { ...this.sender, signal };
		const waiting = request.stop ? eitherOf(request.stop, request.signal) : signal;
		const ways = waysOf(request, this.addresses, this.state.addresses, waiting);
		const { pacer } = this.state;
		const lane = this.lanes.of(request);
		const paced = newRequest(this.findsWidth);
		const keyHeaders = this.idempotencyHeaders(request);
		const retries = new Retries(request, () => this.clock.random());
		let deadline: number | undefined;
		let refusal: FailureFacts = { status: 429, attempts: 0 };
		for (let attempts = 1; ; attempts++) {
			const acquire = async () => await pacer.acquire(lane, paced, waiting);
			const slot = pacer.isLimited(lane)
				? await this.ledger.waitForLimit(acquire, lane.pauseMs(this.clock.now()))
				: await acquire();
			if (!slot && waiting?.aborted) throw cancelledFailure({ attempts: attempts - 1 });
			if (!slot) throw limitFailure(refusal, lane.limitEnd, this.moment);
			deadline ??= slot.sentAt + RETRY_DEADLINE_MS;
			this.ledger.sent(attempts);
			const sending = sendToFirstReachable(
				ways,
				async (url) => await attempt(sender, attemptOf(request, url, body, keyHeaders, attempts), read),
			);
			const { result, pauseMs } = await this.report(lane, slot, sending);
			if ('value' in result) return result.value;
			if (pauseMs === undefined) {
				const waitMs = this.retryDelayMs(request, retries, result);
				if (waitMs === undefined) throw result.failure;
				if (this.clock.now() + waitMs > deadline) {
					throw unavailableFailure(result.failure, result.retryAfterMs, this.moment);
				}
				const { mayHaveBeenCarriedOut, partial } = result.failure.facts;
				earlier.mayHaveBeenCarriedOut ||= mayHaveBeenCarriedOut;
				earlier.partial = partial ?? earlier.partial;
				if (mayHaveBeenCarriedOut) await request.onUnclear?.();
				const sleep = async () => await this.clock.sleep(waitMs, waiting);
				if (!asksToWait(result.attempt, result.retryAfterMs)) await sleep();
				else await this.ledger.waitForLimit(sleep, waitMs);
			} else {
				refusal = result.failure.facts;
				const isTooLong = this.clock.now() + pauseMs > deadline;
				if (isTooLong || !lane.mayRetry(paced, request.maxRateLimitRetries)) {
					throw limitFailure(refusal, isTooLong ? this.clock.date() + pauseMs : undefined, this.moment);
				}
				const { isRefusedAlone: isAlone } = paced;
				await restAfterRefusal(this, { pauseMs, isAlone, rest: request.rest, signal: waiting });
			}
		}
	}

	/**
	 * Downloads a result file from any host, without credentials.
	 *
	 * @param url as the gateway returned it; a path is relative to the address of the gateway that can be reached
	 * @throws GatewayFailure (kind `download`) with the URL in its details
	 */
	async download<T>(url: string, read: AnswerReader<T>, options: DownloadOptions = {}): Promise<T> {
		const sender = { ...this.sender, credential: undefined, allowedDomains: undefined };
		const links = linksOf(this.redactor.text(url), this.addresses, this.state.addresses);
		return await download(sender, links, read, options);
	}

	/**
	 * Tells the other requests of the credential what happens to this one.
	 *
	 * @returns the result of the attempt, and how long to pause if the gateway refused it because of a limit
	 */
	private async report<T>(
		lane: Lane,
		slot: SendSlot,
		sending: Promise<{ value: T } | FailedTry>,
	): Promise<{ result: { value: T } | FailedTry; pauseMs?: number }> {
		let result: { value: T } | FailedTry | undefined;
		try {
			result = await sending;
		} finally {
			if (!result) lane.ended(slot);
		}
		const failed = 'attempt' in result ? result : undefined;
		if (failed && isRateLimited(failed)) return { result, pauseMs: lane.refused(slot, failed.retryAfterMs) };
		if (!failed || wasAdmitted(failed)) lane.accepted(slot, !failed);
		else lane.ended(slot);
		return { result };
	}

	/** Tells credentials apart, for what is remembered of a gateway. */
	get credentialId(): string {
		return this.state.id;
	}

	/** How long the gateway refuses requests like this one, in milliseconds; 0 if it does not. */
	refusedForMs(request: GatewayRequest): number {
		return this.lanes.of(request).pauseMs(this.clock.now());
	}

	/** The current time and the time zone of the workflow. */
	private get moment(): Moment {
		return { now: this.clock.date(), timeZone: this.sender.context.getTimezone() };
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
		{ endpoint, isFinal, repeatsUnclear }: GatewayRequest,
		retries: Retries,
		{ attempt: failed, failure, retryAfterMs }: FailedTry,
	): number | undefined {
		const repeats = repeatsUnclear === true || this.usesIdempotencyKeys;
		if (!mayRepeat(failed, endpoint.repeatability, repeats) || isFinal?.(failure)) return undefined;
		return retries.after(failed, retryAfterMs);
	}
}
