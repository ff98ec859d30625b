import { readErrorBody, errorInside, saysError, hasOutputTokens } from '../../shared/failure/errorBody';
import { keptAnswer } from '../../shared/answer/answerReaders';
import { answerFailure } from '../../shared/failure/words';
import type { FailureFacts } from '../../shared/failure/evidence';
import type { GatewayFailure } from '../../shared/failure/failure';
import { statusMeant } from '../../shared/failure/meaning';
import { reportedFailure } from '../../shared/failure/verdict';
import { type Fields, asRecord } from '../../shared/plain/values';
import { objectsIn } from './lists';

/** An event with which the gateway ends a stream because of an error. */
export class ErrorEvent {
	constructor(
		private readonly facts: FailureFacts,
		/** True if it also continues the answer. */
		readonly hasResult: boolean,
		/** The event itself, which may report usage. */
		readonly body: Fields = {},
	) {}

	/** @param hasBegun whether a part of the answer had arrived before, so that the request was not merely rejected */
	toFailure(hasBegun: boolean): GatewayFailure {
		const { facts } = this;
		const hasResult = hasBegun || this.hasResult;
		if (hasResult && statusMeant(OK, facts) === OK) {
			return answerFailure('the gateway ended it with an error message', facts);
		}
		return reportedFailure({ status: OK, hasErrorObject: true, isWebPage: false, hasResult }, facts);
	}
}

const OK = 200;

/** Returns the error in an event; undefined if there is none. */
export function errorIn(data: Fields | string, name?: string): ErrorEvent | undefined {
	const event = asRecord(data);
	// In the Responses API, the failed response contains the error.
	const body = (event?.type === 'response.failed' && asRecord(event.response)) || event;
	// "error: …" (Crane#121) and "[ERROR] …", as many servers in Python end a stream.
	const isText = typeof data === 'string' && /^\s{0,9}(\[error\]|error:)/i.test(data);
	const isNamed = name === 'error' || body?.type === 'error' || isText;
	const facts = isNamed ? readErrorBody(body ?? data) : errorInside(body)?.facts;
	if (!facts) return undefined;
	const isPart = body !== undefined && (isProgress(body) || hasOutputTokens(body));
	return new ErrorEvent(facts, isPart, body);
}

/** Returns the answer. @throws GatewayFailure with the words of an error with which its first choice ended */
export function withoutError(body: Fields): Fields {
	const [{ error, message } = {} as Fields] = objectsIn(body.choices);
	if (!saysError(error)) return body;
	const event = errorIn({ error });
	const hasBegun = isProgress({ message });
	if (event) throw event.toFailure(hasBegun).with(hasBegun ? keptAnswer(body) : {});
	return body;
}

/** Names of fields that say nothing about the answer itself. */
const NOT_CONTENT = [
	...['id', 'type', 'role', 'index', 'object', 'model'],
	...['logprobs', 'native_finish_reason'],
];

/** Tells whether an event continues an answer. Comments, pings, and empty events only keep a connection open. */
export function isProgress(event: Fields): boolean {
	const { choices, candidates, delta, message, content_block: block, promptFeedback } = event;
	const parts = [message, block, promptFeedback].map(asRecord);
	// The delta of the Responses API is a text.
	return [choices, candidates, delta, ...parts].some(hasContent);
}

/** Tells whether a value contains a text, a number, or `true` under a name that stands for content. */
function hasContent(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return value !== undefined && value !== null && value !== '' && value !== false;
	}
	if (Array.isArray(value)) return value.some(hasContent);
	return Object.entries(value).some(([name, inner]) => !NOT_CONTENT.includes(name) && hasContent(inner));
}
