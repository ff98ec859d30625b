import { withoutEnd } from '../../shared/values';
import { GAP } from './gaps';

const AUTOLINK = /<[a-z][a-z\d+.-]{1,31}:\/\/[^\s<>]*>/gi;
const EMAIL_AUTOLINK = /<(?:mailto:)?([\w.%+-]+@[\w.-]+)>/gi;
const MAILTO = /mailto:(?=[\w.%+-]+@)/gi;
/**
 * An address with its scheme, or one that begins with "www.". It ends at the first character outside ASCII, because
 * Chinese text follows without a space; brackets belong to it in pairs.
 */
const URL_PATTERN =
	/(?:(?:https?|ftp):\/\/|(?<![\w.@/-])www\.)(?:[\w.~:/?#@!$&'*+,;=%[\]-]|\([\w.~:/?#@!$&'*+,;=%-]*\))+/gi;
/** Marks after an address that belong to the sentence, or to Markdown. */
const AFTER_URL = ".,;:!?'*_~[]&";

/** A text without URLs. E-mail addresses stay, because a voice can read them and a listener can write them down. */
export function withoutUrls(text: string): string {
	return text
		.replace(AUTOLINK, GAP)
		.replace(EMAIL_AUTOLINK, '$1')
		.replace(MAILTO, '')
		.replace(URL_PATTERN, (url) => GAP + url.slice(withoutEnd(url, AFTER_URL).length));
}
