import type { FastifyReply } from 'fastify';
import type { Fault } from '../behaviour/rule';
import { failureAnswer, failureOfStatus, imageFailure } from './errors';
import type { Exchange } from './exchange';

/** An answer that a fault sends in place of the route's answer. */
export interface Substitute {
	status: number;
	headers: Record<string, string>;
	body: string | undefined;
}

const html = (status: number, title: string) =>
	`<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head>\n` +
	`<body><h1>${status} ${title}</h1><hr><address>proxy</address></body></html>\n`;

/**
 * Returns the complete answer of a fault.
 * @returns undefined for a fault that keeps the route's answer or sends none
 */
export function substituteFor(fault: Fault, url: string): Substitute | undefined {
	switch (fault.kind) {
		case 'status': {
			if (fault.body === undefined) {
				const answer = failureAnswer(url, failureOfStatus(fault.status));
				return { ...answer, headers: { ...fault.headers, ...answer.headers } };
			}
			const isText = typeof fault.body === 'string';
			const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
			return {
				status: fault.status,
				headers: { ...fault.headers, 'content-type': fault.contentType ?? type },
				body: isText ? (fault.body as string) : JSON.stringify(fault.body),
			};
		}
		case 'html':
			return {
				status: fault.status,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				body: html(fault.status, fault.title),
			};
		case 'empty':
			return { status: fault.status, headers: fault.headers, body: undefined };
		case 'redirect':
			return { status: fault.status, headers: { location: fault.location }, body: undefined };
		case 'imageFailure':
			return failureAnswer(url, imageFailure(fault.reason, fault.status));
		default:
			return undefined;
	}
}

/**
 * Applies a fault that lets the route carry out the request first.
 * @returns the body to send instead; undefined if the route's answer is sent
 */
export function replacedAfterwards({ fault, disconnect }: Exchange, reply: FastifyReply): string | undefined {
	if (!fault || !('carriedOut' in fault) || !fault.carriedOut) return undefined;
	if (fault.kind === 'resetBeforeHeaders') disconnect('reset');
	const substitute = substituteFor(fault, reply.request.url);
	if (!substitute) return undefined;
	for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name);
	void reply.code(substitute.status).headers(substitute.headers);
	return substitute.body ?? '';
}
