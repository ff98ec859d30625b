/**
 * A request that an endpoint refuses. The answer is the JSON envelope in every encoding. `status` is the HTTP status
 * and `code` the code inside the envelope; they differ where they do so in the real service.
 */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: number,
		message: string,
		readonly data: unknown = null,
	) {
		super(message);
	}
}

/** Returns the usual refusal of a value. */
export const refuse = (message: string) => new Refusal(400, 400, message);

/** Returns the refusal of an unknown path (404) or an unsupported method (405). */
export const noSuchPath = (status: 404 | 405) => new Refusal(status, 404, '404, 接口被吃掉了，请检查！');

/** An internal error of the endpoint (HTTP 500). Unlike a refusal, it is plain text unless JSON is requested. */
export class Crash extends Error {}
