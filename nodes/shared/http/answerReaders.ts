import { answerFailure, statusFailure, webPageFailure } from '../errors/errorMessages';
import { BodyTooLarge, decodeText, readBytes, type ByteStream } from './byteStream';
import { looksLikeWebPage, readErrorBody } from '../errors/errorBody';
import type { FailureFacts, GatewayFailure } from '../errors/gatewayFailure';
import { asRecord, isTooDeep, parseJson } from '../values';
import { requestIdOf, type ResponseHeaders } from './headers';

const MAX_TEXT_BYTES = 64_000_000;
const MAX_FAILURE_BYTES = 64_000;
/** Most characters of an answer that cannot be read which its failure keeps. */
const MAX_KEPT_TEXT = 10_000;

/** An answer whose body has not been read yet. */
export interface RawAnswer {
	status: number;
	headers: ResponseHeaders;
	body: ByteStream;
}

/** An answer and where it came from. */
export interface Answer extends RawAnswer {
	/** Where it was asked for. */
	url: string;
	/** Takes the key out of a text: some endpoints repeat what they were sent. */
	redact: (text: string) => string;
}

/**
 * Turns a successful answer into a value. It runs inside the retry loop: when the body breaks off, a request
 * that may be repeated is.
 */
export type AnswerReader<T> = (answer: Answer) => Promise<T>;

/**
 * Reads text, cleared of the key.
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
 * @throws GatewayFailure when the answer is a web page, is not JSON, or is an error object in spite of its status
 */
export const readJson: AnswerReader<unknown> = async (answer) => parseAnswer(await readText(answer), answer);

/**
 * The JSON of an answer whose text has been read.
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

/** Why a text is not JSON that can be used, for a failure. */
export function whyNoJson(text: string): string {
	if (text === '') return 'it is empty';
	return isTooDeep(text) ? 'its JSON is nested too deeply' : 'it is not JSON, or it was cut off';
}

/** The beginning of a text that was paid for: an id or a part of the result may stand in it. */
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

/**
 * The failure that an answer with a failing status stands for; what the gateway says is cleared of the key.
 *
 * @param known what is known of the request beside the answer
 */
export async function failureOf(answer: Answer, known: FailureFacts): Promise<GatewayFailure> {
	const bytes = await readBytes(answer.body, MAX_FAILURE_BYTES).catch(() => Buffer.alloc(0));
	answer.body.destroy();
	const text = answer.redact(decodeText(bytes));
	const parsed = parseJson(text);
	const { status } = answer;
	const facts = {
		...known,
		status,
		...readErrorBody(parsed ? parsed.value : text, requestIdOf(answer.headers)),
	};
	const expected = status === 429 || status >= 500 || status === 401;
	return !expected && looksLikeWebPage(text) ? webPageFailure(answer.url, facts) : statusFailure(facts);
}
