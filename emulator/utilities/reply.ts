import type { FastifyReply } from 'fastify';

/** All values of `encoding` (section 4.13); each endpoint offers some of them. */
export type Encoding = 'json' | 'text' | 'text-detail' | 'markdown' | 'html' | 'image' | 'image-proxy';

/** The response body in one encoding. */
export type Body =
	| { kind: 'json'; data: unknown }
	| { kind: 'text'; text: string }
	| { kind: 'file'; contentType: string; content: string | Buffer }
	| { kind: 'redirect'; address: string };

/** The answer of an endpoint. Each body is created only when it is requested. */
export interface Answer {
	/** The body without `encoding`, and for an encoding that the endpoint does not offer. */
	fallback: () => Body;
	/** The encodings that the endpoint offers. */
	bodies: Partial<Record<Encoding, () => Body>>;
}

const successMessage = '获取成功。本地模拟网关，数据仅为示例。';
const json = 'application/json; charset=UTF-8';
const plainText = 'text/plain; charset=UTF-8';

/**
 * The usual answer: JSON data with a text and a markdown form.
 * @param more bodies of other encodings, for example `html` or `image`
 */
export function describe(
	data: unknown,
	text: () => string,
	markdown: () => string,
	more: Answer['bodies'] = {},
): Answer {
	const jsonBody = (): Body => ({ kind: 'json', data });
	return {
		fallback: jsonBody,
		bodies: {
			json: jsonBody,
			text: () => ({ kind: 'text', text: text() }),
			markdown: () => ({ kind: 'text', text: markdown() }),
			...more,
		},
	};
}

/** An answer that is JSON in every encoding. */
export function jsonOnly(data: unknown): Answer {
	const jsonBody = (): Body => ({ kind: 'json', data });
	return { fallback: jsonBody, bodies: { json: jsonBody } };
}

/** An answer that is the same file in every encoding. */
export function fileOnly(contentType: string, content: string | Buffer): Answer {
	return { fallback: () => ({ kind: 'file', contentType, content }), bodies: {} };
}

/**
 * A request that the endpoint refuses. Always sent as the JSON envelope, in every encoding. `status` is the HTTP status and
 * `code` the code inside the envelope; they differ where they differ in the real service.
 */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: number,
		message: string = successMessage,
		readonly data: unknown = null,
	) {
		super(message);
	}
}

/** The refusal of an unknown path (404) or an unsupported method (405). */
export function noSuchPath(status: 404 | 405): Refusal {
	return new Refusal(
		status,
		404,
		'404, 接口被吃掉了，请检查！应用接口需要在 Base URL 后面带上版本号，如 /v2/60s',
	);
}

/** An internal error of the endpoint (HTTP 500). Unlike a refusal, it is plain text unless JSON is requested. */
export class Crash extends Error {}

function sendEnvelope(reply: FastifyReply, status: number, code: number, message: string, data: unknown) {
	return reply.code(status).type(json).send(JSON.stringify({ code, message, data }));
}

/**
 * Sends an answer in the requested encoding. Values are case-sensitive, an unknown value means the endpoint's default, and
 * an empty text is a 204 (observed).
 */
export function sendAnswer(reply: FastifyReply, encoding: string, answer: Answer): FastifyReply {
	const offered = Object.hasOwn(answer.bodies, encoding) ? answer.bodies[encoding as Encoding] : undefined;
	const body = (offered ?? answer.fallback)();
	switch (body.kind) {
		case 'json':
			return sendEnvelope(reply, 200, 200, successMessage, body.data);
		case 'text':
			return body.text === '' ? reply.code(204).send() : reply.code(200).type(plainText).send(body.text);
		case 'file':
			return reply.code(200).type(body.contentType).send(body.content);
		case 'redirect':
			return reply
				.code(302)
				.header('location', body.address)
				.type(plainText)
				.send(`Redirecting to ${body.address}.`);
	}
}

/** Sends an error that an endpoint threw; any error except a refusal counts as a crash. */
export function sendFailure(reply: FastifyReply, encoding: string, failure: unknown): FastifyReply {
	if (failure instanceof Refusal) {
		return sendEnvelope(reply, failure.status, failure.code, failure.message, failure.data);
	}
	const message = `服务器出错了... ${failure instanceof Error ? failure.message : String(failure)}`;
	if (encoding === '' || encoding === 'json') return sendEnvelope(reply, 500, 500, message, null);
	return reply.code(500).type(plainText).send(message);
}
