/**
 * Marks the place of something that was taken out, until {@link closeGaps}. Texts themselves cannot contain it, and
 * Markdown takes it for a letter.
 */
export const GAP = '\uE000';

/** A pair of brackets with nothing but gaps and separators in it. */
const BRACKETS = /[(（[【“‘「『《]([\s\uE000,;，、；]+)[)）\]】”’」』》]/g;
/** The lookbehind lets a run of spaces match only from its beginning, which keeps hostile texts fast. */
const GAPS = /(?<![ \t\uE000])[ \t]*\uE000[ \t\uE000]*/g;
const OPENING = /[\n([{（［【「『《〈“‘¿¡]/;
const CLOSING = /[\n.,;:!?…)\]}。，、；：！？）］】」』》〉”’؟،؛۔।]/;
const WORD = /[\p{L}\p{N}]/u;
const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}，。！？；：、]/u;

/**
 * Closes the gaps that removals have left: no brackets without content, no two spaces, no space before a full stop, and
 * no two words in one.
 */
export function closeGaps(text: string): string {
	const withoutBrackets = text.replace(BRACKETS, (brackets, content: string) =>
		content.includes(GAP) ? GAP : brackets,
	);
	return withoutBrackets.replace(GAPS, (gap, offset: number) => {
		const before = withoutBrackets.charAt(offset - 1);
		const after = withoutBrackets.charAt(offset + gap.length);
		if (before === '' || OPENING.test(before) || after === '' || CLOSING.test(after)) return '';
		if (/[ \t]/.test(gap)) return ' ';
		return WORD.test(after) && !WITHOUT_SPACES.test(after) && !WITHOUT_SPACES.test(before) ? ' ' : '';
	});
}
