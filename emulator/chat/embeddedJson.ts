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

/** The JSON objects and arrays that stand in a text, with the position where each begins. */
export function embeddedJson(text: string): Array<{ value: unknown; start: number }> {
	const found = [];
	for (let start = 0; start < text.length; start++) {
		if (text[start] !== '{' && text[start] !== '[') continue;
		const end = closingPosition(text, start);
		// Nothing closes here, so nothing that opens later can hold more than a fragment of it.
		if (end < 0) break;
		try {
			found.push({ value: JSON.parse(text.slice(start, end + 1)) as unknown, start });
			start = end;
		} catch {
			// Brackets of prose.
		}
	}
	return found;
}
