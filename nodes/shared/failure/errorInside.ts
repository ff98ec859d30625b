import { asRecord, isBlank, toText } from '../plain/values';
import { CODES, plainFields, plainName, readErrorBody, WORDS } from './errorBody';
import type { FailureFacts } from './kinds';
import { hasOutputTokens } from './meaning';

/** Fields that say something about the response, or about an error, but are no result. */
const NOT_CONTENT = new Set([
	...WORDS,
	...CODES,
	...['baseresp', 'type', 'param', 'success', 'id', 'object', 'model', 'created', 'usage'],
	...['path', 'timestamp', 'time', 'requestid', 'traceid', 'logid', 'instance'],
]);

/**
 * The error in the body of a successful response. What real data may have as well counts only without content. @returns
 * also whether a result may stand beside it, or words about one
 */
export function errorInside(body: unknown): { facts: FailureFacts; hasResult: boolean } | undefined {
	const all = asRecord(isListOfError(body) ? body[0] : body);
	if (!all) return undefined;
	const fields = plainFields(all) ?? {};
	const hasContent = isContent(all);
	// A number or `true` beside content says nothing.
	const isFlag = hasContent && ['number', 'boolean'].includes(typeof fields.error);
	const isError = saysError(fields.error) && !isFlag;
	if (!isError && (hasContent || !reportsFailure(fields))) return undefined;
	return { facts: readErrorBody(fields), hasResult: hasContent || hasOutputTokens(all) };
}

/** Google sends a list of nothing but an error. */
function isListOfError(body: unknown): body is unknown[] {
	return Array.isArray(body) && body.length === 1 && Object.keys(asRecord(body[0]) ?? {}).join() === 'error';
}

/** Tells whether an object has fields that say more than how the request went. */
export function isContent(fields: Record<string, unknown>): boolean {
	return Object.entries(fields).some(([name, value]) => {
		// A choice without an answer stands beside an error 429 (litellm #8448).
		if (name === 'choices') return !isEmptyChoice(value);
		return !NOT_CONTENT.has(plainName(name)) && !isEmpty(value);
	});
}

/** Fields that a choice has besides an answer. */
const NOT_ANSWERED = ['index', 'role', 'finish_reason', 'native_finish_reason', 'logprobs', 'error'];

/** Tells whether nothing that is somewhere in choices is an answer. */
function isEmptyChoice(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isBlank(toText(value));
	return Object.entries(value).every(([name, inner]) => NOT_ANSWERED.includes(name) || isEmptyChoice(inner));
}

/** Tells whether the value of a field `error` says that there is one. Some gateways send the field with every response. */
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
/** Of numbers beside a message, those that are known to be good. */
const GOOD_CODE = /^(0+|1|2\d\d|[12]0000)$/;
const BAD_WORD =
	/error|fail|invalid|denied|exceed|limit|not_|no_|unknown|missing|unauth|forbidden|quota|insufficient|expired|busy|exist|reject|used_up/i;

function isFailingStatus(code: unknown): boolean {
	return /^[45]\d\d$/.test(toText(code));
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
