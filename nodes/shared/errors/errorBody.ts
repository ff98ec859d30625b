import { asRecord, parseJson } from '../plain/values';
import { reasonsBehind } from './errorDetails';
import type { FailureFacts } from './gatewayFailure';

/** Maximum length of a gateway's message that the user sees. */
const MAX_MESSAGE_LENGTH = 500;
/** Maximum length of a code, a type, or an ID. */
const MAX_WORD_LENGTH = 200;
/** The beginning of a text that is searched at all: text from outside is cut first, and searched then. */
const SEARCHED_LENGTH = 5_000;

/** The names under which gateways put the words of an error, the best first; spelled as {@link plainName} does. */
const WORDS = [
	...[
		'message',
		'msg',
		'errormsg',
		'errmsg',
		'errormessage',
		'errordescription',
		'statusmsg',
		'statusmessage',
	],
	...[
		'htmlmessage',
		'faultstring',
		'description',
		'detail',
		'details',
		'errors',
		'reason',
		'title',
		'error',
		'fault',
	],
];
/** Words that the entries of a result have as well, such as songs. */
const WORDS_OF_RESULTS = ['title', 'description'];
/** The names under which gateways put the number or word that stands for an error. */
const CODES = ['code', 'errorcode', 'errcode', 'errno', 'statuscode', 'status', 'ret'];
/** Objects that gateways put around an error. */
export const ERROR_WRAPPERS = [
	'error',
	'errors',
	'fault',
	'baseresp',
	'response',
	'responsemetadata',
	'header',
	'detail',
];
/** What a message says when it is about a success. */
const GOOD_WORDS = /^(ok|none|null|success(ful(ly)?)?|succeeded|.{0,4}成功.{0,200})$/i;
/** Lists of errors are shown up to here. */
const MAX_ERRORS = 3;
const MAX_DEPTH = 4;

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
 * that comparable gateways send (a bare message, an error as text, a list of errors, a number as code).
 *
 * @param body parsed JSON, or the text when it is not JSON
 * @param requestId from the headers; otherwise an ID in the message is used
 * @returns the facts that could be read; none for an empty or unknown body
 */
export function readErrorBody(body: unknown, requestId?: string): FailureFacts {
	const record = plainFields(body);
	const inner = errorFieldsOf(record);
	const whole = wordsIn(inner) ?? wordsIn(record ?? (Array.isArray(body) ? body : undefined));
	const message = (whole ?? plainText(body))?.slice(0, SEARCHED_LENGTH);
	// Some gateways pass on the error of another one as text.
	const nested = message && /^\s*\{/.test(message) ? asRecord(parseJson(message)?.value) : undefined;
	const nestedFacts = nested && readErrorBody(nested, requestId);
	if (nestedFacts?.gatewayMessage !== undefined) return nestedFacts;
	// The sentence of a gateway may be general, and the reason of the provider behind it.
	const behind = reasonsBehind(asRecord(asRecord(body)?.error) ?? body);
	const reasons = behind.filter((reason) => message?.includes(reason) === false);
	return {
		code: word(firstText(inner, CODES) ?? firstText(record, CODES)),
		type: word(firstText(inner, ['type'])),
		gatewayMessage: message && shortMessage(withReasons(message, reasons)),
		requestId: word(requestId ?? /request id: ?([\w-]{1,200})/i.exec(message ?? '')?.[1]),
	};
}

/** A sentence and the reasons behind it. */
function withReasons(message: string, reasons: string[]): string {
	return reasons.length === 0 ? message : [message.replace(/[.:]$/, ''), ...reasons].join(': ');
}

/** The object that describes the error: within a wrapper, the first of a list, or the body itself. */
function errorFieldsOf(fields: Fields | undefined, depth = 0): Fields | undefined {
	if (!fields || depth > MAX_DEPTH) return fields;
	for (const name of ERROR_WRAPPERS) {
		const value = fields[name];
		const inner = plainFields(Array.isArray(value) && value.length === 1 ? value[0] : value);
		const saysMore = inner && (wordsIn(inner) ?? firstText(inner, [...CODES, 'type'])) !== undefined;
		if (saysMore) return errorFieldsOf(inner, depth + 1);
	}
	return fields;
}

/** The words of an error in a text, an object, or a list of them. @param isData whether it may be a result */
function wordsIn(value: unknown, depth = 0, isData = false): string | undefined {
	if (typeof value === 'string')
		return value.trim() === '' || GOOD_WORDS.test(value.trim()) ? undefined : value;
	if (depth > MAX_DEPTH) return undefined;
	if (Array.isArray(value)) {
		const each = value.slice(0, MAX_ERRORS).flatMap((one) => wordsIn(one, depth + 1, isData) ?? []);
		return each.length === 0 ? undefined : each.join('; ');
	}
	const fields = plainFields(value);
	if (!fields) return undefined;
	for (const name of [...WORDS, ...ERROR_WRAPPERS, 'data']) {
		if (isData && WORDS_OF_RESULTS.includes(name)) continue;
		const words =
			wordsIn(fields[name], depth + 1, isData || name === 'data') ?? complaintsIn(name, fields[name]);
		if (words !== undefined) return withPlace(fields.loc, words);
	}
	return undefined;
}

/** Where ASP.NET and Eden AI name fields. */
const COMPLAINTS = ['errors', 'message'];

/** Complaints by the names of the fields that they are about. */
function complaintsIn(name: string, value: unknown): string | undefined {
	const fields = COMPLAINTS.includes(name) ? asRecord(value) : undefined;
	const each = Object.entries(fields ?? {}).flatMap(([field, inner]) => {
		const words = wordsIn(inner, MAX_DEPTH - 1);
		return words === undefined ? [] : `${field}: ${words}`;
	});
	return each.length === 0 ? undefined : each.slice(0, MAX_ERRORS).join('; ');
}

/** Complaints about a field say which one. */
function withPlace(place: unknown, words: string): string {
	if (!Array.isArray(place)) return words;
	const names = place.filter((name) => typeof name === 'string' || typeof name === 'number');
	return names.length === 0 ? words : `${names.slice(0, 10).join('.')}: ${words}`;
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

function plainText(body: unknown): string | undefined {
	return typeof body === 'string' && body.trim() !== '' && !looksLikeWebPage(body) ? body : undefined;
}

/**
 * The words of the other side as one short line for people: without tags and control characters.
 *
 * @param text of any length
 */
export function shortMessage(text: string): string {
	const line = beginning(text)
		.replace(/<[^<>]*>/g, ' ')
		// What is left of tags within each other, or of one that was cut off.
		.replace(/<(?=[a-z/!?])/gi, ' ')
		.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
		.trim();
	return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}

function beginning(text: string): string {
	return text.length > SEARCHED_LENGTH ? `${text.slice(0, SEARCHED_LENGTH)}…` : text;
}

/** Something that gateways name with one word. */
function word(text: string | undefined): string | undefined {
	return text?.slice(0, MAX_WORD_LENGTH);
}
