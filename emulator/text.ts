const eastAsianCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const eastAsianCharacters = new RegExp(eastAsianCharacter.source, 'gu');

/** Whether a character belongs to a script without spaces between words, or to Korean. */
export function isEastAsian(character: string): boolean {
	return eastAsianCharacter.test(character);
}

/** Whether a text is rather Chinese, Japanese or Korean than written in an alphabet. */
export function isMostlyEastAsian(text: string): boolean {
	const eastAsian = text.match(eastAsianCharacters)?.length ?? 0;
	const others = text.match(/\p{Letter}/gu)?.length ?? 0;
	// A word of an alphabet has some five letters, a Chinese word two characters.
	return eastAsian * 2.5 > others - eastAsian;
}

/** The beginning of a text as a quotation on one line. */
export function excerpt(text: string, longest: number): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const characters = [...line];
	return characters.length <= longest ? line : `${characters.slice(0, longest).join('').trimEnd()}…`;
}
