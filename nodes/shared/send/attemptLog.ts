import type { GatewayFailure } from '../failure/failure';
import { verdictInWords } from '../failure/fate';
import type { RawAnswer } from '../answer/answerReaders';
import type { Redactor } from '../answer/redactor';
import { requestIdOf } from '../answer/headers';
import { FILE } from './endpoints';
import type { Sending } from './request';
import type { HostContext } from './transport';

interface EndedAttempt {
	sending: Sending;
	url: string;
	/** Undefined if there was none. */
	answer: RawAnswer | undefined;
	milliseconds: number;
	/** Undefined if it has succeeded. */
	failure: GatewayFailure | undefined;
}

/** Writes a fault of this package to n8n's log, with where it was found. */
export function logFault(
	{ logger }: HostContext,
	redactor: Redactor,
	{ kind, message, facts }: GatewayFailure,
): void {
	if (kind === 'bug') logger.error(redactor.text(`Unified AI Gateway: ${message}\n${facts.stack ?? ''}`));
}

/** The path of a URL, which takes longer to parse. */
const pathOf = (url: string) => url.replace(/^\w+:\/\/[^/]*/, '').split('?', 1)[0];

/** One attempt of a request for n8n's log, without anything that users, models, or the gateway have written. */
export function attemptInWords({ sending, url, answer, milliseconds, failure }: EndedAttempt): string {
	const { endpoint } = sending.request;
	// The path of a file at another host may give access to it.
	const where = endpoint === FILE ? `a file of ${new URL(url).host}` : pathOf(url);
	const requestId = answer && requestIdOf(answer.headers);
	const words = [
		`${endpoint.method} ${where}`,
		answer ? `status ${answer.status}` : 'no response',
		`${Math.round(milliseconds)} ms`,
		`attempt ${sending.attempts}`,
		failure ? verdictInWords(failure.kind, failure.verdict) : 'succeeded',
		requestId === undefined ? '' : `request ID ${requestId}`,
		typeof failure?.cause === 'string' ? `cause ${failure.cause}` : '',
	];
	return words.filter((one) => one !== '').join(', ');
}
