/**
 * Matches the marks that models put around their thoughts: tags, including those of Seed-OSS; the marks of Magistral
 * and Kimi (https://github.com/vllm-project/vllm/tree/main/vllm/reasoning); and the channels of gpt-oss
 * (https://cookbook.openai.com/articles/openai-harmony).
 */
const TAG = '(?:seed:)?(?:think|thinking|thoughts?|reasoning)';
const OPEN = `<${TAG}>|\\[THINK\\]|◁think▷|<\\|channel\\|>analysis<\\|message\\|>`;
const CLOSE = `</${TAG}>|\\[/THINK\\]|◁/think▷|(?:<\\|end\\|>)?(?:<\\|start\\|>assistant)?<\\|channel\\|>final<\\|message\\|>`;
/** Excludes a mark in quotation marks, because the text talks about it. */
const MARK = '(?<!["\'`“])';

const OPENING = new RegExp(`${MARK}(?:${OPEN})`, 'i');
const LEADING = new RegExp(`^\\s*(?:${OPEN})`, 'i');
const CLOSING = new RegExp(`${MARK}(?:${CLOSE})`, 'gi');
/** Matches one whole thought, which ends before the next one begins. */
const PAIR = new RegExp(`${MARK}(?:${OPEN})(?:(?!${OPEN})[^])*?(?:${CLOSE})`, 'gi');

/** Matches the beginning of an answer without thoughts, which may talk about such tags. */
const ANSWER = /^\s*(?:[{"]|\[(?!\/?THINK\])|```)/i;

/** Removes the thoughts before an answer; empty if they never end. Some models omit the opening mark. */
export function withoutThoughts(text: string): string {
	const isMarked = LEADING.test(text);
	if (!isMarked && (ANSWER.test(text) || OPENING.test(text))) return text;
	let end = 0;
	for (const { index, 0: mark } of text.matchAll(CLOSING)) {
		end = index + mark.length;
		if (isMarked && !LEADING.test(text.slice(end))) return text.slice(end);
	}
	return isMarked ? '' : text.slice(end);
}

/** Removes all thoughts from a text, including those in the middle. @param gap replaces each of the latter */
export function withoutAnyThoughts(text: string, gap: string): string {
	return withoutThoughts(text).replace(PAIR, gap);
}
