const WORD = /[\p{L}\p{N}\p{M}]/u;
const DIGIT = /\p{N}/u;
/** Letters of scripts that write spaces between words, and digits. */
const SPACED_WORD =
	/(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}])[\p{L}\p{N}\p{M}]/u;
/** Weibo writes #topic#, other networks write #topic; "#1" and "C#" are no topics. */
const TOPIC = /(?<![\p{L}\p{N}#])#([^\s#]{1,40})#/gu;
const HASHTAG = /(?<![\p{L}\p{N}#&])#+(?=\p{L})/gu;
const BACKSLASH_AT_END = /(?<!\\)\\+$/gm;
/** The backslash of an escape; of several ones, those before the last. */
const ESCAPES = /(?<!\\)\\+(?=[!-/:-@[-`{-~])/g;

/** A run of the same mark, and the characters at both sides of it. */
interface Run {
	marks: string;
	start: number;
	before: string;
	after: string;
}

/** The text of a paragraph without marks of emphasis, code, strikethrough, hashtags, and escapes. */
export function withoutInlineMarks(text: string): string {
	const unescaped = text.replace(BACKSLASH_AT_END, '').replace(ESCAPES, '');
	return withoutUnderscores(withoutAsterisks(unescaped))
		.replace(/~{2,}|`+/g, '')
		.replace(TOPIC, '$1')
		.replace(HASHTAG, '');
}

/** "snake_case" keeps its underscores. */
function withoutUnderscores(text: string): string {
	return text.replace(/_+/g, (marks, start: number) => (isInside(runAt(text, marks, start)) ? marks : ''));
}

/**
 * Asterisks stay as signs of multiplication, and inside a word if there is no second run that makes a pair. Unlike in
 * CommonMark, `**“bold”**的` is bold, and a run without a second one disappears as well: it is the rest of a pair, or
 * refers to a footnote.
 */
function withoutAsterisks(text: string): string {
	const paired = pairedRuns(text);
	return text.replace(/\*+/g, (marks, start: number) => {
		const run = runAt(text, marks, start);
		const isKept = !paired.has(start) && (isOperator(text, run) || isInWord(run));
		return isKept ? marks : '';
	});
}

/** Where runs of asterisks begin that open or close emphasis. */
function pairedRuns(text: string): Set<number> {
	const paired = new Set<number>();
	/** The last run that can open emphasis, by its length. */
	const opened = new Map<number, number>();
	for (const { 0: marks, index } of text.matchAll(/\*+/g)) {
		const run = runAt(text, marks, index);
		if (isPower(run) || isProduct(run)) continue;
		const opening = opened.get(marks.length);
		if (opening !== undefined && /\S/.test(run.before)) {
			paired.add(opening).add(index);
			opened.delete(marks.length);
		} else if (/\S/.test(run.after)) {
			opened.set(marks.length, index);
		}
	}
	return paired;
}

function runAt(text: string, marks: string, start: number): Run {
	return { marks, start, before: text.charAt(start - 1), after: text.charAt(start + marks.length) };
}

/** "2*3" and "2**3". */
function isPower({ before, after }: Run): boolean {
	return DIGIT.test(before) && DIGIT.test(after);
}

/** "a*b", unlike "这是*重点*内容". */
function isProduct(run: Run): boolean {
	return run.marks === '*' && isInside(run);
}

/** "a * b" and "5 *3". */
function isOperator(text: string, { marks, start, before, after }: Run): boolean {
	if (marks !== '*') return false;
	if (before === ' ' && after === ' ') return true;
	const left = before === ' ' ? text.charAt(start - 2) : before;
	const right = after === ' ' ? text.charAt(start + 2) : after;
	return DIGIT.test(left) && DIGIT.test(right);
}

function isInWord({ before, after }: Run): boolean {
	return WORD.test(before) && WORD.test(after);
}

function isInside({ before, after }: Run): boolean {
	return SPACED_WORD.test(before) && SPACED_WORD.test(after);
}
