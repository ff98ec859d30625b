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

/** The functions that a dialect can use in addition to the answer. */
export interface DialectContext {
	/** Serves a file at an address of another origin, without a key. */
	publish: (file: AnswerFile) => string;
}

/** An answer that replaces the route's answer. */
export interface Instead {
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
}

interface Common {
	/** A name in kebab case. */
	name: string;
	/** A description of one line. */
	description: string;
	/** The public API or the recorded answer that has this shape. */
	source: string;
	/** The patterns of the routes that the dialect fits. */
	routes: readonly string[];
	/** The number of requests that it affects; default all. */
	times?: number;
	/** True if it fits only requests for an event stream. */
	needsStream?: boolean;
	meaning: Meaning;
}

/** A dialect in which the gateway refuses. The request is not carried out and costs nothing. */
export interface Refusal extends Common {
	carriedOut: false;
	instead: Instead;
}

/** A dialect in which the gateway answers in another shape. Each part changes one kind of answer and leaves the others. */
export interface Variant extends Common {
	carriedOut: true;
	/** Changes the JSON of an answer, possibly in place. */
	json?(value: unknown, context: DialectContext): unknown;
	/** Changes the events of a stream, including the sentinel. */
	events?(events: StreamEvent[]): StreamEvent[];
	/** Changes a file, or replaces it with JSON. */
	file?(file: AnswerFile, context: DialectContext): AnswerFile | { json: unknown };
	/** The way in which the bytes of a stream are sent. */
	stream?: StreamShape;
}

/** A way of answering that differs from the regular one. It changes finished answers and nothing else. */
export type Dialect = Refusal | Variant;

/** Defines a dialect in which the answer has another shape and, by default, the same meaning. */
export function variant(
	definition: Omit<Variant, 'carriedOut' | 'meaning'> & { meaning?: Meaning },
): Variant {
	return { meaning: { kind: 'same' }, ...definition, carriedOut: true };
}

/** Defines a dialect in which the gateway refuses. */
export function refusal(definition: Omit<Refusal, 'carriedOut'>): Refusal {
	return { ...definition, carriedOut: false };
}
