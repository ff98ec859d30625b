import { z } from 'zod';
import { imageFailureReasons } from '../http/errors';

export const milliseconds = z.number().min(0).max(86_400_000);
export const wholeNumber = z.number().int().min(0);
const status = z.number().int().min(200).max(599);

const common = {
	/** Number of requests that the fault affects; default 1. */
	times: wholeNumber.or(z.literal('always')).default(1),
	/** Number of matching requests that pass before the fault applies; default 0. */
	skip: wholeNumber.default(0),
	/** A text that the URL, the request body, or a field of a form must contain. */
	when: z.string().min(1).optional(),
};

/** True if the route carries out the request before the fault replaces its answer; default false. */
const carriedOut = z.boolean().default(false);

/**
 * The position at which the response breaks: bytes of the body (counted from its end if negative), or events of a
 * stream (which spares other responses).
 */
const position = { afterBytes: z.number().int().optional(), afterEvents: wholeNumber.optional() };

/** Validates a fault of a rule and fills in its defaults. */
export const faultSchema = z.discriminatedUnion('kind', [
	/** Any status with any body; the default body is the documented error object for the status. */
	z
		.object({
			...common,
			carriedOut,
			kind: z.literal('status'),
			status,
			headers: z.record(z.string()).default({}),
			body: z.unknown(),
			contentType: z.string().optional(),
		})
		.strict(),
	/** An HTML page, such as a proxy in front of the gateway sends it. */
	z
		.object({
			...common,
			carriedOut,
			kind: z.literal('html'),
			status,
			title: z.string().default('Bad Gateway'),
		})
		.strict(),
	/** A status without a body. */
	z
		.object({
			...common,
			carriedOut,
			kind: z.literal('empty'),
			status,
			headers: z.record(z.string()).default({}),
		})
		.strict(),
	/** Resets the connection before any response. */
	z.object({ ...common, carriedOut, kind: z.literal('resetBeforeHeaders') }).strict(),
	/** Closes the connection in the middle of the response; without a position, after the headers. */
	z.object({ ...common, ...position, kind: z.literal('cut') }).strict(),
	/** Stops sending but keeps the connection open; without a position, before the headers. */
	z.object({ ...common, ...position, kind: z.literal('stall') }).strict(),
	/** Ends the body early, without any sign of an error. */
	z.object({ ...common, kind: z.literal('truncatedJson'), bytes: wholeNumber.optional() }).strict(),
	/** A documented image generation failure (section 7). The interface does not say with which status it comes. */
	z
		.object({
			...common,
			kind: z.literal('imageFailure'),
			reason: z.enum(imageFailureReasons),
			status: z.union([z.literal(200), z.literal(400), z.literal(500)]).default(500),
		})
		.strict(),
	/** Redirects to another address. */
	z
		.object({
			...common,
			kind: z.literal('redirect'),
			status: z.number().int().min(300).max(399).default(302),
			location: z.string().min(1),
		})
		.strict(),
]);

/** One fault of a rule with its defaults filled in. */
export type Fault = z.output<typeof faultSchema>;
