import { asRecord, isBlank, toText } from '../plain/values';
import { ERROR_WRAPPERS, plainFields, plainName, readErrorBody } from './errorBody';
import type { FailureFacts } from './gatewayFailure';
import { meantStatus, statusOfError } from './meaning';

/** An error that a response reports despite its status of success. */
export interface ErrorInside {
	/** With the status that the error stands for, if its code says one. */
	facts: FailureFacts;
	/** Whether the response also contains what may be a result. */
	hasContent: boolean;
}

/** Fields that say something about the response, or about an error, but are no result. */
const NOT_CONTENT = new Set([
	...[
		'error',
		'errors',
		'fault',
		'code',
		'errorcode',
		'errcode',
		'errno',
		'status',
		'statuscode',
		'baseresp',
		'ret',
	],
	...[
		'message',
		'msg',
		'errmsg',
		'errormsg',
		'errormessage',
		'errordescription',
		'statusmsg',
		'statusmessage',
	],
	...['htmlmessage', 'description', 'detail', 'details', 'reason', 'title', 'type', 'param', 'success', 'ok'],
	...['id', 'object', 'model', 'created', 'usage', 'version', 'path', 'method', 'timestamp', 'time', 'ts'],
	...['requestid', 'traceid', 'logid', 'sid', 'documentationurl', 'help', 'instance'],
]);

/**
 * The error in the body of a successful response, in any of the spellings of gateways. Signs that real data may have as
 * well, such as a field `code` or `detail`, count only in a body without content.
 *
 * @returns undefined for none
 */
export function errorInside(body: unknown, depth = 0): ErrorInside | undefined {
	// A list of nothing but an error.
	if (Array.isArray(body) && body.length === 1 && Object.keys(asRecord(body[0]) ?? {}).join() === 'error') {
		return errorInside(body[0], depth);
	}
	const all = asRecord(body);
	if (!all || depth > MAX_DEPTH) return undefined;
	const fields = plainFields(all) ?? {};
	const wrapped = ERROR_WRAPPERS.find((name) => errorInside(fields[name], depth + 1)?.hasContent === false);
	// JSend puts the words where the result would be.
	const isFailed = IS_FAILED.test(toText(fields.status)) && plainFields(fields.data)?.message !== undefined;
	const hasContent = Object.entries(all).some(([name, value]) => {
		const plain = plainName(name);
		const isAboutError = NOT_CONTENT.has(plain) || plain === wrapped || (plain === 'data' && isFailed);
		return !isAboutError && !isEmpty(value);
	});
	const isError =
		saysError(fields.error) && (typeof fields.error === 'object' || !isFlag(fields.error, hasContent));
	if (!isError && (hasContent || !(wrapped ?? reportsFailure(fields)))) return undefined;
	const facts = readErrorBody(fields);
	const status = meantStatus(statusOfError(facts) ?? OK, facts);
	return { facts: status === OK ? facts : { ...facts, status }, hasContent };
}

/** Whether a response is nothing but words about itself. */
export function hasOnlyWords(body: unknown): boolean {
	const fields = asRecord(body);
	if (!fields || readErrorBody(fields).gatewayMessage === undefined) return false;
	return Object.entries(fields).every(([name, value]) => NOT_CONTENT.has(plainName(name)) || isEmpty(value));
}

const OK = 200;

const MAX_DEPTH = 2;
const IS_FAILED = /^(error|fail(ed|ure)?)$/i;

/** A number or `true` beside content says nothing. */
function isFlag(error: unknown, hasContent: boolean): boolean {
	return hasContent && typeof error !== 'string';
}

/** Whether the value of a field `error` says that there is one. Some gateways send the field with every response. */
export function saysError(error: unknown): boolean {
	if (Array.isArray(error)) return error.some(saysError);
	const fields = asRecord(error);
	if (fields) return Object.values(fields).some(saysError);
	return !/^(|0|false|null|none|ok|success)$/i.test(toText(error).trim());
}

/** The names of numbers and words that stand for an error. */
const CODES = ['code', 'errorcode', 'errcode', 'errno', 'ret'];
const STATUSES = ['status', 'statuscode'];

/** Signs that count only in a response without a result. */
function reportsFailure(fields: Record<string, unknown>): boolean {
	const { type, object, detail, errors, fault, success, ok, baseresp, status, result } = fields;
	if (
		isNo(success) ||
		isNo(ok) ||
		isFalse(status) ||
		IS_FAILED.test(toText(fields.code)) ||
		saysError(plainFields(baseresp)?.statuscode)
	)
		return true;
	if ([...CODES, ...STATUSES].some((name) => isFailingStatus(fields[name]))) return true;
	const facts = readErrorBody(fields);
	if (facts.gatewayMessage === undefined) return statusOfError(facts) !== undefined;
	return (
		[type, object, result].includes('error') ||
		[detail, errors, fault].some(saysError) ||
		CODES.some((name) => isFailingCode(fields[name])) ||
		IS_FAILED.test(toText(status))
	);
}

/**
 * Whether the success marker of an envelope says no (interface, 2.9, 4.6, and 4.8, which do not show all of its names),
 * whatever else the envelope contains.
 */
export function deniesSuccess(body: unknown): boolean {
	if (saysNo(body)) return true;
	const { code, data, status, result, ...others } = plainFields(body) ?? {};
	// Without `data`, the state of a task may be in the place of the marker.
	const markers = data === undefined ? [code] : [code, status, result];
	if (markers.some((marker) => IS_FAILED.test(toText(marker)) || isFailingStatus(marker))) return true;
	// The marker may have any name.
	const words = data === undefined ? [] : Object.values(others);
	if (words.some((word) => typeof word === 'string' && IS_FAILED.test(word.trim()))) return true;
	return typeof code === 'string' && !/\d/.test(code) && isFailingCode(code);
}

/** Whether a response says in so many words that it is no success, whatever else it contains. */
export function saysNo(body: unknown): boolean {
	const { success, ok } = plainFields(body) ?? {};
	return isNo(success) || isNo(ok);
}

function isNo(value: unknown): boolean {
	return value !== '' && /^(false|no|0|fail(ed|ure)?|error)$/i.test(toText(value).trim());
}

function isFalse(value: unknown): boolean {
	return value === false || value === 'false';
}

function isFailingStatus(code: unknown): boolean {
	return /^[45]\d\d$/.test(toText(code));
}

/** Codes of success. */
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
