/** Marks the place of something that was taken out. Texts themselves cannot contain it, and Markdown takes it for a letter. */
export const GAP = '\uE000';

/** Stands for an asterisk between factors until {@link plainText}, because Markdown would take a pair of them for emphasis. */
const FACTOR = '\uE001';
/** "2*3", "5 *3", "2**10", "x**2", and "a*b"; but "Haus**tür**" is emphasis. */
const FACTORS =
	/(?<=\p{N} ?)\*(?= ?\p{N})|(?<=[a-z\d])\*\*(?=\d)|(?<=[\p{Script=Latin}\p{N}])\*(?=[\p{Script=Latin}\p{N}])/giu;

const CITATIONS =
	/\[(?:\^[^\s\]^]{1,50}|[1-9]\d{0,2}(?:\s?[,，、–-]\s?[1-9]\d{0,2})*)\](?!\()|【\d{1,3}(?::\d{1,3})?(?:†[^】\n]{0,200})?】/g;
/** CommonMark leaves these in Chinese texts, such as `**“Bold”**文字`, and where a pair is not complete. */
const EMPHASIS = /\*{2,}|~{2,}|`+|(?<! )\*|\*(?! )/g;
/** "snake_case" keeps its underscores. */
const UNDERSCORES = /(?<!_)_+/g;
const SPACED_WORD = /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}]/u;
/** Weibo writes #topic#, other networks write #topic; "#1" and "C#" are no topics. */
const TOPIC = /(?<![\p{L}\p{N}#])#([^\s#]{1,40})#/gu;
const HASHTAG = /(?<![\p{L}\p{N}#&])#+(?=\p{L})/gu;
const RULE = /^(?:[-*_~=+#─━—–═][ \t]*){3,}$/;

/** Protects what looks like emphasis but is a product. */
export function keepFactors(text: string): string {
	return text.replace(FACTORS, (marks) => FACTOR.repeat(marks.length));
}

/** Lines without citation numbers, hashtags, and what Markdown's own marks leave; they have no spaces at their edges. */
export function plainText(text: string): string {
	const plain = text
		.replace(CITATIONS, GAP)
		.replace(EMPHASIS, '')
		.replace(UNDERSCORES, (marks, at: number, whole: string) =>
			isInWord(whole, at, at + marks.length) ? marks : '',
		)
		.replaceAll(FACTOR, '*')
		.replace(TOPIC, '$1')
		.replace(HASHTAG, '');
	const lines = closeGaps(plain).split('\n');
	return lines
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter((line) => line !== '' && !RULE.test(line))
		.join('\n');
}

function isInWord(text: string, start: number, end: number): boolean {
	return SPACED_WORD.test(text.charAt(start - 1)) && SPACED_WORD.test(text.charAt(end));
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

/**
 * Closes the gaps that removals have left: no brackets without content, no two spaces, no space before a full stop, and
 * no two words in one.
 */
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
