import { z } from 'zod';
import { imageFailureReasons } from '../http/errors';

const milliseconds = z.number().min(0).max(86_400_000);
const wholeNumber = z.number().int().min(0);
const status = z.number().int().min(200).max(599);

const common = {
	/** How many requests it hits; default 1. */
	times: wholeNumber.or(z.literal('always')).default(1),
	/** How many matching requests pass before it hits; default 0. */
	skip: wholeNumber.default(0),
	/** Text that must stand in the URL or the request body. */
	when: z.string().min(1).optional(),
};

/** Counts after which an answer breaks: bytes of the body, or events of a stream (then other answers are spared). */
const position = { afterBytes: wholeNumber.optional(), afterEvents: wholeNumber.optional() };

const faultSchema = z.discriminatedUnion('kind', [
	/** Any status with any body; without a body the documented error body that fits the status. */
	z
		.object({
			...common,
			kind: z.literal('status'),
			status,
			headers: z.record(z.string()).default({}),
			body: z.unknown(),
			contentType: z.string().optional(),
		})
		.strict(),
	/** An HTML page, as a proxy in front of the gateway sends it. */
	z.object({ ...common, kind: z.literal('html'), status, title: z.string().default('Bad Gateway') }).strict(),
	/** A status without a body. */
	z
		.object({ ...common, kind: z.literal('empty'), status, headers: z.record(z.string()).default({}) })
		.strict(),
	/** The connection is reset before any answer. */
	z.object({ ...common, kind: z.literal('resetBeforeHeaders') }).strict(),
	/** The connection is closed while the request body arrives, once so many bytes of it are there; `when` sees the URL only. */
	z.object({ ...common, kind: z.literal('cutUpload'), afterBytes: wholeNumber.default(0) }).strict(),
	/** The connection is closed in the middle of the answer; without a position after the headers. */
	z.object({ ...common, ...position, kind: z.literal('cut') }).strict(),
	/** Nothing more comes, but the connection stays open. Without a position: not even headers. */
	z.object({ ...common, ...position, kind: z.literal('stall') }).strict(),
	/** The body comes in small pieces. */
	z
		.object({
			...common,
			kind: z.literal('drip'),
			bytes: z.number().int().min(1).default(1),
			delayMs: milliseconds.default(10),
		})
		.strict(),
	/** An error object inside an event stream that began with status 200; only streams are hit. */
	z
		.object({
			...common,
			kind: z.literal('errorInStream'),
			afterEvents: wholeNumber.default(1),
			error: z.record(z.unknown()).optional(),
		})
		.strict(),
	/** The body ends early, but as if that were right. */
	z.object({ ...common, kind: z.literal('truncatedJson'), bytes: wholeNumber.optional() }).strict(),
	/** The right body under another content type. */
	z
		.object({ ...common, kind: z.literal('wrongContentType'), contentType: z.string().default('text/html') })
		.strict(),
	/** A documented failure of image generation (section 7). */
	z.object({ ...common, kind: z.literal('imageFailure'), reason: z.enum(imageFailureReasons) }).strict(),
	/** The right JSON with arrays in arrays beside its fields; where no JSON was due, only those. */
	z.object({ ...common, kind: z.literal('deepJson'), levels: wholeNumber.default(100_000) }).strict(),
	/** The right JSON with so much white space that it has at least this many bytes. */
	z.object({ ...common, kind: z.literal('hugeJson'), bytes: wholeNumber.default(70_000_000) }).strict(),
	/** The right body, compressed, with that many bytes of white space behind it that hardly count on the wire. */
	z.object({ ...common, kind: z.literal('gzipBomb'), bytes: wholeNumber.default(70_000_000) }).strict(),
	/** The right body with bytes in it that are no UTF-8; in JSON they stand inside the first text. */
	z.object({ ...common, kind: z.literal('invalidUtf8') }).strict(),
	/** A redirect to another address. */
	z
		.object({
			...common,
			kind: z.literal('redirect'),
			status: z.number().int().min(300).max(399).default(302),
			location: z.string().min(1),
		})
		.strict(),
]);

const streamSchema = z
	.object({
		/** A comment line (`: PING`) before every event. */
		comments: z.boolean(),
		lineEnd: z.enum(['lf', 'crlf']),
		/** How often the closing `[DONE]` is sent, where the format has one. */
		done: z.enum(['once', 'missing', 'twice']),
		/** Each multi-byte character arrives in two pieces. */
		splitCharacters: z.boolean(),
		/** Bytes per piece; without it one piece per event. */
		chunkBytes: z.number().int().min(1),
		/** Pause before every event but the first. */
		deltaDelayMs: milliseconds,
		/** Format A: `usage: null` on every chunk that carries no usage. */
		nullUsage: z.boolean(),
	})
	.partial()
	.strict();

