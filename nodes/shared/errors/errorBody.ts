import { headerValue, type ResponseHeaders } from '../http/headers';
import type { FailureFacts } from './gatewayFailure';

/** Longest text of the gateway that is shown to the user. */
const MAX_MESSAGE_LENGTH = 500;

/**
 * Reads what a failed answer says: the documented `{error:{message,type,code}}` (interface, 2.11) and the
 * variants that comparable gateways send (a bare message, an error as text, a number as code).
 *
 * @param body parsed JSON, or the text when it is not JSON
 * @returns the facts that could be read; none for an empty or foreign body
 */
export function readErrorBody(body: unknown, headers: ResponseHeaders): FailureFacts {
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
		requestId: requestIdOf(headers) ?? /request id: ?([\w-]+)/i.exec(message ?? '')?.[1],
	};
}

/** The id under which the gateway knows this request, for questions to its operator. */
export function requestIdOf(headers: ResponseHeaders): string | undefined {
	return headerValue(headers, 'x-oneapi-request-id') ?? headerValue(headers, 'x-request-id');
}

/** Whether a text is an HTML page rather than a message. */
export function looksLikeWebPage(text: string): boolean {
	return /^\s*(<!doctype html|<html|<head|<body|<\?xml[^>]*>\s*<!doctype html)/i.test(text);
}

/** The value as an object with named fields, or undefined. */
export function asRecord(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
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
