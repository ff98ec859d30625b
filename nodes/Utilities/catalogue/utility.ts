/** How an answer may be encoded (interface, 4.13, rule 1). */
export type Encoding = 'json' | 'text' | 'markdown' | 'html' | 'image' | 'image-proxy';

interface ParameterBase {
	/** Name in the query, or in the path as `{name}`. */
	key: string;
	label: string;
	description: string;
	required?: boolean;
	placeholder?: string;
}

/** One parameter of a utility endpoint. */
export type UtilityParameter = ParameterBase &
	(
		| { type: 'text'; default?: string }
		| { type: 'number'; default?: number; min?: number; max?: number }
		| { type: 'date' }
		| { type: 'list'; default: string; choices: Array<{ name: string; value: string; description?: string }> }
		/** Counts as set by its mere presence, so false is left out. `value` is what true sends. */
		| { type: 'presence'; value: string }
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
	/** With `{key}` where a parameter goes into the path. */
	path: string;
	/** Empty for an endpoint that takes no `encoding`. */
	encodings: Encoding[];
	parameters: UtilityParameter[];
}
