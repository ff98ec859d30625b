import { asRecord, isBlank, toText } from '../plain/values';
import { CODES, plainFields, plainName, readErrorBody, WORDS } from './errorBody';
import type { FailureFacts } from './gatewayFailure';
import { hasOutputTokens, meantStatus, statusOfError } from './meaning';

/** An error that a response reports despite its status of success. */
export interface ErrorInside {
	/** With the status that the error stands for, if its code says one. */
	facts: FailureFacts;
	/** Whether the response also contains what may be a result, or says that there was one. */
	hasContent: boolean;
}

/** Fields that say something about the response, or about an error, but are no result. */
const NOT_CONTENT = new Set([
	...WORDS,
	...CODES,
	...['baseresp', 'type', 'param', 'success', 'id', 'object', 'model', 'created', 'usage'],
	...['path', 'timestamp', 'time', 'requestid', 'traceid', 'logid', 'instance'],
]);

/** The error in the body of a successful response. What real data may have as well counts only without content. */
export function errorInside(body: unknown): ErrorInside | undefined {
	const all = asRecord(isListOfError(body) ? body[0] : body);
	if (!all) return undefined;
	const fields = plainFields(all) ?? {};
	const hasContent = Object.entries(all).some(
		([name, value]) => !NOT_CONTENT.has(plainName(name)) && !isEmpty(value),
	);
	// A number or `true` beside content says nothing.
	const isFlag = hasContent && typeof fields.error !== 'string' && typeof fields.error !== 'object';
	const isError = saysError(fields.error) && !isFlag;
	if (!isError && (hasContent || !reportsFailure(fields))) return undefined;
	const facts = readErrorBody(fields);
	const status = meantStatus(statusOfError(facts) ?? OK, facts);
	return {
		facts: status === OK ? facts : { ...facts, status },
		hasContent: hasContent || hasOutputTokens(all),
	};
}

const OK = 200;

/** Google sends a list of nothing but an error. */
function isListOfError(body: unknown): body is unknown[] {
	return Array.isArray(body) && body.length === 1 && Object.keys(asRecord(body[0]) ?? {}).join() === 'error';
}

/** Whether a response is nothing but words about itself. */
export function hasOnlyWords(body: unknown): boolean {
	const fields = asRecord(body);
	if (!fields || readErrorBody(fields).gatewayMessage === undefined) return false;
	return Object.entries(fields).every(([name, value]) => NOT_CONTENT.has(plainName(name)) || isEmpty(value));
}

/** Whether the value of a field `error` says that there is one. Some gateways send the field with every response. */
export function saysError(error: unknown): boolean {
	if (Array.isArray(error)) return error.some(saysError);
	const fields = asRecord(error);
	if (fields) return Object.values(fields).some(saysError);
	return !/^(|0|false|null|none|ok|success)$/i.test(toText(error).trim());
}

const IS_FAILED = /^(error|fail(ed|ure)?)$/i;

function reportsFailure(fields: Record<string, unknown>): boolean {
	const { type, object, detail, errors, baseresp, status, code, errorcode } = fields;
	if (saysNo(fields) || status === false || IS_FAILED.test(toText(code))) return true;
	if (saysError(plainFields(baseresp)?.statuscode)) return true;
	if (CODES.some((name) => isFailingStatus(fields[name]))) return true;
	const facts = readErrorBody(fields);
	if (facts.gatewayMessage === undefined) return statusOfError(facts) !== undefined;
	return (
		[type, object].includes('error') ||
		[detail, errors].some(saysError) ||
		[code, errorcode].some(isFailingCode) ||
		IS_FAILED.test(toText(status))
	);
}

/** Whether a success marker says no: `success` (interface, 4.6 and 4.8), or New API's `code`. */
export function deniesSuccess(body: unknown): boolean {
	const { code } = plainFields(body) ?? {};
	if (saysNo(body) || IS_FAILED.test(toText(code)) || isFailingStatus(code)) return true;
	return typeof code === 'string' && !/\d/.test(code) && isFailingCode(code);
}

/** Whether a response says in so many words that it is no success, whatever else it contains. */
export function saysNo(body: unknown): boolean {
	const { success } = plainFields(body) ?? {};
	return /^(false|no|0|fail(ed|ure)?|error)$/i.test(toText(success).trim());
}

function isFailingStatus(code: unknown): boolean {
	return /^[45]\d\d$/.test(toText(code));
}

const GOOD_CODE = /^(0+|1|2\d\d|[12]0000)$/;

const BAD_WORD =
	/error|fail|invalid|denied|exceed|limit|not_|no_|unknown|missing|unauth|forbidden|quota|insufficient|expired|busy|exist|reject|used_up/i;

/** A code beside a message: a number that is not known to be good, or a word that is known to be bad. */
function isFailingCode(code: unknown): boolean {
	const text = toText(code).trim();
	return /^-?\d+$/.test(text) ? !GOOD_CODE.test(text) : BAD_WORD.test(text);
}

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value);
	return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}
