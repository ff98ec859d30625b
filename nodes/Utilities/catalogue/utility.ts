import type { INodeProperties } from 'n8n-workflow';

/** The encoding of a response (interface, 4.13, rule 1). */
export type Encoding = 'json' | 'text' | 'markdown' | 'html' | 'image' | 'image-proxy';

/** A parameter with its name in the query, or in the path as `{name}`. A date is sent as YYYY-MM-DD. */
export interface UtilityParameter extends INodeProperties {
	/** Set if the field is not required, but is shown above Options. `telling` names the subject, such as a city. */
	upfront?: 'telling' | 'optional';
	/** Other names of the query parameter that gateways accept. */
	otherNames?: string[];
	/** True if every character counts. Otherwise, white space around the text is removed. */
	verbatim?: boolean;
	/** If set, the parameter is not sent. It names the entries of a list to keep, by one field, separated by commas. */
	keeps?: { list: string; field: string };
	/** The value to send for `true`, if the gateway takes any value for `true`. For `false`, nothing is sent. */
	sentAs?: string;
}

/**
 * A field of simplified output: the path of a value, whose last part is the field's name, or a name and the paths where
 * its value may be. `^` is the response around a list. A part of a path that is a list stands for all of its entries.
 */
export type OutputField = string | [name: string, ...paths: string[]];

/**
 * Selects the useful fields of the JSON of an endpoint: at most ten, flat, the requested data first, addresses last.
 * Their names are the gateway's, except `text`, `link` (interface, 4.13, rule 3), and an object replaced by its name.
 * Fields whose names end in `_at` become ISO times, next to their readable text.
 */
export interface UtilityOutput {
	/** Fields of an item for a whole response. By default, those that entries of the first list share, and the lists. */
	fields?: OutputField[];
	/** The lists that can be split out, with the fields of their entries. The first one is the main list. */
	lists?: Record<string, OutputField[]>;
	/** Fields whose lists of texts become lines; others are separated by commas. */
	lines?: string[];
	/** Fields whose values are numbers, although gateways send some of them as texts (observed). */
	numbers?: string[];
}

/** The address of a page. Services that do not follow the interface call it `url` (observed). */
export const LINK: OutputField = ['link', 'link', 'url'];

/** Returns the output of an endpoint whose data is a list. */
export function rows(...fields: OutputField[]): UtilityOutput {
	return { lists: { data: fields } };
}

/** Returns the name of an operation, in title case, for words of its action. */
export function titled(words: string): string {
	return words.replace(/(?<!\S)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Defines a parameter that takes a text. */
export function text(
	name: string,
	displayName: string,
	placeholder: string,
	description: string,
	more: Partial<UtilityParameter> = {},
): UtilityParameter {
	return { displayName, name, type: 'string', placeholder, default: '', description, ...more };
}

/** An endpoint (interface, 4.13), as the file of its group describes it. */
export interface UtilityEntry {
	/** Value of the operation in the editor; never changes because saved workflows contain it. */
	value: string;
	name: string;
	/** The action in the editor. By default, only actions that begin with "get many" split lists into items. */
	action: string;
	/** A well-known service of this kind, for whose name people search. */
	comparableTo?: string;
	description: string;
	/** Words that find the node in n8n's list of nodes, besides its name. */
	searchWords: string[];
	/** The path, with `{name}` in place of a parameter. */
	path: string;
	/** The default is the first; empty for an endpoint without `encoding`. If not set, {@link USUAL_ENCODINGS}. */
	encodings?: Encoding[];
	parameters?: UtilityParameter[];
	/** Advice on where to get data that the gateway does not have. */
	elsewhere?: string;
	/** The path of the day of the response, if it is about one day. */
	day?: string;
	/** The simplified JSON; undefined for an endpoint that returns only text. */
	output?: UtilityOutput;
}

export interface Utility extends UtilityEntry {
	group: string;
	encodings: Encoding[];
	parameters: UtilityParameter[];
	many: boolean;
}

export const USUAL_ENCODINGS: Encoding[] = ['json', 'text', 'markdown'];

/** The encodings of endpoints whose content is meant to be read. */
export const TEXT_FIRST: Encoding[] = ['text', 'json', 'markdown'];