const answerSchema = z
	.object({
		/** The text, in the pieces in which formats with blocks give it. */
		texts: z.array(z.string()),
		/** What the model thinks before it answers. */
		thinking: z.string(),
		/** The model refuses, its answer is filtered, or the question is blocked before it reaches the model. */
		ending: z.enum(['refusal', 'filtered', 'blocked', 'length']),
	})
	.partial()
	.strict();

const rerankSchema = z
	.object({
		/** How each result repeats its document; the interface shows no such field (4.10), hence `none`. */
		document: z.enum(['none', 'text', 'object']),
		/** Whether the answer counts tokens. */
		usage: z.boolean(),
	})
	.partial()
	.strict();

const imagesSchema = z
	.object({
		/** Where an image stands: an address or a data URI in `url`, or base64 in `b64_json`; default `url`. */
		answerAs: z.enum(['url', 'dataUri', 'b64_json']),
		/** Images per answer; default 1. */
		count: wholeNumber.max(20),
		/** Fields that hold nothing are there all the same, as empty texts. */
		emptyFields: z.boolean(),
		/** Tells the prompt that the model made of the request's. */
		revisedPrompt: z.boolean(),
		/** Tells the tokens used. */
		usage: z.boolean(),
		/** Size of each file, if it would be smaller otherwise. */
		fileBytes: wholeNumber.max(100_000_000),
	})
	.partial()
	.strict();

const limitSchema = z
	.object({
		requests: wholeNumber,
		perMs: z.number().positive(),
		mode: z.enum(['sliding', 'fixed']).default('sliding'),
		/** How the 429 says when to come back; the interface shows no such header (section 8), hence `none`. */
		retryAfter: z.enum(['seconds', 'ms', 'date', 'none']).default('none'),
	})
	.strict();

const capacitySchema = z
	.object({ concurrent: z.number().int().min(1), surplus: z.enum(['queue', 'refuse']).default('queue') })
	.strict();

const musicSchema = z
	.object({
		/** How long a task is PENDING before it is PROCESSING; of two numbers, one between them is drawn per task. */
		pendingMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** How long it is PROCESSING. */
		processingMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** A task whose prompt holds this text ends as FAILED; default `[fail]`. */
		failWhen: z.string().min(1),
		failReason: z.string(),
		/** Whether `data` of a submit is an object with `task_id` or the bare id. */
		submitAnswer: z.enum(['object', 'id']),
		/** `extended` uses the names of comparable services: NOT_START, QUEUED, IN_PROGRESS, FAILURE. */
		statusNames: z.enum(['documented', 'extended']),
		/** How the fields of a track are written. */
		trackFields: z.enum(['camelCase', 'snakeCase']),
		createTime: z.enum(['milliseconds', 'text']),
		/** The first track is shown, without its file, while the task is still PROCESSING. */
		earlyTrack: z.boolean(),
		/** Name of the outer field that holds the text `success`; the interface does not show it. */
		marker: z.string().min(1),
	})
	.partial()
	.strict();

/** Checks and completes a rule, given in process or over HTTP. */
export const ruleSchema = z
	.object({
		/** Time before the answer begins; of two numbers, one between them is drawn, the same in every run. */
		latencyMs: milliseconds.or(z.tuple([milliseconds, milliseconds])),
		/** Surplus requests get a 429. */
		limit: limitSchema,
		/** Requests that are worked on at once; the surplus waits or gets a 429. */
		capacity: capacitySchema,
		/** The first fault that fits a request hits it. */
		faults: z.array(faultSchema),
		stream: streamSchema,
		/** Chat answers of a kind that questions alone do not bring about. */
		answer: answerSchema,
		/** How rerank answers look on the wire. */
		rerank: rerankSchema,
		images: imagesSchema,
		/** How music tasks go on (for the submit) and how they are shown (for the query). */
		music: musicSchema,
		/** Lets fields pass that the emulator does not know, as a newer gateway would. */
		acceptUnknownFields: z.boolean(),
	})
	.partial()
	.strict();

/** How one or several routes behave; every part may be left out. */
export type Rule = z.input<typeof ruleSchema>;
/** A rule with its defaults filled in. */
export type CompleteRule = z.output<typeof ruleSchema>;
/** One fault of a rule with its defaults filled in. */
export type Fault = z.output<typeof faultSchema>;
/** How event streams look on the wire. */
export type StreamShape = z.output<typeof streamSchema>;
/** What a rule says about chat answers. */
export type AnswerShape = z.output<typeof answerSchema>;
/** How rerank answers look on the wire. */
export type RerankShape = z.output<typeof rerankSchema>;
/** How answers of image generation look. */
export type ImageShape = z.output<typeof imagesSchema>;
/** How music tasks go on and how they are shown. */
export type MusicShape = z.output<typeof musicSchema>;
/** A request limit with its defaults filled in. */
export type Limit = z.output<typeof limitSchema>;
/** A capacity with its defaults filled in. */
export type Capacity = z.output<typeof capacitySchema>;
