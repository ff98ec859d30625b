import { answerFailure, statusFailure, webPageFailure } from '../errors/errorMessages';
import { BodyTooLarge, decodeText, readBytes, type ByteStream } from './byteStream';
import { isErrorObject, looksLikeWebPage, readErrorBody } from '../errors/errorBody';
import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import { asRecord, isTooDeep, parseJson } from '../values';
import { requestIdOf, type ResponseHeaders } from './headers';

const MAX_TEXT_BYTES = 64_000_000;
const MAX_FAILURE_BYTES = 64_000;
/** Maximum number of characters of an unreadable answer that its failure keeps. */
const MAX_KEPT_TEXT = 10_000;

/** An answer whose body has not been read yet. */
export interface RawAnswer {
	status: number;
	headers: ResponseHeaders;
	body: ByteStream;
}

/** An answer and where it came from. */
export interface Answer extends RawAnswer {
	/** The address of the request. */
	url: string;
	/** Removes the key from a text, because some endpoints repeat what they were sent. */
	redact: (text: string) => string;
}

/**
 * Turns a successful answer into a value. It runs inside the retry loop, so a request is repeated when its body is cut
 * off and the request may be repeated.
 */
export type AnswerReader<T> = (answer: Answer) => Promise<T>;

/**
 * Reads text and removes the key from it.
 *
 * @throws GatewayFailure (kind `answer`) when it is longer than 64 MB
 */
export const readText: AnswerReader<string> = async ({ body, headers, redact }) => {
	try {
		return redact(decodeText(await readBytes(body, MAX_TEXT_BYTES)));
	} catch (error) {
		body.destroy();
		throw tooLargeOr(error, { requestId: requestIdOf(headers) });
	}
};

function tooLargeOr(error: unknown, facts: FailureFacts): unknown {
	return error instanceof BodyTooLarge ? answerFailure(`it is ${error.message}`, facts) : error;
}

/**
 * Reads JSON.
 *
 * @throws GatewayFailure when the answer is a web page, is not JSON, or is an error object despite its status
 */
export const readJson: AnswerReader<unknown> = async (answer) => parseAnswer(await readText(answer), answer);

/**
 * Parses the text of an answer as JSON.
 *
 * @throws GatewayFailure like {@link readJson}
 */
export function parseAnswer(text: string, answer: Answer): unknown {
	const { status, headers, url } = answer;
	const parsed = parseJson(text);
	if (parsed === undefined) {
		const facts = { status, requestId: requestIdOf(headers) };
		if (looksLikeWebPage(text)) throw webPageFailure(url, facts);
		throw answerFailure(whyNoJson(text), { ...facts, ...keptText(text) });
	}
	throwIfErrorObject(parsed.value, answer);
	return parsed.value;
}

/** The reason, for a failure, why a text cannot be used as JSON. */
export function whyNoJson(text: string): string {
	if (text === '') return 'it is empty';
	return isTooDeep(text) ? 'its JSON is nested too deeply' : 'it is not valid JSON, or it was cut off';
}

/** The beginning of a text that was paid for; it may contain an ID or a part of the result. */
function keptText(text: string): FailureFacts {
	return text === '' ? {} : { partial: { answer: text.slice(0, MAX_KEPT_TEXT) } };
}

/**
 * Some gateways report a failure with status 200 and `{error:{message}}` as the body.
 *
 * @throws GatewayFailure for such a body
 */
export function throwIfErrorObject(
	body: unknown,
	{ status, headers }: Pick<RawAnswer, 'status' | 'headers'>,
): void {
	const error = asRecord(body)?.error;
	if (typeof asRecord(error)?.message !== 'string') return;
	throw statusFailure({ status, ...readErrorBody(body, requestIdOf(headers)) });
}

/** What an answer with a failing status says. */
export interface FailedAnswer {
	status: number;
	/** What could be read from the body. */
	facts: FailureFacts;
	/** Whether the body is the error object of a gateway (interface, 2.11). */
	hasErrorObject: boolean;
	isWebPage: boolean;
}

/** Reads an answer with a failing status. The key is removed from the gateway's words. */
export async function readFailedAnswer(answer: Answer): Promise<FailedAnswer> {
	const bytes = await readBytes(answer.body, MAX_FAILURE_BYTES).catch(() => Buffer.alloc(0));
	answer.body.destroy();
	const text = answer.redact(decodeText(bytes));
	const parsed = parseJson(text);
	return {
		status: answer.status,
		facts: readErrorBody(parsed ? parsed.value : text, requestIdOf(answer.headers)),
		hasErrorObject: parsed !== undefined && isErrorObject(parsed.value),
		isWebPage: looksLikeWebPage(text),
	};
}

/**
 * The failure for an answer with a failing status.
 *
 * @param known further facts about the request
 */
export function failureOf(
	{ status, facts, isWebPage }: FailedAnswer,
	url: string,
	known: FailureFacts,
): GatewayFailure {
	const all = { ...known, status, ...facts };
	const expected = status === 429 || status >= 500 || status === 401 || known.mayHaveBeenCarriedOut === true;
	return !expected && isWebPage ? webPageFailure(url, all) : statusFailure(all);
}
