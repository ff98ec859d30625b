import { columnsOfAscii } from './data/font';

/** Width and height of a character cell, in font pixels, spacing included. */
export const cell = { width: 6, height: 10 };

const firstCode = 0x20;
const asciiGlyphs = columnsOfAscii.split(' ').map((columns) => [...Buffer.from(columns, 'hex')]);

/**
 * Returns the columns of a character, with the lowest bit at the top. A character that the font lacks is drawn without
 * its accents, or as a frame around 3 x 5 dots for the low bits of its code point.
 */
export function glyphOf(character: string): number[] {
	const known = (text: string) => asciiGlyphs[text.charCodeAt(0) - firstCode];
	const base = character.normalize('NFD');
	return known(character) ?? known(base) ?? framedCode(character.codePointAt(0) ?? 0);
}

function framedCode(code: number): number[] {
	const inner = [0, 1, 2].map((column) => 0x41 | (((code >> (column * 5)) & 0x1f) << 1));
	return [0x7f, ...inner, 0x7f];
}

/**
 * Wraps a text, at spaces if possible.
 * @param maxLines number of lines after which the text is cut and ends with dots
 */
export function wrapText(text: string, charactersPerLine: number, maxLines: number): string[] {
	const lines: string[] = [];
	let line: string[] = [];
	for (const word of text
		.split(/\s+/)
		.filter(Boolean)
		.map((each) => [...each])) {
		if (line.length > 0 && line.length + 1 + word.length > charactersPerLine) {
			lines.push(line.join(''));
			line = [];
		}
		if (line.length > 0) line.push(' ');
		line.push(...word);
		while (line.length > charactersPerLine) lines.push(line.splice(0, charactersPerLine).join(''));
	}
	if (line.length > 0) lines.push(line.join(''));
	if (lines.length <= maxLines) return lines;
	const last = [...lines[maxLines - 1]].slice(0, Math.max(0, charactersPerLine - 3)).join('');
	return [...lines.slice(0, maxLines - 1), `${last}...`];
}
