import { downloadFailure } from '../errors/errorMessages';
import { withGatewayWords } from '../errors/statusFailure';
import { attempt, type Sender } from './attempt';
import { type GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { DEFAULT_TOTAL_MINUTES, type StreamKind } from '../http/budgets';
import type { AddressHealth } from '../pacing/addressHealth';
import type { GatewayAddresses } from './addresses';
import type { AnswerReader } from '../http/answerReaders';
import { type FailedAttempt, mayRepeat, Retries, RETRY_DEADLINE_MS, type RetryLimits } from '../pacing/retry';

/** Retries and time limit of a download. */
export interface DownloadOptions extends RetryLimits {
	/** Longest silence of the connection. Default: 60. */
	timeoutSeconds?: number;
	/** Time limit for the whole file. Default: `DEFAULT_TOTAL_MINUTES`. */
	totalMinutes?: number;
	/** Default: `file`. */
	kind?: StreamKind;
}

/**
 * Where a file may be: a path is at the addresses of the gateway, one that can be reached first.
 *
 * @param link as the gateway returned it
 */
export function linksOf(
	link: string,
	{ base, alternate }: GatewayAddresses,
	health: AddressHealth,
): string[] {
	const bases = health.inOrder(alternate === undefined ? [base] : [base, alternate]);
	return [...new Set(bases.map((from) => (URL.canParse(link, from) ? new URL(link, from).href : link)))];
}

/**
 * Downloads a result file (an image, a track) from any host, without credentials, with retries. It follows redirects.
 *
 * @param sender without a credential
 * @param urls where the file may be; another one is tried only if nothing answers at the one before
 * @param read may throw a GatewayFailure for an answer that is not the file
 * @throws GatewayFailure (kind `download`) with the URL in its details, because the file is paid for
 */
export async function download<T>(
	sender: Sender,
	urls: string[],
	read: AnswerReader<T>,
	{
		timeoutSeconds = 60,
		totalMinutes = DEFAULT_TOTAL_MINUTES,
		kind = 'file',
		...retryLimits
	}: DownloadOptions,
): Promise<T> {
	const [url] = urls;
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw downloadFailure(url, 'the link is not a valid web address');
	}
	const startedAt = sender.clock.now();
	const limits = { timeoutSeconds, totalMinutes, streamed: kind };
	const retries = new Retries(retryLimits, () => sender.clock.random());
	const request = { method: 'GET', repeatability: 'read', ...limits } as const;
	const others = urls.slice(1);
	let from = url;
	try {
		for (let attempts = 1; ; attempts++) {
			const result = await attempt(sender, { ...request, url: from, attempts }, read);
			if ('value' in result) return result.value;
			const other = result.attempt.kind === 'notConnected' ? others.shift() : undefined;
			if (other !== undefined) {
				from = other;
				continue;
			}
			const notThereMs = isNotThereYet(result.attempt) ? NOT_THERE_MS : undefined;
			const waitMs =
				notThereMs !== undefined || mayRepeat(result.attempt, 'read')
					? retries.after(result.attempt, result.retryAfterMs ?? notThereMs)
					: undefined;
			if (waitMs === undefined) throw result.failure;
			if (sender.clock.now() + waitMs - startedAt > RETRY_DEADLINE_MS) throw result.failure;
			await sender.clock.sleep(waitMs, sender.signal);
		}
	} catch (error) {
		const failure = toFailure(error);
		if (failure.kind === 'cancelled' || failure.kind === 'storage') throw failure.with({ partial: { url } });
		throw downloadFailure(url, whyNot(failure), failure.facts);
	}
}

/** The shortest wait for a file that is not there yet; three retries take about ten seconds. */
const NOT_THERE_MS = 3_000;

/** Behind a CDN, a link may answer 404 for some seconds after it was returned (seen by users of LLM Gateway). */
function isNotThereYet(failed: FailedAttempt): boolean {
	return failed.kind === 'status' && failed.status === 404;
}

function whyNot(failure: GatewayFailure): string {
	const { status, attempts = 1 } = failure.facts;
	const tried = attempts > 1 ? `, tried ${attempts} times` : '';
	if (failure.kind !== 'answer' && status !== undefined && status >= 300) {
		return withGatewayWords(`status ${status}${tried}`, failure.facts);
	}
	return `${failure.message.charAt(0).toLowerCase()}${failure.message.slice(1)}${tried}`;
}
