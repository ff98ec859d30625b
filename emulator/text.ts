const eastAsianCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const eastAsianCharacters = new RegExp(eastAsianCharacter.source, 'gu');

/** Whether a character is Chinese, Japanese or Korean. */
export function isEastAsian(character: string): boolean {
	return eastAsianCharacter.test(character);
}

/** Whether a text is mostly Chinese, Japanese or Korean. */
export function isMostlyEastAsian(text: string): boolean {
	const eastAsian = text.match(eastAsianCharacters)?.length ?? 0;
	const others = text.match(/\p{Letter}/gu)?.length ?? 0;
	// An alphabetic word has about five letters, a Chinese word about two characters.
	return eastAsian * 2.5 > others - eastAsian;
}

/** The beginning of a text, on one line. */
export function excerpt(text: string, maxLength: number): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const characters = [...line];
	return characters.length <= maxLength ? line : `${characters.slice(0, maxLength).join('').trimEnd()}…`;
}
