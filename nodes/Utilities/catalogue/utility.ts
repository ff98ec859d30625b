/** The encoding of a response (interface, 4.13, rule 1). */
export type Encoding = 'json' | 'text' | 'markdown' | 'html' | 'image' | 'image-proxy';

interface ParameterBase {
	/** Name in the query, or in the path as `{name}`. */
	key: string;
	/** Name in the editor. */
	label: string;
	description: string;
	/** The gateway rejects requests without it. */
	required?: boolean;
	/** Shown above Options although the gateway does not require it. */
	upfront?: boolean;
	placeholder?: string;
}

/** One parameter of a utility endpoint. */
export type UtilityParameter = ParameterBase &
	/** White space around it is removed, unless each character counts. */
	(
		| { type: 'text'; default?: string; lines?: number; secret?: boolean; verbatim?: boolean }
		/** A whole number. */
		| { type: 'number'; default?: number; min: number; max?: number }
		/** Sent as YYYY-MM-DD. */
		| { type: 'date' }
		/** Without a default, the user has to choose. */
		| {
				type: 'list';
				default?: string;
				choices: Array<{ name: string; value: string; description?: string }>;
		  }
		/** Sent as `true` or `false`. Gateways do what is `usual` without it (observed). */
		| { type: 'switch'; usual: boolean }
		/** On if it is present at all, so it is sent only for true, as `value`. */
		| { type: 'presence'; value: string }
		/** Selected from a list of the gateway. */
		| {
				type: 'picker';
				search: 'searchLanguages' | 'searchMusicCharts';
				default: string;
				/** The list's name for the default. */
				defaultName?: string;
		  }
	);

/**
 * A field of simplified output: the path of a value, whose last part is the field's name, or a name and the paths where
 * its value may be. `^` is the response around a list. A part of a path that is a list stands for all of its entries.
 */
export type OutputField = string | [name: string, ...paths: string[]];

/**
 * What a user wants of the JSON of an endpoint: at most ten flat fields, what was asked for first, addresses last. The
 * names are the gateway's, except `text`, `link` (interface, 4.13, rule 3), and an object that its own name stands for
 * (`album` for `album.name`). Fields ending in `_at` become ISO times, and the readable text beside them is a field as well.
 */
export interface UtilityOutput {
	/** Fields of an item for the whole response. By default, those that all entries of the first list share, and the lists. */
	fields?: OutputField[];
	/** The lists that can be split out, with the fields of their entries. The first one is the main list. */
	lists?: Record<string, OutputField[]>;
	/** Fields whose lists of texts become lines; others are separated by commas. */
	lines?: string[];
	/** Fields whose values are numbers if all of them are; some gateways send them as texts (observed). */
	numbers?: string[];
}

/** The address of a page; services that do not follow the interface call it `url` (observed). */
export const LINK: OutputField = ['link', 'link', 'url'];

/** The output of an endpoint whose data is a list. */
export function rows(...fields: OutputField[]): UtilityOutput {
	return { lists: { data: fields } };
}

/** What the file of a group says about an endpoint (interface, 4.13). */
export interface UtilityEntry {
	/** Value of the operation in the editor; never changes because saved workflows contain it. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** Its name in Chinese, the language of most of these endpoints; also a search word. */
	chinese: string;
	/** Further words to find it by. */
	searchWords: string[];
	/** With `{key}` where a parameter is part of the path. */
	path: string;
	/** The default first; none for an endpoint without the parameter `encoding`. By default {@link USUAL_ENCODINGS}. */
	encodings?: Encoding[];
	parameters?: UtilityParameter[];
	/** Whether Split Out Lists is on in a new node. By default, if the response is a list and not much more. */
	many?: boolean;
	/** Its simplified JSON; undefined for an endpoint that returns only text. */
	output?: UtilityOutput;
}

/** An endpoint of the catalogue. */
export interface Utility extends UtilityEntry {
	/** The group that its name begins with in the editor. */
	group: string;
	encodings: Encoding[];
	parameters: UtilityParameter[];
	many: boolean;
}

/** The encodings of most endpoints. */
export const USUAL_ENCODINGS: Encoding[] = ['json', 'text', 'markdown'];
