import { asRecord, parseJson, textOr } from '../plain/values';
import type { FailureFacts } from './gatewayFailure';

const MAX_MESSAGE_LENGTH = 500;
const MAX_WORD_LENGTH = 200;
/** The beginning of a text that is searched at all: text from outside is cut first, and searched then. */
const SEARCHED_LENGTH = 5_000;

/** The names under which gateways put the words of an error, the best first; spelled as {@link plainName} does. */
export const WORDS = [
	// `msg` and `html-message` of front-ends, `error_msg` of Baidu, `status_msg` of MiniMax.
	...['message', 'msg', 'errormsg', 'statusmsg', 'htmlmessage'],
	// FastAPI, OAuth, problem details (RFC 9457).
	...['errordescription', 'description', 'detail', 'details', 'errors', 'reason', 'title', 'error'],
];
/** The names under which gateways put the number or word that stands for an error. */
export const CODES = ['code', 'errorcode', 'statuscode', 'status'];
/** Objects that gateways put around an error: `base_resp` is MiniMax's, `detail` ElevenLabs's. */
const WRAPPERS = ['error', 'errors', 'baseresp', 'detail'];
/** What a message says when it is about a success. */
const GOOD_WORDS = /^(ok|none|null|success(ful(ly)?)?|succeeded|.{0,4}成功.{0,200})$/i;
/** Lists of errors and of reasons are shown up to here. */
const MAX_ERRORS = 3;
/** Lists are read up to here. */
const MAX_LENGTH = 20;
const MAX_DEPTH = 5;

type Fields = Record<string, unknown>;

/** A name without its case and punctuation: `status_msg`, `StatusMsg`, and `status-msg` are the same. */
export function plainName(name: string): string {
	return name.replace(/[^A-Za-z]/g, '').toLowerCase();
}

/** An object with plain names; undefined for anything else. */
export function plainFields(value: unknown): Fields | undefined {
	const record = asRecord(value);
	return (
		record && Object.fromEntries(Object.entries(record).map(([name, inner]) => [plainName(name), inner]))
	);
}

/**
 * Reads the body of a failed response: the documented `{error:{message,type,code}}` (interface, 2.11) and the variants
 * that comparable gateways send. @param body parsed JSON, or the text when it is not JSON
 */
