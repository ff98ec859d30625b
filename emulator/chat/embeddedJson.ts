/** JSON that a text contains. */
export interface EmbeddedJson {
	/** An object or an array. */
	value: unknown;
	/** The JSON as written. */
	text: string;
	/** Position where it begins. */
	start: number;
}

function closingPosition(text: string, start: number): number {
	let depth = 0;
	let inString = false;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (inString) {
			if (character === '\\') index += 1;
			else if (character === '"') inString = false;
		} else if (character === '"') inString = true;
		else if (character === '{' || character === '[') depth += 1;
		else if (character === '}' || character === ']') {
			depth -= 1;
			if (depth === 0) return index;
		}
	}
	return -1;
}

/** Returns the outermost JSON objects and arrays that a text contains. */
export function embeddedJson(text: string): EmbeddedJson[] {
	const found: EmbeddedJson[] = [];
	for (let start = 0; start < text.length; start++) {
		if (text[start] !== '{' && text[start] !== '[') continue;
		const end = closingPosition(text, start);
		// An unclosed bracket belongs to prose or a fragment.
		if (end < 0) break;
		const candidate = text.slice(start, end + 1);
		try {
			found.push({ value: JSON.parse(candidate), text: candidate, start });
			start = end;
		} catch {
			// These brackets belong to prose.
		}
	}
	return found;
}
