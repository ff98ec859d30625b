import { asRecord, isBlank, toText } from '../values';
import { readErrorBody } from './errorBody';
import type { FailureFacts } from './gatewayFailure';
import { statusOfError } from './meaning';

/** An error that a response reports despite its status of success. */
export interface ErrorInside {
	/** With the status that the error stands for, if its code says one. */
	facts: FailureFacts;
	/** Whether the response also contains what may be a result. */
	hasContent: boolean;
}

/** Fields that say something about the response, or about an error, but are no result. */
const NOT_CONTENT = new Set([
	...['error', 'errors', 'code', 'error_code', 'errcode', 'status', 'status_code', 'statuscode', 'base_resp'],
	...[
		'message',
		'msg',
		'errmsg',
		'error_msg',
		'errormessage',
		'error_description',
		'status_msg',
		'html-message',
	],
	...['detail', 'details', 'reason', 'title', 'type', 'param', 'success', 'ok'],
	...['id', 'object', 'model', 'created', 'usage', 'version', 'path', 'method', 'timestamp', 'time', 'ts'],
	...['request_id', 'requestid', 'trace_id', 'traceid', 'log_id', 'documentation_url', 'help', 'instance'],
]);

/**
 * The error in the body of a successful response, in any of the spellings of gateways. Signs that real data may have as
 * well, such as a field `code` or `detail`, count only in a body without content.
 *
 * @param ownFields names that mean something else in this response
 * @returns undefined for none
 */
export function errorInside(body: unknown, ownFields: string[] = []): ErrorInside | undefined {
	const all = asRecord(body);
	if (!all) return undefined;
	const fields = Object.fromEntries(Object.entries(all).filter(([name]) => !ownFields.includes(name)));
	const hasContent = Object.entries(all).some(
		([name, value]) => (ownFields.includes(name) || !NOT_CONTENT.has(name.toLowerCase())) && isContent(value),
	);
	const isError = saysError(fields.error, hasContent) || reportsFailure(fields);
	if (!isError && (hasContent || !reportsFailureAlone(fields))) return undefined;
	const facts = readErrorBody(fields);
	const status = statusOfError(facts);
	return { facts: status === undefined ? facts : { ...facts, status }, hasContent };
}

/** Whether the value of a field `error` says that there is one. Some gateways send the field with every response. */
export function saysError(error: unknown, hasContent = false): boolean {
	if (error === true || typeof error === 'number') return !hasContent && error !== 0;
	const text = toText(error).trim();
	return text !== '{}' && text !== '[]' && !/^(|0|false|null|none|ok|success)$/i.test(text);
}

/** Signs that no result has. */
function reportsFailure({ success, ok, base_resp: response }: Record<string, unknown>): boolean {
	const { status_code: code } = asRecord(response) ?? {};
	const isFailing = (code !== undefined && code !== null && Number(code) !== 0) || isFalse(success);
	return isFailing || isFalse(ok);
}

function isFalse(value: unknown): boolean {
	return value === false || value === 'false';
}

/** The names of numbers and words that stand for an error. */
const CODES = ['code', 'error_code', 'errcode'];
const STATUSES = ['status', 'status_code', 'statusCode'];

/** Signs that count only in a response without a result. */
function reportsFailureAlone(fields: Record<string, unknown>): boolean {
	const { type, object, detail, errors } = fields;
	if ([...CODES, ...STATUSES].some((name) => isFailingStatus(fields[name]))) return true;
	const facts = readErrorBody(fields);
	if (facts.gatewayMessage === undefined) return statusOfError(facts) !== undefined;
	return (
		type === 'error' ||
		object === 'error' ||
		saysError(detail) ||
		saysError(errors) ||
		CODES.some((name) => isFailingCode(fields[name])) ||
		STATUSES.some((name) => /^(error|fail(ed|ure)?)$/i.test(toText(fields[name])))
	);
}

function isFailingStatus(code: unknown): boolean {
	return /^[45]\d\d$/.test(toText(code));
}

/** Codes of success, or of what has only begun. */
const GOOD_CODE =
	/^(|0+|1|2\d\d|2\d{4}|true|ok|success(ful)?|succeeded|done|completed?|accepted|created|queued|pending|submitted|processing)$/i;

/** A code beside a message: whatever is not known to be good. */
function isFailingCode(code: unknown): boolean {
	return (typeof code === 'number' || typeof code === 'string') && !GOOD_CODE.test(String(code).trim());
}

function isContent(value: unknown): boolean {
	if (typeof value === 'string') return !isBlank(value);
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
