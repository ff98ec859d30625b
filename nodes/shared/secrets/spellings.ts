import { decodeEscapes } from './escapes';

/** A shorter key is a placeholder ("test", "none") that any answer may contain by chance. */
const MIN_KEY_LENGTH = 8;
/** Enough of the beginning of a key to count as the key: a text may have been cut off within it. */
const LEAST_PART = { from: 12, to: 16 };
/** Enough of the end of a key to count as the key. */
const LEAST_END = 20;
/** What all keys of a gateway begin with (`sk-`), which some gateways leave out. */
const PREFIX = /^[^-_]{0,7}[-_]/;

/** A spelling of a key, in lower case and without escapes. */
export interface Spelling {
	text: string;
	/** The beginning of it that suffices. */
	beginning: string;
}

/** Every spelling of a key that is more than escapes of single characters. */
export interface Spellings {
	plain: Spelling[];
	/** In Base64 or hexadecimal digits: only the letters and digits, because anything may stand between groups of them. */
	encoded: Spelling[];
}

/**
 * The spellings of several keys; none for a placeholder.
 *
 * @param isWithParts whether a key also counts without its prefix, or if there is only its end
 */
export function spellingsOf(secrets: string[], isWithParts: boolean): Spellings {
	const keys = secrets.map((secret) => secret.trim()).filter(({ length }) => length >= MIN_KEY_LENGTH);
	const whole = keys.map((key) => ({ text: key, least: leastOf(key) }));
	const parts = isWithParts ? [...whole, ...keys.flatMap(withoutPrefix)] : whole;
	return {
		plain: distinct([
			...(isWithParts ? keys.flatMap(endOf) : []),
			...keys.flatMap(withoutEscapes),
			...parts.flatMap(plainSpellings),
		]),
		encoded: distinct([...parts.flatMap(encodedSpellings), ...keys.flatMap(twiceEncoded)]),
	};
}

/** What has to be hidden of a key, and how many characters of its beginning suffice. */
interface Part {
	text: string;
	least: number;
}

function withoutPrefix(key: string): Part[] {
	const rest = key.replace(PREFIX, '');
	return rest === key || rest.length < LEAST_PART.to ? [] : [{ text: rest, least: LEAST_PART.to }];
}

/** All of it counts, or nothing. */
function endOf(key: string): Spelling[] {
	return key.length > LEAST_END ? [spelling(key.slice(-LEAST_END), LEAST_END)] : [];
}

function leastOf(key: string): number {
	return Math.min(LEAST_PART.to, Math.max(LEAST_PART.from, Math.ceil(key.length / 2)));
}

function plainSpellings({ text, least }: Part): Spelling[] {
	return [
		spelling(text, least),
		// A URL spells the bytes of UTF-8.
		spelling(Buffer.from(text).toString('latin1'), least),
		// UTF-16 as single bytes, as in the tags of audio files.
		spelling([...text].join('\0'), 2 * least - 1),
	];
}

/** A key that itself looks like an escaped text. */
function withoutEscapes(key: string): Spelling[] {
	const decoded = decodeEscapes(key)?.text ?? key;
	return decoded.length >= MIN_KEY_LENGTH ? [spelling(decoded, leastOf(key))] : [];
}

function encodedSpellings({ text, least }: Part): Spelling[] {
	return [
		...base64Of(text).map((base64) => groups(base64, inBase64(least))),
		groups(Buffer.from(text).toString('hex'), 2 * least),
	];
}

/** In Base64 of Base64. Without its prefix, the key is found whether or not the prefix is there. */
function twiceEncoded(key: string): Spelling[] {
	const [{ text, least: letters }] = [...withoutPrefix(key), { text: key, least: leastOf(key) }];
	const least = inBase64(inBase64(letters));
	return base64Of(text)
		.flatMap((base64) => [base64, base64.replaceAll('+', '-').replaceAll('/', '_')])
		.flatMap((base64) => base64Of(base64).map((twice) => groups(twice, least)));
}

/**
 * The Base64 characters that depend on nothing but the text, when it follows other text: at each of the three offsets,
 * because three bytes are four characters.
 */
function base64Of(text: string): string[] {
	const bytes = Buffer.from(text);
	return [0, 1, 2].map((offset) => {
		const base64 = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
	});
}

function inBase64(length: number): number {
	return Math.ceil((length * 4) / 3);
}

function spelling(text: string, beginning: number): Spelling {
	const lowered = toLowerCase(text);
	return { text: lowered, beginning: lowered.slice(0, beginning) };
}

/** Without the symbols, Base64 for URLs is the same as any other. */
function groups(encoded: string, beginning: number): Spelling {
	return { text: ungrouped(encoded), beginning: ungrouped(encoded.slice(0, beginning)) };
}

function ungrouped(encoded: string): string {
	return encoded.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function distinct(spellings: Spelling[]): Spelling[] {
	return [...new Map(spellings.map((one) => [one.text, one])).values()];
}

/** A text in lower case whose characters stay where they are, which is not so for every letter of Unicode. */
export function toLowerCase(text: string): string {
	const lowered = text.toLowerCase();
	return lowered.length === text.length ? lowered : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
