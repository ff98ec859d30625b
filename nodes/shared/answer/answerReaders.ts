import type { IDataObject } from 'n8n-workflow';
import {
	isErrorObject,
	looksLikeWebPage,
	readErrorBody,
	shortMessage,
	errorInside,
	saysNo,
} from '../failure/errorBody';
import type { Report, FailureFacts } from '../failure/evidence';
import { answerFailure, interruptedFailure, DENIED } from '../failure/words';
import { withGatewayWords } from '../failure/statusWords';
import { reportedFailure } from '../failure/verdict';
import { type GatewayFailure, toFailure } from '../failure/failure';
import { asRecord, textOr, toText, shortened } from '../plain/values';
import { FAILURE_BYTES, JSON_BUDGET, KEPT_ANSWER_LENGTH } from '../plain/budgets';
import { hasBroken, peek, TextCollector, type ByteStream } from './byteStream';
import { readJsonText } from '../plain/json';
import { Turns } from '../plain/turns';
import { headerValue, requestIdOf, type ResponseHeaders } from '../plain/headers';
import { reportedUsage, type TokenUsage } from './usage';

/** An answer whose body has not been read yet. */
export interface RawAnswer {
	status: number;
	headers: ResponseHeaders;
	body: ByteStream;
}

export interface Answer extends RawAnswer {
	/** The URL that was asked last, after redirects. */
	url: string;
	/** Lets only the returned function restart the time limit for silence from now on. */
	countOnlyProgress?: () => () => void;
	/** Must be called once somebody has seen a part of the answer, so that the request is not repeated. */
	passedOn?: () => void;
	/** The cost that its headers report. */
	cost?: number;
	/** Must be called with the usage that its body reports. */
	used?: (usage: TokenUsage) => void;
}

/** Turns a successful answer into a value. After a body that is cut off, the request is repeated if it may be. */
export type AnswerReader<T> = (answer: Answer) => Promise<T>;

/** Reads text, in turns of the event loop if it is long. */
export async function readText(answer: Answer, maxBytes = JSON_BUDGET.bytes): Promise<string> {
	const text = new TextCollector(maxBytes);
	const turns = new Turns();
	try {
		for await (const chunk of answer.body as AsyncIterable<Buffer>) {
			text.add(chunk);
			if (turns.isOver) await turns.next();
		}
		return text.end();
	} catch (error) {
		throw brokenOff(error, text.end(), answer);
	}
}

/** Returns the failure of an answer that is too long, unusable, or breaks off, with the part that has arrived. */
export function brokenOff(error: unknown, text: string, { body, headers }: RawAnswer): GatewayFailure {
	const isBroken = hasBroken(body, error);
	body.destroy();
	const facts = { requestId: requestIdOf(headers), ...keptAnswer(text) };
	if (!isBroken) return toFailure(error).with(facts);
	return interruptedFailure(undefined, facts, undefined, error);
}

/** Reads JSON. @throws GatewayFailure if it is not JSON (such as a web page), or if it is an error object */
export async function readJson(answer: Answer, maxBytes?: number): Promise<unknown> {
	return await parseAnswer(await readText(answer, maxBytes), answer);
}

/** Parses the text of an answer as JSON, like {@link readJson}. */
export async function parseAnswer(text: string, answer: Answer): Promise<unknown> {
	const body = await parseBody(text, answer);
	throwIfError(body, answer);
	return body;
}

/** Parses an answer like {@link parseAnswer}, even if it is an error. @throws GatewayFailure only if it is not JSON */
export async function parseBody(text: string, { status, headers, url, used }: Answer): Promise<unknown> {
	const parsed = await readJsonText(text);
	if ('problem' in parsed) {
		const facts = { status, requestId: requestIdOf(headers) };
		if (looksLikeWebPage(text)) throw reportedFailure(WEB_PAGE, facts, { url });
		throw answerFailure(parsed.problem, { ...facts, ...sentenceIn(text), ...keptAnswer(text) });
	}
	used?.(reportedUsage(parsed.value));
	return parsed.value;
}

/** Returns the words of a response that is a sentence instead of a JSON object; nothing for a part of JSON. */
export function sentenceIn(body: unknown): FailureFacts {
	const text = textOr(body);
	return /^\s{0,99}[\p{L}\d]/u.test(text) ? { gatewayMessage: shortMessage(text) } : {};
}

