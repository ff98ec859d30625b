import { decodeEscapes } from './escapes';

/** A shorter key is a placeholder ("test", "none") that any answer may contain by chance. */
const MIN_KEY_LENGTH = 8;
/** Enough of the beginning of a key to count as the key: a text may have been cut off within it. */
const LEAST_PART = { from: 12, to: 16 };

/** A spelling of a key, in lower case and without escapes. */
export interface Spelling {
	text: string;
	/** The beginning of it that suffices. */
	beginning: string;
}

/** Every spelling of a key that is more than escapes of single characters; none for a placeholder. */
export function spellingsOf(secret: string): Spelling[] {
	const key = secret.trim();
	if (key.length < MIN_KEY_LENGTH) return [];
	const bytes = Buffer.from(key);
	const decoded = decodeEscapes(key)?.text ?? key;
	const least = Math.min(LEAST_PART.to, Math.max(LEAST_PART.from, Math.ceil(key.length / 2)));
	const spellings = [0, 1, 2].flatMap((offset) => {
		const base64 = base64Of(bytes, offset);
		const beginning = Math.ceil((least * 4) / 3);
		return [
			spelling(base64, beginning),
			spelling(base64.replaceAll('+', '-').replaceAll('/', '_'), beginning),
		];
	});
	spellings.push(
		spelling(key, least),
		// A URL spells the bytes of UTF-8.
		spelling(bytes.toString('latin1'), least),
		spelling(bytes.toString('hex'), 2 * least),
		// UTF-16 as single bytes, as in the tags of audio files.
		spelling([...key].join('\0'), 2 * least - 1),
	);
	if (decoded.length >= MIN_KEY_LENGTH) spellings.push(spelling(decoded, least));
	return [...new Map(spellings.map((one) => [one.text, one])).values()];
}

/**
 * The Base64 characters that depend on nothing but the key, when it follows `offset` bytes of other text.
 *
 * @param offset 0 to 2, because three bytes are four characters
 */
function base64Of(bytes: Buffer, offset: number): string {
	const base64 = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
	return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function spelling(text: string, beginning: number): Spelling {
	const lowered = toLowerCase(text);
	return { text: lowered, beginning: lowered.slice(0, beginning) };
}

/** A text in lower case whose characters stay where they are, which is not so for every letter of Unicode. */
export function toLowerCase(text: string): string {
	const lowered = text.toLowerCase();
	return lowered.length === text.length ? lowered : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
