import type { FailureKind } from '../failure/kinds';
import type { GatewayFailure } from '../failure/failure';
import { PROXY_SIGN_IN } from '../failure/statusWords';
import { readFailedAnswer, type Answer, type RawAnswer } from '../answer/answerReaders';
import { type TokenUsage, updated } from '../answer/usage';
import { DEFAULT_TOTAL_MINUTES, STREAM_BYTES } from '../plain/budgets';
import { streamFrom, withinSize } from '../answer/byteStream';
import { costIn, requestIdOf } from '../plain/headers';
import { FILE, isPaid } from './endpoints';
import { OpenBody } from './requestBody';
import { Stopwatch } from './timeLimits';
import type { GatewayAddresses } from './addresses';
import { AttemptEvidence } from './attemptEvidence';
import type { Run, Send, Sending } from './layer';
import type { Exchange, HttpRequest, Unanswered } from './transport';
import { hasNoTunnel, isConnecting } from './transportError';

/** The failures of an answer that has not arrived completely. */
const BROKEN_OFF: Array<FailureKind | undefined> = ['interrupted', 'cancelled'];

type RunOfAttempt = Pick<Run, 'clock' | 'signal' | 'watch' | 'log'> & Partial<Pick<Run, 'ledger'>>;

/**
 * Sends a request once and reads the answer, within its time limits. It collects what is known of a failure, which
 * `verdictOf` judges. @param addresses undefined if it may go to any host
 */
export function attempt(run: RunOfAttempt, exchange: Exchange, addresses?: GatewayAddresses): Send {
	return async (sending, read) => {
		const one = new Attempt(sending, run, addresses);
		let failure: GatewayFailure | undefined;
		try {
			run.watch.add(one.stopwatch);
			const answer = one.answered(await exchange(one.toSend()));
			if (answer.status >= 200 && answer.status < 300) return await read(one.toRead(answer));
			const { report, facts, text } = await readFailedAnswer(answer, one.evidence.foreignOrigin);
			throw one.evidence.reported(report, facts, text);
		} catch (error) {
			failure = one.evidence.failureFrom(error);
			throw failure;
		} finally {
			one.end(failure);
		}
	};
}

class Attempt {
	readonly stopwatch: Stopwatch;
	readonly evidence: AttemptEvidence;
	private readonly startedAt: number;
	/** Undefined if nobody is charged for it. */
	private usage: TokenUsage | undefined;

	constructor(
		private readonly sending: Sending,
		private readonly run: RunOfAttempt,
		addresses: GatewayAddresses | undefined,
	) {
		const { request } = sending;
		const { endpoint, streamed, timeoutSeconds = endpoint.timeoutSeconds } = request;
		const { totalMinutes = DEFAULT_TOTAL_MINUTES } = request;
		this.startedAt = run.clock.now();
		this.usage = isPaid(endpoint) ? {} : undefined;
		const totalMs = streamed && totalMinutes * 60_000;
		const stops = [run.signal, request.signal].filter((signal) => signal !== undefined);
		this.stopwatch = new Stopwatch(run.clock, timeoutSeconds * 1000, totalMs, stops);
		this.evidence = new AttemptEvidence(sending, run, this.stopwatch, addresses);
	}

	toSend(): HttpRequest {
		const { evidence, stopwatch } = this;
		const { request, idempotencyHeader: key } = this.sending;
		const body = (evidence.body = new OpenBody(request));
		return {
			method: request.endpoint.method,
			url: evidence.url,
			headers: { accept: '*/*', ...body.headers },
			ownHeaders: { ...request.headers, ...(key && { [key.name]: key.value }) },
			body: body.written((chunks) => (request.streamed ? stopwatch.countUpload(chunks) : chunks)),
			// Comparable gateways redirect to the pictures of utilities (vikiboss/60s, `bing.module.ts`).
			redirectsToFile: request.streamed === 'image' && request.endpoint.area === 'utilities',
			idleTimeoutMs: stopwatch.limitMs,
			signal: stopwatch.signal,
			onSend: () => (evidence.isUnderWay = true),
			onRedirect: (target) => {
				evidence.address = target;
				evidence.sent = undefined;
			},
			onRequest: (found) => {
				evidence.sent = found;
				stopwatch.limitConnection(() => isConnecting(found));
			},
		};
	}

	/** @throws GatewayFailure for what the request helper has thrown, and for the answer of a proxy */
	answered(raw: RawAnswer | Unanswered): Answer {
		const { evidence, stopwatch } = this;
		if ('thrown' in raw) throw evidence.withoutAnswer(raw.thrown);
		const { address: url } = evidence;
		const passedOn = () => (evidence.isShown = true);
		const cost = costIn(raw);
		const used = (usage: TokenUsage) => (this.usage &&= updated(this.usage, usage));
		used({ cost });
		const countOnlyProgress = () => stopwatch.countOnlyProgress();
		const answer = { ...raw, url, cost, used, countOnlyProgress, passedOn };
		evidence.answer = answer;
		// A proxy may answer instead of making a tunnel. There are other words for its demand for a password.
		if (raw.status === PROXY_SIGN_IN || !hasNoTunnel(evidence.sent)) return answer;
		throw evidence.notConnected({ reason: 'tunnel', detail: String(raw.status) });
	}

	/** Prepares the answer for its reader. The helper's own time limit ends with the headers of a streamed one. */
	toRead(answer: Answer): Answer {
		this.evidence.isRead = true;
		const { streamed } = this.sending.request;
		if (!streamed) return answer;
		const bytes = withinSize(answer.body as AsyncIterable<Buffer>, STREAM_BYTES[streamed]);
		return { ...answer, body: streamFrom(this.stopwatch.countSilence(bytes)) };
	}

	/** Frees what the request holds, says in the log how it went, and counts what it has used, as far as that is known. */
	end(failure: GatewayFailure | undefined): void {
		const { run, usage } = this;
		const { answer, body } = this.evidence;
		run.watch.delete(this.stopwatch);
		// A reader may stop before the end of the body.
		answer?.body.destroy();
		body?.close();
		run.log(this.inWords(failure));
		if (!usage || failure?.isFree) return;
		const isWhole = this.evidence.isRead && !BROKEN_OFF.includes(failure?.kind);
		run.ledger?.used(usage, isWhole, this.sending.idempotencyHeader?.used);
	}

	/** Describes the attempt for n8n's log, without anything that users, models, or the gateway have written. */
	private inWords(failure: GatewayFailure | undefined): string {
		const { answer, url } = this.evidence;
		const { attempts, request } = this.sending;
		const { endpoint } = request;
		// The path of a file at another host may give access to it.
		const { host, pathname } = new URL(url);
		const where = endpoint === FILE ? `a file of ${host}` : pathname;
		const requestId = answer && requestIdOf(answer.headers);
		const words = [
			`${endpoint.method} ${where}`,
			answer ? `status ${answer.status}` : 'no response',
			`${Math.round(this.run.clock.now() - this.startedAt)} ms`,
			`attempt ${attempts}`,
			failure
				? `failed (${failure.kind}, charge: ${failure.charge}, again: ${failure.verdict.again})`
				: 'succeeded',
			requestId === undefined ? '' : `request ID ${requestId}`,
			typeof failure?.cause === 'string' ? `cause ${failure.cause}` : '',
		];
		return words.filter((one) => one !== '').join(', ');
	}
}
