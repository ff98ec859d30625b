import observed from './endpoints.json';

/** A type of a value, an object of shapes, or a list whose elements all have one shape; `[]` is any list. */
export type Shape = 'string' | 'number' | 'boolean' | 'nullable' | { [field: string]: Shape } | Shape[];

/** The encodings that some endpoint offers. */
export type Encoding = 'json' | 'text' | 'text-detail' | 'markdown' | 'html' | 'image' | 'image-proxy';

/** An endpoint of section 4.13 as a comparable service was seen to answer it. */
export interface ObservedEndpoint {
	/** Below `/v2/apis`. */
	path: string;
	/** Parameters that a successful call needs, or that make it answer with every field. */
	query: string;
	/** What it answers without `encoding`, and for one that it does not offer; `xml` is the feed. */
	fallback: 'json' | 'image' | 'xml';
	/** What it offers. */
	encodings: Encoding[];
	/** Shape of `data` in its JSON; `nullable` is a string or number that was null in what was seen. */
	shape?: Shape;
}

/** All 58 paths. */
export const endpoints = observed as ObservedEndpoint[];
