/** Deeper values overflow the stack of what copies or saves items. */
const MAX_DEPTH = 500;

/**
 * Whether a JSON text holds arrays and objects in each other deeper than n8n can carry.
 *
 * @param text JSON
 */
export function isTooDeep(text: string): boolean {
	// Each level takes two brackets, so most answers are not looked at.
	if (text.length < 2 * MAX_DEPTH) return false;
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		switch (text[index]) {
			case '"':
				index = endOfString(text, index);
				break;
			case '[':
			case '{':
				depth += 1;
				if (depth > MAX_DEPTH) return true;
				break;
			case ']':
			case '}':
				depth -= 1;
		}
	}
	return false;
}

/** The index of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
	let end = text.indexOf('"', start + 1);
	while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
	return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
	let backslashes = 0;
	while (text[index - 1 - backslashes] === '\\') backslashes += 1;
	return backslashes % 2 === 1;
}
