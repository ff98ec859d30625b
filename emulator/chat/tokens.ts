import { isEastAsian } from '../text';

const weightOf = (character: string) => (isEastAsian(character) ? 1 : 0.25);

/** Estimates the tokens of a text: one per East Asian character, and one per four other characters. */
export function countTokens(text: string): number {
	let tokens = 0;
	for (const character of text) tokens += weightOf(character);
	return Math.ceil(tokens);
}

/** Returns the longest beginning of a text that has at most this many tokens. */
export function firstTokens(text: string, tokens: number): string {
	let used = 0;
	let end = 0;
	for (const character of text) {
		used += weightOf(character);
		if (used > tokens) break;
		end += character.length;
	}
	return text.slice(0, end);
}

/** Returns the deltas in which a text is streamed: words with their trailing space, or a few East Asian characters. */
export function deltasOf(text: string): string[] {
	return (
		text.match(
			/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,3}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
		) ?? []
	);
}
