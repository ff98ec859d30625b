import { asRecord } from '../values';
import type { FailureFacts } from './gatewayFailure';

/** Maximum length of a gateway's message that the user sees. */
const MAX_MESSAGE_LENGTH = 500;

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
	const message =
		plain ?? firstText(error, ['message', 'msg', 'html-message']) ?? plainText(body) ?? undefined;
	const gatewayMessage = message && shorten(stripTags(message));
	return {
		code: firstText(error, ['code']) ?? firstText(record, ['code']),
		type: firstText(error, ['type']),
		gatewayMessage,
		requestId: requestId ?? /request id: ?([\w-]+)/i.exec(message ?? '')?.[1],
	};
}

/** Whether a body has the form of a gateway's own errors (interface, 2.11), which proxies do not use. */
export function isErrorObject(body: unknown): boolean {
	const error = asRecord(asRecord(body)?.error);
	return firstText(error, ['message', 'type', 'code']) !== undefined;
}

/** Whether a text is an HTML page rather than a message. */
export function looksLikeWebPage(text: string): boolean {
	return /^\s*(<!doctype html|<html|<head|<body|<\?xml[^>]*>\s*<!doctype html)/i.test(text);
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

function stripTags(text: string): string {
	return text
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

function shorten(text: string): string {
	return text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
}
