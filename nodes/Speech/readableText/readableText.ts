import { plainParagraphs } from './blocks';
import { withoutCode } from './codeBlocks';
import { decodeEntities } from './entities';
import { withoutEmoji } from './emoji';
import { readFormulas } from './formulas';
import { closeGaps } from './gaps';
import { htmlToMarkdown } from './html';
import { withoutLinks } from './links';
import { normalizeCharacters } from './normalizeCharacters';
import { withoutUrls } from './urls';

/** What happens to a text, in this order: each step relies on those before it. */
const STEPS: Array<(text: string) => string> = [
	normalizeCharacters,
	withoutCode,
	htmlToMarkdown,
	decodeEntities,
	readFormulas,
	withoutLinks,
	withoutUrls,
	withoutEmoji,
	closeGaps,
	plainParagraphs,
];

/** Ordinary texts need two rounds, and feeds with HTML inside HTML three. */
const MAX_ROUNDS = 8;

/** Everything that marks are made of, except for what also stands in numbers and between words. */
const MARKS = /[\\`*_~[\]()<>|#&;$!=+【】@/]/g;

/**
 * A text without what must not be read aloud, in linear time. It accepts any text and never throws.
 *
 * Left out: front matter, code blocks, images, addresses of links, URLs, HTML tags and comments (`script`, `style` and
 * `think` with their content), emoji, numbers of citations and footnotes, and all marks of CommonMark and GitHub's
 * Markdown. Headings, list items, and the rows of tables end with a full stop in their script, so that the voice pauses.
 * Everything else stays: words, numbers, units, and signs.
 *
 * @returns the text in paragraphs with a blank line between them; empty if it has no letter and no digit. The result is
 *   ready: making it readable again does not change it.
 */
export function readableText(text: string): string {
	const once = settled(text);
	// Only a text that hides marks in marks in marks changes in every round; it has to do without any.
	const readable = once.isSettled ? once.text : settled(once.text.replace(MARKS, ' ')).text;
	return /[\p{L}\p{N}]/u.test(readable) ? readable : '';
}

/** Repeats the steps, because what is left may be a mark again: `\*a\*`, or HTML in the entities of a feed. */
function settled(text: string): { text: string; isSettled: boolean } {
	let current = text;
	for (let round = 0; round < MAX_ROUNDS; round += 1) {
		const next = STEPS.reduce((before, step) => step(before), current);
		if (next === current) return { text: next, isSettled: true };
		current = next;
	}
	return { text: current, isSettled: false };
}
