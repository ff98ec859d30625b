/** How models mark what they think before they answer. */
const OPENING = /<(?:think|thinking|thought|reasoning)>/i;
const LEADING = /^\s*<(?:think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/gi;

/** An answer that begins at once may be about tags. */
const ANSWER = /^\s*(?:[{["]|```)/;

/**
 * An answer without what the model thought before it, which may contain drafts of the answer. Some models' templates leave
 * out the opening tag.
 *
 * @returns an empty text if the model did not stop thinking
 */
export function withoutThinking(text: string): string {
	if (ANSWER.test(text)) return text;
	const isMarked = LEADING.test(text);
	if (!isMarked && OPENING.test(text)) return text;
	let end = 0;
	for (const { index, 0: tag } of text.matchAll(CLOSING)) {
		end = index + tag.length;
		if (isMarked && !LEADING.test(text.slice(end))) return text.slice(end);
	}
	return isMarked ? '' : text.slice(end);
}
