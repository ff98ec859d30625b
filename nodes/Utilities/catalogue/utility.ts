/** How an answer may be encoded (interface, 4.13, rule 1). */
export type Encoding = 'json' | 'text' | 'markdown' | 'html' | 'image' | 'image-proxy';

interface ParameterBase {
	/** Name in the query, or in the path as `{name}`. */
	key: string;
	label: string;
	description: string;
	/** The gateway takes no request without it. */
	required?: boolean;
	/** Shown above Options although the gateway can do without it. */
	upfront?: boolean;
	placeholder?: string;
}

/** One value of a list. */
export interface Choice {
	name: string;
	value: string;
	description?: string;
}

/** One parameter of a utility endpoint. */
export type UtilityParameter = ParameterBase &
	(
		| { type: 'text'; default?: string; lines?: number; secret?: boolean }
		/** A whole number. */
		| { type: 'number'; default?: number; min: number; max?: number }
		/** Sent as YYYY-MM-DD. */
		| { type: 'date' }
		| { type: 'list'; default: string; choices: Choice[] }
		/** Sent as `true` or `false`. */
		| { type: 'switch' }
		/** Counts as set by its mere presence, so false is left out. `value` is what true sends. */
		| { type: 'presence'; value: string }
		/** Picked from a list of the gateway. */
		| {
				type: 'picker';
				search: 'searchLanguages' | 'searchMusicCharts';
				default: string;
				/** What the list calls the default. */
				defaultName?: string;
		  }
	);

/** One utility endpoint (interface, 4.13). */
export interface Utility {
	/** Value of the operation in the editor; stays for ever. */
	value: string;
	/** Value of the resource that it belongs to. */
	group: string;
	name: string;
	action: string;
	description: string;
	/** What it is called in Chinese, where most of these endpoints come from; also a search word. */
	chinese: string;
	/** Words under which somebody may look for it, beside its name. */
	searchWords: string[];
	/** With `{key}` where a parameter goes into the path. */
	path: string;
	/** Empty for an endpoint that takes no `encoding`. */
	encodings: Encoding[];
	/** Default `json`. */
	defaultEncoding?: Encoding;
	parameters: UtilityParameter[];
	/** Its answer is a list by nature: Split Out Lists is on unless switched off. */
	many?: boolean;
	/** Answers with text, whatever is asked for: nothing to split out, and no envelope. */
	textOnly?: boolean;
	/** Which list of its JSON it is about, where the longest one is not. */
	list?: string;
}

/** What most endpoints offer. */
export const USUAL_ENCODINGS: Encoding[] = ['json', 'text', 'markdown'];

/** Endpoints whose only parameter is `encoding` (interface, 4.13, last paragraph). */
export function encodingOnly(
	group: string,
	entries: Array<Omit<Utility, 'group' | 'encodings' | 'parameters'>>,
): Utility[] {
	return entries.map((entry) => ({ ...entry, group, encodings: USUAL_ENCODINGS, parameters: [] }));
}
