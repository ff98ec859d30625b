import { GAP } from './gaps';

/** Signs that are read like text unless a selector makes them pictures: arrows, and "i" for information. */
const PICTURE_BY_SELECTOR = '\\u2139\\u2194-\\u2199\\u21A9\\u21AA\\u3297\\u3299';
/** Signs that Unicode counts as emoji, but that belong to the text. */
const SIGNS = '0-9#*©®™‼⁉';
const EMOJI =
	`(?:(?![${SIGNS}${PICTURE_BY_SELECTOR}])\\p{Emoji}|[${PICTURE_BY_SELECTOR}]\\uFE0F` +
	'|(?=[\\u{1F000}-\\u{1FAFF}])\\p{Extended_Pictographic}|[#*]\\uFE0F?\\u20E3)';
/** Emoji side by side, with the joiners, selectors, and tags that belong to them, and to nothing else. */
const EMOJI_RUN = `${EMOJI}(?:${EMOJI}|\\u200D|\\uFE0E|\\uFE0F|\\u20E3|[\\u{E0020}-\\u{E007F}])*`;

const ANY_EMOJI = new RegExp(EMOJI_RUN, 'gu');
/** Texts for screens often have emoji as the bullets of a list. */
const EMOJI_BULLET = new RegExp(`^([ \\t>]*)${EMOJI_RUN}(?:[ \\t]*${EMOJI_RUN})*`, 'gmu');
const NUMBER_BULLET = /^([ \t>]*)((?:\d\uFE0F?\u20E3)+)[ \t]*/gmu;
const KEYCAP = /(\d)\uFE0F?\u20E3/gu;
const SELECTOR_OF_SIGN = new RegExp(`([${SIGNS}])\\uFE0F`, 'gu');

/**
 * A text without emoji. Those at the beginning of a line become Markdown bullets. Digits in keycaps stay, and so do
 * ©, ®, ™, and arrows.
 */
export function withoutEmoji(text: string): string {
	return text
		.replaceAll('🔟', '10')
		.replace(NUMBER_BULLET, (_, indent: string, digits: string) => `${indent}${digits.replace(/\D/g, '')}. `)
		.replace(KEYCAP, '$1')
		.replace(EMOJI_BULLET, '$1- ')
		.replace(ANY_EMOJI, GAP)
		.replace(SELECTOR_OF_SIGN, '$1');
}