export function readErrorBody(body: unknown, requestId?: string): FailureFacts {
	const record = plainFields(body);
	const inner = errorFieldsOf(record);
	const isWords = Array.isArray(body) || (typeof body === 'string' && !looksLikeWebPage(body));
	const whole = wordsIn(inner) ?? wordsIn(record ?? (isWords ? body : undefined));
	const message = whole?.slice(0, SEARCHED_LENGTH);
	// Some gateways pass on the error of another one as text.
	const nested = message && /^\s*\{/.test(message) ? asRecord(parseJson(message)?.value) : undefined;
	const nestedFacts = nested && readErrorBody(nested, requestId);
	if (nestedFacts?.gatewayMessage !== undefined) return nestedFacts;
	// The sentence of a gateway may be general, and the reason of the provider behind it.
	const behind = reasonsBehind(asRecord(asRecord(body)?.error) ?? body);
	const reasons = behind.filter((reason) => message?.includes(reason) === false);
	const sentence = reasons.length === 0 ? message : [message?.replace(/[.:]$/, ''), ...reasons].join(': ');
	return {
		code: word(firstText(inner, CODES) ?? firstText(record, CODES)),
		type: word(firstText(inner, ['type'])),
		gatewayMessage: sentence && shortMessage(sentence),
		requestId: word(requestId ?? /request id: ?([\w-]{1,200})/i.exec(message ?? '')?.[1]),
	};
}

/** The object that describes the error: within a wrapper, the first of a list, or the body itself. */
function errorFieldsOf(fields: Fields | undefined, depth = 0): Fields | undefined {
	if (!fields || depth > MAX_DEPTH) return fields;
	for (const name of WRAPPERS) {
		const value = fields[name];
		const inner = plainFields(Array.isArray(value) && value.length === 1 ? value[0] : value);
		const saysMore = inner && (wordsIn(inner) ?? firstText(inner, [...CODES, 'type'])) !== undefined;
		if (saysMore) return errorFieldsOf(inner, depth + 1);
	}
	return fields;
}

function wordsIn(value: unknown, names = WORDS, depth = 0): string | undefined {
	if (typeof value === 'string')
		return value.trim() === '' || GOOD_WORDS.test(value.trim()) ? undefined : value;
	if (depth > MAX_DEPTH) return undefined;
	if (Array.isArray(value)) {
		return messagesOf(value.slice(0, MAX_LENGTH).map((one) => wordsIn(one, names, depth + 1)));
	}
	const fields = plainFields(value);
	if (!fields) return undefined;
	for (const name of names) {
		const words = wordsIn(fields[name], names, depth + 1) ?? complaintsIn(name, fields[name]);
		if (words !== undefined) return withPlace(fields.loc, words);
	}
	return undefined;
}

function messagesOf(words: Array<string | undefined>): string | undefined {
	const each = words.filter((one) => one !== undefined);
	return each.length === 0 ? undefined : each.slice(0, MAX_ERRORS).join('; ');
}

/** Where ASP.NET and Eden AI name fields. */
const COMPLAINTS = ['errors', 'message'];

function complaintsIn(name: string, value: unknown): string | undefined {
	const fields = COMPLAINTS.includes(name) ? asRecord(value) : undefined;
	return messagesOf(
		Object.entries(fields ?? {}).map(([field, inner]) => {
			const words = wordsIn(inner, WORDS, MAX_DEPTH - 1);
			return words && `${field}: ${words}`;
		}),
	);
}

/** Complaints about a field say which one. */
function withPlace(place: unknown, words: string): string {
	if (!Array.isArray(place)) return words;
	const names = place.filter((name) => typeof name === 'string' || typeof name === 'number');
	return names.length === 0 ? words : `${names.slice(0, 10).join('.')}: ${words}`;
}

/** In the details of an error; of a quota that Google names, only the ID says which one. */
const WORDS_OF_REASONS = [...WORDS, 'violations', 'fieldviolations', 'innererror', 'quotaid', 'code'];
/** LiteLLM sends "None". */
const NO_PARAMETER = /^(none|null)?$/i;

/**
 * What a provider said behind the general sentence of a gateway: `metadata` of OpenRouter and Novita, `innererror` of
 * Azure, `details` of Google, `failed_generation` of Groq, `meta` of AI/ML API, and the parameter of OpenAI.
 */
function reasonsBehind(error: unknown): string[] {
	const { metadata, innererror, details, meta, param, failed_generation: generated } = asRecord(error) ?? {};
	const { raw, reason, reasons } = asRecord(metadata) ?? {};
	const parameter = textOr(param);
	const sources = [
		parseJson(textOr(raw))?.value ?? raw,
		reasons,
		reason,
		innererror,
		details,
		meta,
		generated,
	];
	const words = [...sources, asRecord(param)].map((one) => wordsIn(one, WORDS_OF_REASONS));
	const named = NO_PARAMETER.test(parameter) ? undefined : `parameter ${parameter}`;
	const known = [...words, named].filter((one) => one !== undefined);
	return [...new Set(known)].slice(0, MAX_ERRORS);
}

/** Whether a body has the form of a gateway's own errors (interface, 2.11), which proxies do not use. */
export function isErrorObject(body: unknown): boolean {
	const error = plainFields(plainFields(body)?.error);
	return firstText(error, ['message', 'msg', 'type', 'code']) !== undefined;
}

/** Whether a text is an HTML page rather than a message. */
export function looksLikeWebPage(text: string): boolean {
	const start = text.slice(0, SEARCHED_LENGTH).trimStart();
	return /^(<!doctype html|<html|<head|<body|<\?xml[^<>]*>\s{0,99}<!doctype html)/i.test(start);
}

function firstText(record: Record<string, unknown> | undefined, names: string[]): string | undefined {
	for (const name of names) {
		const value = record?.[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/** The words of the other side as one short line for people: without tags and control characters. */
export function shortMessage(text: string): string {
	const isLong = text.length > SEARCHED_LENGTH;
	const line = (isLong ? `${text.slice(0, SEARCHED_LENGTH)}…` : text)
		.replace(/<[^<>]*>/g, ' ')
		// What is left of tags within each other, or of one that was cut off.
		.replace(/<(?=[a-z/!?])/gi, ' ')
		.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
		.trim();
	return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}

function word(text: string | undefined): string | undefined {
	return text?.slice(0, MAX_WORD_LENGTH);
}
