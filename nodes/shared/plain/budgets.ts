/** Limits what one answer of any kind may cost n8n; docs/scaling.md shows the most important figures. */

/** The beginning of an answer with a failing status, in bytes. The rest of it is not read. */
export const FAILURE_BYTES = 1_000_000;

/** A text, and JSON of any kind. */
export const JSON_BUDGET = {
	/** Maximum length in bytes, unpacked. */
	bytes: 32_000_000,
	/** Maximum number of objects, lists, texts, and names of fields. */
	values: 500_000,
};

/** Entries of a list in JSON of which each is checked. */
export const LIST_ENTRIES = 10_000;

/** The maximum length in bytes, unpacked, of what is passed on while it arrives; also of a file inside of JSON. */
export const STREAM_BYTES = {
	events: 128_000_000,
	image: 200_000_000,
	audio: 500_000_000,
	file: 500_000_000,
};

/** All files that one item stores together: one response may contain any number of links. */
export const ITEM_FILES_BYTES = 1_000_000_000;

export type StreamKind = keyof typeof STREAM_BYTES;

/** The time that an answer that is passed on while it arrives may take as a whole, in minutes, unless Options say otherwise. */
export const DEFAULT_TOTAL_MINUTES = 60;

/** Characters of an answer that nobody can use, but that was paid for; a failure keeps them. */
export const KEPT_ANSWER_LENGTH = 100_000;
