import { type Fields, asRecord, beginningOf, firstTextIn, isBlank, isEmpty, toText } from '../plain/values';
import { parseJson } from '../plain/json';
import type { FailureFacts } from './evidence';

const MAX_MESSAGE_LENGTH = 500;
const MAX_WORD_LENGTH = 200;
/** The length to which text from outside is cut before it is searched. */
const SEARCHED_LENGTH = 5_000;

/** The names of fields that contain the words of an error, the best first; spelled as {@link plainName} does. */
export const WORDS = [
	// `msg` and `html-message` of front-ends, `error_msg` of Baidu, `err_msg` of Deepgram, `status_msg` of MiniMax.
	...['message', 'msg', 'errormsg', 'errmsg', 'statusmsg', 'htmlmessage'],
	// FastAPI, OAuth, problem details (RFC 9457).
	...['errordescription', 'description', 'detail', 'details', 'errors', 'reason', 'title', 'error'],
	// Imagen, for an image that it withholds.
	'raifilteredreason',
];
/** The names of fields that contain the number or word that stands for an error. */
export const CODES = ['code', 'errorcode', 'errcode', 'statuscode', 'status'];
/** Objects around an error: `base_resp` of MiniMax, `detail` of ElevenLabs; for the last, see claude-code-hub#518. */
const WRAPPERS = ['error', 'errors', 'baseresp', 'detail', 'upstreamerror'];
/** Matches messages about a success. */
const GOOD_WORDS = /^(|ok|none|null|succe(ss|ssful|ssfully|eded)|.{0,4}成功(?!.*失败).*)$/i;
/** The number of entries that are read of a list of errors or reasons. */
const MAX_ERRORS = 3;

/** Removes case and punctuation from a name: `status_msg`, `StatusMsg`, and `status-msg` become the same. */
export function plainName(name: string): string {
	return name.replace(/[^A-Za-z]/g, '').toLowerCase();
}

function plainFields(value: unknown): Fields | undefined {
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
	const record = plainFields(Array.isArray(body) && body.length === 1 ? body[0] : body);
	const inner = errorFieldsOf(record);
	const isPage = typeof body === 'string' && looksLikeWebPage(body);
	const message = (isPage ? undefined : (wordsIn(inner) ?? wordsIn(body))) ?? '';
	const reasons = reasonsBehind(inner).filter((reason) => !message.includes(reason));
	const type = firstTextIn(inner, ['type']);
	const sentence = reasons.length === 0 ? message : [message.replace(/[.:]$/, ''), ...reasons].join(': ');
	// Anthropic, for a spend limit: `details.error_code`.
	const codes = [inner, record, plainFields(inner?.details)].map((one) => firstTextIn(one, CODES));
	return {
		code: codes.find((one) => one !== undefined)?.slice(0, MAX_WORD_LENGTH),
		// MiniMax has its own numbers for errors.
		type: type?.slice(0, MAX_WORD_LENGTH) ?? (record && 'baseresp' in record ? 'base_resp' : undefined),
		gatewayMessage: message === '' ? undefined : shortMessage(sentence),
		requestId: requestId ?? /request id: ?([\w-]{1,200})/i.exec(message)?.[1],
	};
}

/** Finds the object that describes the error: inside a wrapper, the only one of a list, or the body itself. */
function errorFieldsOf(fields: Fields | undefined): Fields | undefined {
	for (const name of WRAPPERS) {
		const value = fields?.[name];
		const inner = plainFields(Array.isArray(value) && value.length === 1 ? value[0] : value);
		if (inner) return errorFieldsOf(inner);
	}
	return fields;
}

