/** JSON that stands in a text. */
export interface EmbeddedJson {
	/** An object or an array. */
	value: unknown;
	/** As it was written. */
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

/** The JSON objects and arrays that stand in a text, outermost only. */
export function embeddedJson(text: string): EmbeddedJson[] {
	const found: EmbeddedJson[] = [];
	for (let start = 0; start < text.length; start++) {
		if (text[start] !== '{' && text[start] !== '[') continue;
		const end = closingPosition(text, start);
		// What never closes is prose or a fragment.
		if (end < 0) break;
		const candidate = text.slice(start, end + 1);
		try {
			found.push({ value: JSON.parse(candidate), text: candidate, start });
			start = end;
		} catch {
			// Brackets of prose.
		}
	}
	return found;
}
