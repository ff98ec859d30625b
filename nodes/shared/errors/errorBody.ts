import { asRecord } from '../values';
import type { FailureFacts } from './gatewayFailure';

/** Maximum length of a gateway's message that the user sees. */
const MAX_MESSAGE_LENGTH = 500;
/** Maximum length of a code, a type, or an ID. */
const MAX_WORD_LENGTH = 200;
/** The beginning of a text that is searched at all: text from outside is cut first, and searched then. */
const SEARCHED_LENGTH = 5_000;

/**
 * Reads the body of a failed response: the documented `{error:{message,type,code}}` (interface, 2.11) and the variants
 * that comparable gateways send (a bare message, an error as text, a number as code).
 *
 * @param body parsed JSON, or the text when it is not JSON
 * @param requestId from the headers; otherwise an ID in the message is used
 * @returns the facts that could be read; none for an empty or unknown body
 */
export function readErrorBody(body: unknown, requestId?: string): FailureFacts {
	const record = asRecord(body);
	const error = asRecord(record?.error) ?? record;
	const plain = typeof record?.error === 'string' ? record.error : undefined;
	const whole = plain ?? firstText(error, ['message', 'msg', 'html-message']) ?? plainText(body);
	const message = whole && beginning(whole);
	return {
		code: word(firstText(error, ['code']) ?? firstText(record, ['code'])),
		type: word(firstText(error, ['type'])),
		gatewayMessage: message && shortMessage(message),
		requestId: word(requestId ?? /request id: ?([\w-]{1,200})/i.exec(message ?? '')?.[1]),
	};
}

/** Whether a body has the form of a gateway's own errors (interface, 2.11), which proxies do not use. */
export function isErrorObject(body: unknown): boolean {
	const error = asRecord(asRecord(body)?.error);
	return firstText(error, ['message', 'type', 'code']) !== undefined;
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