/** Finds the words under the first of these names that has any; a text may be another gateway's error as JSON. */
function wordsIn(value: unknown, names = WORDS): string | undefined {
	if (typeof value === 'string') {
		const text = value.slice(0, SEARCHED_LENGTH);
		if (GOOD_WORDS.test(text.trim())) return undefined;
		return wordsIn(asRecord(parseJson(text)?.value), names) ?? text;
	}
	if (Array.isArray(value)) {
		const each = value.slice(0, MAX_ERRORS).map((one) => wordsIn(one, names));
		return each.filter((words) => words !== undefined).join('; ') || undefined;
	}
	const fields = plainFields(value);
	if (!fields) return undefined;
	for (const name of names) {
		const words = wordsIn(fields[name], names) ?? complaintsIn(name, fields[name]);
		if (words === undefined) continue;
		// FastAPI and Jina AI (ragflow#11614) say which field they complain about.
		const field = name === 'message' ? firstTextIn(fields, ['field']) : undefined;
		const place = Array.isArray(fields.loc) ? fields.loc.join('.') : field;
		return place === undefined ? words : `${place}: ${words}`;
	}
	return undefined;
}

/** Lists complaints by field, as ASP.NET (`errors`) and Eden AI (`message`) send them. */
function complaintsIn(name: string, value: unknown): string | undefined {
	const fields = Object.entries((['errors', 'message'].includes(name) && asRecord(value)) || {});
	const each = fields.flatMap(([field, inner]) => {
		const words = wordsIn(inner, []);
		return words === undefined ? [] : `${field}: ${words}`;
	});
	return each.slice(0, MAX_ERRORS).join('; ') || undefined;
}

/** The fields with a provider's reason: of OpenRouter, Novita, Azure, Google, AI/ML API, Groq, OpenAI, Vercel, Jina AI. */
const BEHIND = ['metadata', 'innererror', 'details', 'meta', 'failedgeneration', 'param', 'errors'];
/** The fields inside such a reason. Only the ID tells which quota Google means. */
const REASONS = ['raw', 'reasons', 'violations', 'fieldviolations', 'innererror', 'quotaid', 'code'];

/** Finds the words of a provider behind the general sentence of a gateway. */
function reasonsBehind(error: Fields = {}): string[] {
	const words = BEHIND.map((name) => wordsIn(error[name], [...WORDS, ...REASONS]));
	return [...new Set(words.filter((one) => one !== undefined))].slice(0, MAX_ERRORS);
}

/** Tells whether a body has the form of a gateway's own errors (interface, 2.11), which proxies do not use. */
export function isErrorObject(body: unknown): boolean {
	const error = plainFields(plainFields(body)?.error);
	return firstTextIn(error, ['message', 'msg', 'type', 'code']) !== undefined;
}

/** Tells whether a text is an HTML page rather than a message. */
export function looksLikeWebPage(text: string): boolean {
	return /^\s{0,99}<(!doctype html|html|head|body)/i.test(text);
}

/**
 * Turns text from outside into one short line for people, without tags, control characters, and invisible characters,
 * such as those that change the direction of the text.
 */
export function shortMessage(text: string): string {
	const line = text
		.slice(0, SEARCHED_LENGTH)
		.replace(/\p{Cf}+/gu, '')
		.replace(/<[^<>]*>|<(?=[a-z/!?])/gi, ' ')
		.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
		.trim();
	return line.length > MAX_MESSAGE_LENGTH ? `${beginningOf(line, MAX_MESSAGE_LENGTH)}…` : line;
}

/** The fields that describe the response or an error, but are no result. */
const NOT_CONTENT = new Set([
	...WORDS,
	...CODES,
	...['baseresp', 'type', 'param', 'success', 'id', 'object', 'model', 'created', 'usage'],
	...['path', 'timestamp', 'time', 'requestid', 'traceid', 'logid', 'sid', 'metadata', 'instance', 'slug'],
]);

/**
 * Finds the error in the body of a response with a status of success. Fields that real data may have as well count only
 * if the body has no content. @returns its facts, and whether the body has a result or reports output
 */
export function errorInside(body: unknown): { facts: FailureFacts; hasResult: boolean } | undefined {
	const all = asRecord(isListOfError(body) ? body[0] : body);
	if (!all) return undefined;
	const fields = plainFields(all) ?? {};
	const hasContent = isContent(all);
	// A number or `true` beside content does not report an error.
	const isFlag = hasContent && ['number', 'boolean'].includes(typeof fields.error);
	const isError = saysError(fields.error) && !isFlag;
	if (!isError && (hasContent || !reportsFailure(fields))) return undefined;
	return { facts: readErrorBody(fields), hasResult: hasContent || hasOutputTokens(all) };
}

