import * as workflow from 'n8n-workflow';
import { cancelledFailure, interruptedFailure, statusFailure, unreachableFailure } from './advice';
import { systemClock, type Clock } from './clock';
import { addressesOf, CREDENTIAL_TYPE, type GatewayAddresses, type GatewayCredential } from './credential';
import { urlsOf, type Endpoint } from './endpoints';
import { GatewayFailure, toFailure } from './failure';
import { gatewayStateOf, type GatewayState } from './gatewayState';
import { failureOf, readJson, type AnswerReader } from './readers';
import { backOffMs, mayHaveBeenCarriedOut, mayRepeat, RETRY_DEADLINE_MS, type FailedAttempt } from './retry';
import { retryAfterMilliseconds } from './retryAfter';
import type { SendSlot } from './pacing';
import { Stopwatch } from './stopwatch';
import { exchange, explainTransportError, type DecryptedCredential, type HostContext } from './transport';

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
	query?: Record<string, string>;
	/** Sent as JSON. */
	json?: unknown;
	headers?: Record<string, string>;
	/**
	 * The time limit counts silence instead of the whole answer: for files and event streams, which may
	 * rightly take long as long as they move.
	 */
	streamed?: boolean;
}

export const DEFAULT_MAX_RETRIES = 6;

interface FailedTry {
	attempt: FailedAttempt;
	failure: GatewayFailure;
	retryAfterMs?: number;
}

/**
 * The one road to the gateway: paces, sends, reads, retries, goes to the alternate address, and gives the
 * value or throws a {@link GatewayFailure}. Made once per run of a node.
 */
export class GatewayClient {
	private readonly addresses: GatewayAddresses;
	private readonly state: GatewayState;
	private readonly allowedDomains: string | undefined;

	/**
	 * @param signal stops everything at once when it is aborted
	 * @throws GatewayFailure (kind `settings`) when the credential's addresses cannot be used
	 */
	constructor(
		private readonly context: HostContext,
		private readonly credential: GatewayCredential,
		private readonly signal: AbortSignal | undefined,
		private readonly clock: Clock = systemClock,
	) {
		this.addresses = addressesOf(credential);
		this.state = gatewayStateOf(credential, clock);
		this.allowedDomains = allowedDomainsOf(context, credential, this.addresses);
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
		const startedAt = this.clock.now();
		if (this.state.pacer.isVain) throw toFailure(statusFailure({ status: 429, attempts: 0 }));
		for (let attempts = 1; ; attempts++) {
			const slot = await this.state.pacer.acquire(this.signal);
			if (!slot) throw cancelledFailure({ attempts: attempts - 1 });
			const url = this.state.route.pick(urls);
			const result = await this.try(request, url, read);
			this.noteConnection(url, result);
			if ('value' in result) {
				this.state.pacer.accepted(slot);
				return result.value;
			}
			const waitMs = this.waitBeforeRetry(request, slot, attempts, result);
			if (waitMs === undefined || this.clock.now() + waitMs - startedAt > RETRY_DEADLINE_MS) {
				throw result.failure.with({ attempts });
			}
			await this.clock.sleep(waitMs, this.signal);
		}
	}

	/** Milliseconds to wait before the next attempt, or undefined when there must be none. */
	private waitBeforeRetry(
		request: GatewayRequest,
		slot: SendSlot,
		attempts: number,
		{ attempt, retryAfterMs }: FailedTry,
	): number | undefined {
		const { maxRetries = DEFAULT_MAX_RETRIES, endpoint } = request;
		if (attempt.kind === 'status' && attempt.status === 429) {
			const pauseMs = this.state.pacer.refused(slot, retryAfterMs);
			// Refusals in between do not count while the gateway accepts other items: it is only busy.
			if (maxRetries > 0 && this.state.pacer.pausesInARow <= maxRetries) return pauseMs;
			this.state.pacer.gaveUp();
			return undefined;
		}
		this.state.pacer.accepted(slot);
		if (attempts > maxRetries || !mayRepeat(attempt, endpoint.repeatability)) return undefined;
		return backOffMs(attempts, () => this.clock.random(), retryAfterMs);
	}

	/** One attempt. Failures that no repetition can mend are thrown, others returned. */
	private async try<T>(
		request: GatewayRequest,
		url: string,
		read: AnswerReader<T>,
	): Promise<{ value: T } | FailedTry> {
		const { endpoint, timeoutSeconds = endpoint.timeoutSeconds } = request;
		const { repeatability } = endpoint;
		const { hostname: host } = new URL(url);
		const stopwatch = new Stopwatch(
			this.clock,
			this.signal,
			request.streamed ? undefined : timeoutSeconds * 1000,
		);
		try {
			const answer = await exchange(this.context, this.decrypted(), this.addresses, {
				method: endpoint.method,
				url,
				headers: { accept: '*/*', ...(request.json === undefined ? {} : JSON_HEADERS), ...request.headers },
				body: request.json === undefined ? undefined : JSON.stringify(request.json),
				idleTimeoutMs: timeoutSeconds * 1000,
				signal: stopwatch.signal,
				allowedDomains: this.allowedDomains,
			});
			if (answer.status >= 200 && answer.status < 300) return { value: await read({ ...answer, host }) };

			const attempt: FailedAttempt = { kind: 'status', status: answer.status };
			const failure = (await failureOf({ ...answer, host }, (text) => this.redact(text))).with({
				mayHaveBeenCarriedOut: mayHaveBeenCarriedOut(attempt, repeatability) || undefined,
			});
			return { attempt, failure, retryAfterMs: retryAfterMilliseconds(answer.headers, this.clock.now()) };
		} catch (error) {
			return this.failedTry(error, request, host, stopwatch.timedOut);
		} finally {
			stopwatch.stop();
		}
	}

	private failedTry(
		error: unknown,
		{ endpoint }: GatewayRequest,
		host: string,
		timedOut: boolean,
	): FailedTry {
		if (error instanceof GatewayFailure) throw toFailure(error);
		const { repeatability } = endpoint;
		if (this.signal?.aborted) {
			throw cancelledFailure({ mayHaveBeenCarriedOut: repeatability !== 'read' || undefined });
		}
		const reason = explainTransportError(error);
		if (reason.kind === 'notConnected') {
			const failure = unreachableFailure(host, reason.reason, {}, this.redact(reason.detail ?? ''));
			if (reason.reason === 'blocked') throw toFailure(failure);
			return { attempt: { kind: 'notConnected' }, failure };
		}
		const attempt: FailedAttempt = { kind: 'interrupted' };
		const facts = { mayHaveBeenCarriedOut: mayHaveBeenCarriedOut(attempt, repeatability) || undefined };
		return { attempt, failure: interruptedFailure(timedOut || reason.timedOut, facts) };
	}

	private noteConnection(url: string, result: object): void {
		const vain = 'attempt' in result && (result as FailedTry).attempt.kind === 'notConnected';
		if (vain) this.state.route.notConnected(url);
		else this.state.route.connected(url);
	}

	private decrypted(): DecryptedCredential {
		return {
			id: '',
			name: CREDENTIAL_TYPE,
			type: CREDENTIAL_TYPE,
			data: this.credential as unknown as DecryptedCredential['data'],
		};
	}

	/** Gateways like to repeat a key that they do not know. */
	private redact(text: string): string {
		const key = this.credential.apiKey?.trim();
		return key ? text.replaceAll(key, '[API key]') : text;
	}
}

const JSON_HEADERS = { 'content-type': 'application/json' };

function withQuery(url: string, query: Record<string, string> = {}): string {
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