/** Finds an error that a gateway reports with a status of success. @throws GatewayFailure with any result beside it */
export function throwIfError(
	body: unknown,
	{ status, headers }: Pick<RawAnswer, 'status' | 'headers'>,
): void {
	const inside = errorInside(body);
	if (!inside) return;
	const { facts, hasResult } = inside;
	// An answer with an ID describes something that exists, even if it failed.
	const hasId = toText(asRecord(body)?.id) !== '';
	throw reportedFailure(
		{ status, hasErrorObject: true, isWebPage: false, hasResult },
		{
			...facts,
			requestId: requestIdOf(headers) ?? facts.requestId,
			...(hasResult || hasId ? keptAnswer(body) : {}),
		},
	);
}

/** The report of a web page with a status of success. */
export const WEB_PAGE: Report = { status: 200, hasErrorObject: false, isWebPage: true, hasResult: false };

const SEE_OTHER = 303;
const PERMANENT_REDIRECT = 308;
const NEEDS_KEY = [401, 403];
/** Matches the data of the event that DashScope sends as its error, beside a failing status. */
const EVENT_DATA = /^data:(.*)$/m;

/**
 * Reads an answer with a failing status. @param redirectedTo the origin that the request was redirected to without its key
 * @returns the report, the words, and the beginning of the body
 */
export async function readFailedAnswer(
	answer: Answer,
	redirectedTo?: string,
): Promise<{ report: Report; facts: FailureFacts; text: string }> {
	// A body that breaks off counts as empty, because the status says enough.
	const { firstBytes } = await peek(answer.body, FAILURE_BYTES).catch(() => ({
		firstBytes: Buffer.alloc(0),
	}));
	answer.body.destroy();
	const text = new TextDecoder().decode(firstBytes.subarray(0, FAILURE_BYTES));
	const parsed = await readJsonText(EVENT_DATA.exec(text)?.[1] ?? text);
	const body = 'value' in parsed ? parsed.value : undefined;
	answer.used?.(reportedUsage(body));
	const facts = readErrorBody(body ?? text, requestIdOf(answer.headers));
	const isRedirected = redirectedTo !== undefined && NEEDS_KEY.includes(answer.status);
	return {
		report: {
			status: isRedirected ? PERMANENT_REDIRECT : answer.status,
			hasErrorObject: isErrorObject(body),
			isWebPage: looksLikeWebPage(text),
			hasResult: false,
		},
		facts: {
			...facts,
			...(isRedirected ? { gatewayMessage: `Location: ${redirectedTo}` } : redirectOf(answer)),
		},
		text,
	};
}

function redirectOf({ status, headers }: Answer): FailureFacts {
	const url = headerValue(headers, 'location');
	if (status < 300 || status >= 400 || !url) return {};
	// The result of the request, which was carried out, is at the other address.
	return status === SEE_OTHER ? { partial: { url } } : { gatewayMessage: `Location: ${shortMessage(url)}` };
}

/** Keeps the beginning of an unusable response for its failure: it may be paid for, and contain an ID or a result. */
export function keptAnswer(body: unknown): FailureFacts {
	if (body === undefined || body === null || body === '') return {};
	return { partial: { answer: shortened(body, KEPT_ANSWER_LENGTH) as IDataObject } };
}

/**
 * Reads a response that does not deny its success, or that is known to have a result. @throws GatewayFailure with the
 * response
 */
export async function readWith<Body, T>(
	body: Body,
	read: (body: Body) => T | Promise<T>,
	hasResult = false,
): Promise<T> {
	try {
		if (!hasResult && saysNo(body)) throw answerFailure(DENIED);
		return await read(body);
	} catch (error) {
		throw unusable(toFailure(error), body);
	}
}

/** Adds the gateway's ID of the request to a failure that has none, because its operator may ask for it. */
export function withRequestId(failure: GatewayFailure, { headers }: Pick<Answer, 'headers'>): GatewayFailure {
	const requestId = failure.facts.requestId ?? requestIdOf(headers);
	return requestId === undefined ? failure : failure.with({ requestId });
}

/** Adds the response, and any words for a person in it, to the failure of a response that cannot be used. */
export function unusable(failure: GatewayFailure, body: unknown): GatewayFailure {
	const mayHaveWords = asRecord(body) !== undefined || typeof body === 'string';
	const { gatewayMessage } = mayHaveWords ? readErrorBody(body) : {};
	const kept = keptAnswer(body);
	if (!gatewayMessage || failure.facts.gatewayMessage !== undefined) return failure.with(kept);
	const words = { ...kept, gatewayMessage };
	return failure.saying({ message: withGatewayWords(failure.message, words) }, words);
}