/** Tells whether a body is a list of nothing but an error, as Google sends it. */
function isListOfError(body: unknown): body is unknown[] {
	return Array.isArray(body) && body.length === 1 && Object.keys(asRecord(body[0]) ?? {}).join() === 'error';
}

/** Tells whether an object has fields that say more than how the request went. */
export function isContent(fields: Record<string, unknown>): boolean {
	return Object.entries(fields).some(([name, value]) => {
		// A choice without an answer stands beside an error 429 (litellm #8448).
		if (name === 'choices') return !isEmptyChoice(value);
		const mayHaveContent = typeof value === 'string' || typeof value === 'object';
		return mayHaveContent && !NOT_CONTENT.has(plainName(name)) && !isEmpty(value);
	});
}

/** The fields of a choice that are not its answer. */
const NOT_ANSWERED = ['index', 'role', 'finish_reason', 'native_finish_reason', 'logprobs', 'error'];

/** Tells whether choices contain no answer, at any depth. */
function isEmptyChoice(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(toText(value));
	return Object.entries(value).every(([name, inner]) => NOT_ANSWERED.includes(name) || isEmptyChoice(inner));
}

/** Tells whether the value of a field `error` reports one. Some gateways send the field with every response. */
export function saysError(error: unknown): boolean {
	if (typeof error === 'object' && error !== null) return Object.values(error).some(saysError);
	return !/^(|0|false|null|none|ok|success)$/i.test(toText(error).trim());
}

function reportsFailure(fields: Record<string, unknown>): boolean {
	const { type, object, detail, errors, baseresp, status, code, errorcode } = fields;
	if (deniesSuccess(fields) || NO.test(toText(status))) return true;
	if (saysError(plainFields(baseresp)?.statuscode)) return true;
	if (CODES.some((name) => isFailingStatus(fields[name]))) return true;
	if (readErrorBody(fields).gatewayMessage === undefined) return false;
	const isNumber = [code, errorcode].some(
		(one) => /^-?\d+$/.test(toText(one)) && !GOOD_CODE.test(toText(one)),
	);
	return isNumber || [type, object].includes('error') || [detail, errors].some(saysError);
}

/** Tells whether a success marker says no: `success` (interface, 4.6 and 4.8), or New API's `code`. */
export function deniesSuccess(body: unknown): boolean {
	const { code } = plainFields(body) ?? {};
	const isBadWord = typeof code === 'string' && !/\d/.test(code) && BAD_WORD.test(code);
	return saysNo(body) || isFailingStatus(code) || isBadWord;
}

/** Tells whether a response says explicitly that it is no success, whatever else it contains. */
export function saysNo(body: unknown): boolean {
	return NO.test(toText(plainFields(body)?.success).trim());
}

const NO = /^(false|no|fail|failed|failure|error)$/i;
/** Matches the codes beside a message that are known to mean success. */
const GOOD_CODE = /^(0+|1|2\d\d|[12]0000)$/;
const BAD_WORD =
	/error|fail|invalid|denied|exceed|limit|not_|no_|unknown|missing|unauth|forbidden|quota|insufficient|expired|busy|exist|reject|used_up/i;

function isFailingStatus(code: unknown): boolean {
	return /^[45]\d\d$/.test(toText(code));
}

/** Tells whether a response, or an event of a stream, reports tokens of output, in any of the three chat formats. */
export function hasOutputTokens(body: unknown): boolean {
	const { usage, usageMetadata, x_groq: groq } = asRecord(body) ?? {};
	const { completion_tokens: ofChat, output_tokens: ofMessage } =
		asRecord(usage ?? asRecord(groq)?.usage) ?? {};
	const { candidatesTokenCount, thoughtsTokenCount } = asRecord(usageMetadata) ?? {};
	const counts = [ofChat, ofMessage, candidatesTokenCount, thoughtsTokenCount];
	return counts.some((count) => Number(count) > 0);
}
