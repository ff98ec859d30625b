import { withoutEnd } from '../../shared/plain/values';
import { withoutEmoji } from './emoji';
import { readFormulas } from './formulas';
import { GAP } from './gaps';
import { decodeEntities, htmlToMarkdown } from './html';
import { keepFactors } from './plainText';

const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;
/**
 * Characters without a sound that would come between marks: controls, byte order mark, soft hyphen, lone surrogates,
 * and characters for private use. Joiners, direction marks, and zero-width spaces stay, because words of several scripts
 * need them.
 */
const SILENT = /[^\P{Cc}\t\n]|[\u00AD\uFEFF\p{Cs}\p{Co}]/gu;

/**
 * An address with its scheme, or one that begins with "www.". Unlike in GitHub's Markdown it ends at the first character
 * outside ASCII, because Chinese text follows without a space; brackets belong to it in pairs.
 */
const URL_PATTERN =
	/<(?:https?|ftp):\/\/[^<>\n]*>|(?:(?:https?|ftp):\/\/|(?<![\w.@/-])www\.)(?:[\w.~:/?#@!$&'*+,;=%-]|\([\w.~:/?#@!$&'*+,;=%-]*\))+/gi;
/** Marks after an address that belong to the sentence, or to Markdown. */
const AFTER_URL = ".,;:!?'*_~&";

/** What people and models write for screens, and its Markdown. */
const MARKDOWN: Array<[RegExp, string]> = [
	[/mailto:(?=[\w.%+-]+@)/gi, ''],
	[/^([ \t>]*)[•‣⁃◦▪▫●○■□◆◇▶►➤➢·][ \t]*/gm, '$1- '],
	// Chinese numbers stay, in an item of a list.
	[
		/^([ \t>]*)(?=\d{1,3}(?:\.\p{Script=Han}|[、．）])|[（(]\d{1,3}[)）]|[（(]?[一二三四五六七八九十]{1,3}[、)）])/gmu,
		'$1- ',
	],
	// The text of a footnote.
	[/^([ \t>]*)\[\^[^\]\n]+\]:[ \t]*/gm, '$1- '],
	[/^(#{2,6})(?=[\p{L}\p{N}])/gmu, '$1 '],
	// A bold line above a paragraph is a heading.
	[/(?<=^|\n\n)\*\*([^*\n]+)\*\*([:：]?)[ \t]*(?=\n|$)/g, '### $1$2'],
];

/**
 * Any text as Markdown, without what is read nowhere: URLs and emoji. HTML and formulas become Markdown and plain
 * signs. E-mail addresses stay, because a voice can read them and a listener can write them down.
 */
export function markdownOf(text: string): string {
	const normal = decodeEntities(text)
		.replace(LINE_ENDS, '\n')
		.replace(SILENT, '')
		.replaceAll('\u00A0', ' ')
		.trim();
	const plain = readFormulas(htmlToMarkdown(normal)).replace(
		URL_PATTERN,
		(url) => GAP + url.slice(withoutEnd(url, AFTER_URL).length),
	);
	const markdown = MARKDOWN.reduce(
		(before, [pattern, mark]) => before.replace(pattern, mark),
		withoutEmoji(plain),
	);
	return keepFactors(markdown);
}
