/** Limits of what one answer may cost n8n; docs/scaling.md shows the most important ones. */

/** The number of bytes that are read of an answer with a failing status. */
export const FAILURE_BYTES = 1_000_000;

/** The limits of a text, and of JSON of any kind. */
export const JSON_BUDGET = {
	/** The maximum length in bytes, after decompression. */
	bytes: 32_000_000,
	/** The maximum number of objects, lists, texts, and names of fields. */
	values: 500_000,
};

/** The maximum number of entries of a JSON list whose entries are checked one by one. */
export const LIST_ENTRIES = 10_000;

/** The maximum length, in decompressed bytes, of an answer that is passed on while it arrives, or of a file in JSON. */
export const STREAM_BYTES = {
	events: 128_000_000,
	image: 200_000_000,
	audio: 500_000_000,
	file: 500_000_000,
};

/** The maximum size, in bytes, of all files of an item together, because a response may contain any number of links. */
export const ITEM_FILES_BYTES = 1_000_000_000;

export type StreamKind = keyof typeof STREAM_BYTES;

/** The default limit, in minutes, for the whole of an answer that is passed on while it arrives. */
export const DEFAULT_TOTAL_MINUTES = 60;

/** The number of characters that a failure keeps of an answer that cannot be used but was paid for. */
export const KEPT_ANSWER_LENGTH = 100_000;
