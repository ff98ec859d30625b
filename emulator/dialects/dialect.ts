import type { StreamShape } from '../behaviour/rule';
import type { StreamEvent } from '../http/streamEvent';

/**
 * What a dialect's answer means to a client that reads it rightly:
 * - `same`: what the regular answer means. `variable` names the output fields whose values may be missing, or may
 *   be the text that matches; `file` is the MIME type of the files, if they are others than the regular ones.
 * - `failure`: nothing. The client's message has one of the words; `status` is the HTTP status that says the same, if one does.
 */
export type Meaning =
	| { kind: 'same'; variable?: Readonly<Record<string, RegExp | null>>; file?: string }
	| { kind: 'failure'; words: readonly string[]; status?: number };

/** A file of an answer, or an answer that is a file. */
export interface AnswerFile {
	contentType: string;
	bytes: Buffer;
}

/** What a dialect can use besides the answer. */
export interface DialectContext {
	/** Serves a file at an address of another origin, without a key. */
	publish: (file: AnswerFile) => string;
}

/** An answer in place of the route's. */
export interface Instead {
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
}

interface Common {
	/** In kebab case. */
	name: string;
	/** One line. */
	description: string;
	/** The public API or the recorded answer that has this shape. */
	source: string;
	/** Patterns of the routes that it fits. */
	routes: readonly string[];
	/** How many requests it affects; default all. */
	times?: number;
	/** Whether it fits only requests for an event stream. */
	needsStream?: boolean;
	meaning: Meaning;
}

/** A dialect in which the gateway refuses: the request is not carried out, and costs nothing. */
export interface Refusal extends Common {
	carriedOut: false;
	instead: Instead;
}

/** A dialect in which the gateway answers in another shape. Each part changes one kind of answer and leaves the others. */
export interface Variant extends Common {
	carriedOut: true;
	/** Changes the JSON of an answer, which it may alter in place. */
	json?(value: unknown, context: DialectContext): unknown;
	/** Changes the events of a stream, with the sentinel. */
	events?(events: StreamEvent[]): StreamEvent[];
	/** Changes a file, or puts JSON in its place. */
	file?(file: AnswerFile, context: DialectContext): AnswerFile | { json: unknown };
	/** How the bytes of a stream are sent. */
	stream?: StreamShape;
}

/** Another way of answering than the regular one; a pure change of finished answers. */
export type Dialect = Refusal | Variant;

/** Defines a dialect in which the answer has another shape. By default it means the same. */
export function variant(
	definition: Omit<Variant, 'carriedOut' | 'meaning'> & { meaning?: Meaning },
): Variant {
	return { meaning: { kind: 'same' }, ...definition, carriedOut: true };
}

/** Defines a dialect in which the gateway refuses. */
export function refusal(definition: Omit<Refusal, 'carriedOut'>): Refusal {
	return { ...definition, carriedOut: false };
}
