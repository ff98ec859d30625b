import type { FastifyReply } from 'fastify';

/** The error body of section 2.11. */
export interface ErrorBody {
	error: { message: string; type: string; code: string };
}

/** An error that is returned as an error object (sections 2.11 and 7). */
export class RequestFailure extends Error {
	constructor(
		readonly status: number,
		readonly type: string,
		readonly code: string,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}

	get body(): ErrorBody {
		return { error: { message: this.message, type: this.type, code: this.code } };
	}
}

/** Returns a failure with status 400 and the documented code. The message must name the field. */
export function invalidRequest(message: string, status = 400): RequestFailure {
	return new RequestFailure(status, 'invalid_request_error', 'invalid_request_error', message);
}

/** Returns a failure with status 401 and the documented code. */
export function invalidKey(key: 'missing' | 'invalid'): RequestFailure {
	const message =
		key === 'missing'
			? 'No API key was sent. Send it as "Authorization: Bearer <API_KEY>".'
			: 'The API key is invalid or has expired.';
	return new RequestFailure(401, 'authentication_error', 'invalid_api_key', message);
}

/** Returns a failure with status 429 and the documented code. */
export function rateLimited(message: string, headers: Record<string, string> = {}): RequestFailure {
	return new RequestFailure(429, 'rate_limit_error', 'rate_limit_exceeded', message, headers);
}

/** Returns a failure with status 404, for an unknown path. */
export function unknownPath(method: string, path: string): RequestFailure {
	return new RequestFailure(404, 'invalid_request_error', 'not_found', `There is no ${method} ${path}.`);
}

/** Returns a failure with status 405, for a path that supports other methods. */
export function wrongMethod(method: string, path: string, allowed: readonly string[]): RequestFailure {
	return new RequestFailure(
		405,
		'invalid_request_error',
		'method_not_allowed',
		`${path} does not take ${method}; it takes ${allowed.join(', ')}.`,
		{ allow: allowed.join(', ') },
	);
}

/** The reasons for which the generation of an image can fail (section 7). */
export const imageFailureReasons = ['noImage', 'uploadFailed', 'noChoices'] as const;

const imageFailureMessages: Record<(typeof imageFailureReasons)[number], string> = {
	noImage: 'no base64 image found in response',
	uploadFailed: 'failed to upload image',
	noChoices: 'chat response contains no choices',
};

/**
 * Returns a documented image generation failure. The interface documents only the messages, so it may come with any
 * status that it lists; the default is that of a server error.
 */
export function imageFailure(
	reason: (typeof imageFailureReasons)[number],
	status: 200 | 400 | 500 = 500,
): RequestFailure {
	const message = imageFailureMessages[reason];
	return status === 400
		? invalidRequest(message)
		: new RequestFailure(status, 'server_error', 'server_error', message);
}

/** Returns the error object for a status, which is the default body of injected faults. */
export function failureOfStatus(status: number): RequestFailure {
	switch (status) {
		case 401:
			return invalidKey('invalid');
		case 429:
			return rateLimited('Rate limit exceeded. Retry with exponential backoff.');
		default:
			return status >= 500
				? new RequestFailure(
						status,
						'server_error',
						'server_error',
						'The server had a fault. Retry after a short delay.',
					)
				: invalidRequest('The request was refused.', status);
	}
}

/**
 * Returns the answer for a failure. On the messages endpoint, the body has an additional `type: error`, which clients
 * of that format expect. The documented `error` object is the same on all endpoints.
 */
export function failureAnswer(url: string, failure: RequestFailure) {
	const isMessages = url.split('?')[0] === '/v1/messages';
	return {
		status: failure.status,
		headers: { ...failure.headers, 'content-type': 'application/json; charset=utf-8' },
		body: JSON.stringify(isMessages ? { type: 'error', ...failure.body } : failure.body),
	};
}

/** Sends a failure as the answer. */
export function sendFailure(reply: FastifyReply, failure: RequestFailure): FastifyReply {
	const { status, headers, body } = failureAnswer(reply.request.url, failure);
	return reply.code(status).headers(headers).send(body);
}
