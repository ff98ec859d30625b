/** Marks the place of something that was removed. Texts cannot contain it, and Markdown takes it for a letter. */
export const GAP = '\uE000';

const CITATIONS =
	/\[(?:\^[^\s\]^]{1,50}|[1-9]\d{0,2}(?:\s?[,，、–-]\s?[1-9]\d{0,2})*)\](?!\()|【\d{1,3}(?::\d{1,3})?(?:†[^】\n]{0,200})?】/g;
/** "2*3", "5 *3", "2**10", "x**2", and "a*b" are products; but "Haus**tür**" is emphasis. */
const PRODUCT =
	'(?<=\\p{N} ?)\\*(?= ?\\p{N})|(?<=[a-z\\d])\\*\\*(?=\\d)|(?<=[\\p{Script=Latin}\\p{N}])\\*(?=[\\p{Script=Latin}\\p{N}])';
const EMPHASIS = new RegExp(`(${PRODUCT})|\\*{2,}|~{2,}|\`+|(?<! )\\*|\\*(?! )`, 'giu');
const SPACED_WORD = '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])[\\p{L}\\p{N}]';
/** "snake_case" keeps its underscores. */
const UNDERSCORES = new RegExp(`(?<!_|${SPACED_WORD})_+|(?<!_)_+(?!_|${SPACED_WORD})`, 'gu');
/** Weibo writes #topic#, other networks write #topic; "#1" and "C#" are not topics. */
const TOPIC = /(?<![\p{L}\p{N}#])#([^\s#]{1,40})#/gu;
const HASHTAG = /(?<![\p{L}\p{N}#&])#+(?=\p{L})/gu;
const RULE = /^(?:[-*_~=+#─━—–═][ \t]*){3,}$/;

/** Removes citation numbers, hash signs, and marks of emphasis, and trims all lines. */
export function plainText(text: string): string {
	const plain = text
		.replace(CITATIONS, GAP)
		.replace(EMPHASIS, (_marks, product = '') => product as string)
		.replace(UNDERSCORES, '')
		.replace(TOPIC, '$1')
		.replace(HASHTAG, '');
	const lines = closeGaps(plain).split('\n');
	return lines
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter((line) => line !== '' && !RULE.test(line))
		.join('\n');
}

/** A pair of brackets with nothing but gaps and separators in it. */
const BRACKETS = /[(（[【“‘「『《]([\s\uE000,;，、；]+)[)）\]】”’」』》]/g;
/** The lookbehind lets a run of spaces match only from its beginning, which keeps hostile texts fast. */
const GAPS = /(?<![ \t\uE000])[ \t]*\uE000[ \t\uE000]*/g;
const OPENING = /[\n([{（［【「『《〈“‘¿¡]/;
const CLOSING = /[\n.,;:!?…)\]}。，、；：！？）］】」』》〉”’؟،؛۔।]/;
const WORD = /[\p{L}\p{N}]/u;
const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}，。！？；：、]/u;

/** Closes the gaps that removals leave: empty brackets, double spaces, and spaces before a full stop. */
function closeGaps(text: string): string {
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
