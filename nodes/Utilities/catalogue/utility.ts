import type { INodeProperties } from 'n8n-workflow';

/** The encoding of a response (interface, 4.13, rule 1). */
export type Encoding = 'json' | 'text' | 'markdown' | 'html' | 'image' | 'image-proxy';

/** A parameter with its name in the query, or in the path as `{name}`. A date is sent as YYYY-MM-DD. */
export interface UtilityParameter extends INodeProperties {
	/** Shown above Options although not required. A telling one says what the answer is about, such as a city. */
	upfront?: 'telling' | 'optional';
	/** Further names of the query parameter, under which gateways take the same. */
	otherNames?: string[];
	/** True if each character of a text counts. White space around any other text is removed. */
	verbatim?: boolean;
	/** Instead of being sent, it names the entries to keep of a list, by one of their fields, separated by commas. */
	keeps?: { list: string; field: string };
	/** The value that is sent for a boolean that is on if it is present at all; otherwise it is not sent. */
	sentAs?: string;
}

/**
 * A field of simplified output: the path of a value, whose last part is the field's name, or a name and the paths where
 * its value may be. `^` is the response around a list. A part of a path that is a list stands for all of its entries.
 */
export type OutputField = string | [name: string, ...paths: string[]];

/**
 * Selects what a user wants of the JSON of an endpoint: at most ten flat fields, what was asked for first, addresses last. The
 * names are the gateway's, except `text`, `link` (interface, 4.13, rule 3), and an object that stands for its name.
 * Fields ending in `_at` become ISO times, beside their readable text.
 */
export interface UtilityOutput {
	/** Fields of an item for the whole response. By default, those that all entries of the first list share, and the lists. */
	fields?: OutputField[];
	/** The lists that can be split out, with the fields of their entries. The first one is the main list. */
	lists?: Record<string, OutputField[]>;
	/** Fields whose lists of texts become lines; others are separated by commas. */
	lines?: string[];
	/** Fields whose values are numbers, although gateways send some of them as texts (observed). */
	numbers?: string[];
}

/** The address of a page; services that do not follow the interface call it `url` (observed). */
export const LINK: OutputField = ['link', 'link', 'url'];

/** The output of an endpoint whose data is a list. */
export function rows(...fields: OutputField[]): UtilityOutput {
	return { lists: { data: fields } };
}

/** The name of an operation, in title case, from how its action says it. */
export function titled(words: string): string {
	return words.replace(/(?<!\S)[a-z]/g, (letter) => letter.toUpperCase());
}

/** A parameter that takes a text. */
export function text(
	name: string,
	displayName: string,
	placeholder: string,
	description: string,
	more: Partial<UtilityParameter> = {},
): UtilityParameter {
	return { displayName, name, type: 'string', placeholder, default: '', description, ...more };
}

/** Describes an endpoint, as the file of a group does (interface, 4.13). */
export interface UtilityEntry {
	/** Value of the operation in the editor; never changes because saved workflows contain it. */
	value: string;
	name: string;
	/** Says what it does. Only "get many" makes items of the entries of a list in a new node. */
	action: string;
	/** A service of this kind that people know, by whose name they look for it. */
	comparableTo?: string;
	description: string;
	/** Words that find the node in n8n's list of nodes, besides its name. */
	searchWords: string[];
	/** With `{name}` where a parameter is part of the path. */
	path: string;
	/** The default first; none for an endpoint without the parameter `encoding`. By default {@link USUAL_ENCODINGS}. */
	encodings?: Encoding[];
	parameters?: UtilityParameter[];
	/** Where else to get what the gateway does not know. */
	elsewhere?: string;
	/** The path of the day that the response is about, if it is about one. */
	day?: string;
	/** Its simplified JSON; undefined for an endpoint that returns only text. */
	output?: UtilityOutput;
}

export interface Utility extends UtilityEntry {
	group: string;
	encodings: Encoding[];
	parameters: UtilityParameter[];
	many: boolean;
}

export const USUAL_ENCODINGS: Encoding[] = ['json', 'text', 'markdown'];

/** The encodings of what is written to be read. */
export const TEXT_FIRST: Encoding[] = ['text', 'json', 'markdown'];
