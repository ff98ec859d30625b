/**
 * Matches how models mark what they think before they answer: tags, also those of Seed-OSS; the marks of Magistral and Kimi
 * (https://github.com/vllm-project/vllm/tree/main/vllm/reasoning), and the channels of gpt-oss
 * (https://cookbook.openai.com/articles/openai-harmony).
 */
const TAG = '(?:seed:)?(?:think|thinking|thoughts?|reasoning)';
const OPEN = `<${TAG}>|\\[THINK\\]|◁think▷|<\\|channel\\|>analysis<\\|message\\|>`;
const CLOSE = `</${TAG}>|\\[/THINK\\]|◁/think▷|(?:<\\|end\\|>)?(?:<\\|start\\|>assistant)?<\\|channel\\|>final<\\|message\\|>`;
/** In quotation marks, a mark is what a text is about. */
const MARK = '(?<!["\'`“])';

const OPENING = new RegExp(`${MARK}(?:${OPEN})`, 'i');
const LEADING = new RegExp(`^\\s*(?:${OPEN})`, 'i');
const CLOSING = new RegExp(`${MARK}(?:${CLOSE})`, 'gi');
/** Each ends before the next one begins. */
const PAIR = new RegExp(`${MARK}(?:${OPEN})(?:(?!${OPEN})[^])*?(?:${CLOSE})`, 'gi');

/** An answer that begins at once may be about tags. */
const ANSWER = /^\s*(?:[{"]|\[(?!\/?THINK\])|```)/i;

/** An answer without what the model thought before it; empty if it did not stop. Some omit the opening mark. */
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

/** A text without any thoughts, also those in the middle. @param gap what stands in their place */
export function withoutAnyThoughts(text: string, gap: string): string {
	return withoutThoughts(text).replace(PAIR, gap);
}
