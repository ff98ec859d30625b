import { z } from 'zod';
import { faultSchema, milliseconds, wholeNumber } from './fault';

export type { Fault } from './fault';

const streamSchema = z
	.object({
		/** A comment line (`: PING`) before every event. */
		comments: z.boolean(),
		lineEnd: z.enum(['lf', 'crlf']),
		/** The number of times that the final `[DONE]` is sent, if the format has one. */
		done: z.enum(['once', 'missing', 'twice']),
		/** Bytes per chunk; default one chunk per event. */
		chunkBytes: z.number().int().min(1),
		/** Delay before every event except the first. */
		deltaDelayMs: milliseconds,
	})
	.partial()
	.strict();

const answerSchema = z
	.object({
		/** The text, as several blocks for the formats that have blocks. */
		texts: z.array(z.string()),
		/** The model's reasoning before the answer. */
		thinking: z.string(),
		/** How the answer ends: refused by the model, filtered, blocked before it reaches the model, or cut at the token limit. */
		ending: z.enum(['refusal', 'filtered', 'blocked', 'length']),
	})
	.partial()
	.strict();

const rerankSchema = z
	.object({
		/** How each result returns its document; default `none`, because the interface shows no such field (4.10). */
		document: z.enum(['none', 'text', 'object']),
		/** True if the response includes token usage. */
		usage: z.boolean(),
	})
	.partial()
	.strict();

const imagesSchema = z
	.object({
		/** How an image is returned: as an address or a data URI in `url`, or as base64 in `b64_json`; default `url`. */
		answerAs: z.enum(['url', 'dataUri', 'b64_json']),
		/** Images per response; default 1. */
		count: wholeNumber.max(20),
		/** Includes unused fields as empty strings. */
		emptyFields: z.boolean(),
		/** Includes the prompt as revised by the model. */
		revisedPrompt: z.boolean(),
		/** Includes token usage. */
		usage: z.boolean(),
		/** Pads each file to this size in bytes; ignored if the file is larger. */
		fileBytes: wholeNumber.max(100_000_000),
	})
	.partial()
	.strict();

const limitSchema = z
	.object({
		requests: wholeNumber,
		perMs: z.number().positive(),
		/** How the 429 says when to retry; default `none`, because the interface shows no such header (section 8). */
		retryAfter: z.enum(['seconds', 'ms', 'none']).default('none'),
	})
	.strict();

const capacitySchema = z
	.object({ concurrent: z.number().int().min(1), surplus: z.enum(['queue', 'refuse']).default('queue') })
	.strict();

const musicSchema = z
	.object({
		/** The time for which a task stays PENDING; a pair of numbers is a range from which each task draws its time. */
		pendingMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** The time for which a task stays PROCESSING. */
		processingMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** A task whose prompt contains this text ends as FAILED; default `[fail]`. */
		failWhen: z.string().min(1),
	})
	.partial()
	.strict();

/** Validates a rule, set in process or over HTTP, and fills in its defaults. */
export const ruleSchema = z
	.object({
		/** Delay before the response begins; a pair of numbers is a range, drawn from in the same sequence in every run. */
		latencyMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** Requests above the limit get a 429. */
		limit: limitSchema,
		/** Number of concurrent requests; further requests wait or get a 429. */
		capacity: capacitySchema,
		/** The faults to inject. A request is affected by the first one that applies to it. */
		faults: z.array(faultSchema),
		stream: streamSchema,
		/** The shape of chat answers, for those that a question alone does not produce. */
		answer: answerSchema,
		/** The shape of rerank responses. */
		rerank: rerankSchema,
		images: imagesSchema,
		/** Names of the dialects in which the routes answer (`emulator/dialects`), applied one after another. */
		dialect: z.string().or(z.array(z.string())),
		/** How music tasks progress (submit requests) and how they are returned (query requests). */
		music: musicSchema,
		/**
		 * Extends the checks to what the interface does not limit, as comparable services do: unknown fields are refused,
		 * and so are settings that those services refuse. By default, both are ignored.
		 */
		checkUndocumented: z.boolean(),
		/**
		 * Header with an idempotency key: a POST that repeats a key gets the answer to the first one and is not carried out
		 * again; with a different request it gets a 422. Refused requests free their key. The interface knows no such header.
		 */
		idempotencyHeader: z.string().min(1),
		/** Headers of answers that are carried out, such as what they cost; each answer takes the next entry, and the last repeats. */
		headers: z.array(z.record(z.string())).min(1),
	})
	.partial()
	.strict();

/** The behavior of one or more routes; every part is optional. */
export type Rule = z.input<typeof ruleSchema>;
/** A rule with its defaults filled in. */
export type CompleteRule = z.output<typeof ruleSchema>;
/** The shape of event streams. */
export type StreamShape = z.output<typeof streamSchema>;
/** The shape of chat answers. */
export type AnswerShape = z.output<typeof answerSchema>;
/** The shape of rerank responses. */
export type RerankShape = z.output<typeof rerankSchema>;
/** The shape of image generation responses. */
export type ImageShape = z.output<typeof imagesSchema>;
/** The progress of music tasks and the shape in which they are returned. */
export type MusicShape = z.output<typeof musicSchema>;
/** A request limit with its defaults filled in. */
export type Limit = z.output<typeof limitSchema>;
/** A capacity with its defaults filled in. */
export type Capacity = z.output<typeof capacitySchema>;
