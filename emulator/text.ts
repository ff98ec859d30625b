const eastAsianCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const eastAsianCharacters = new RegExp(eastAsianCharacter.source, 'gu');

/** Tells whether a character is Chinese, Japanese, or Korean. */
export function isEastAsian(character: string): boolean {
	return eastAsianCharacter.test(character);
}

/** Tells whether a text is mostly Chinese, Japanese, or Korean. */
export function isMostlyEastAsian(text: string): boolean {
	const eastAsian = text.match(eastAsianCharacters)?.length ?? 0;
	const others = text.match(/\p{Letter}/gu)?.length ?? 0;
	// A word has about five letters in an alphabet, and about two characters in Chinese.
	return eastAsian * 2.5 > others - eastAsian;
}

/** Returns the beginning of a text, on one line. */
export function excerpt(text: string, maxLength: number): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const characters = [...line];
	return characters.length <= maxLength ? line : `${characters.slice(0, maxLength).join('').trimEnd()}…`;
}
