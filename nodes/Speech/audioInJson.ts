import { asRecord, textOr } from '../shared/plain/values';

/** Where the audio of a JSON response is. */
export type AudioPlace =
	/** In a file that was stored while the response arrived. */
	| { key: string }
	/** In the response, as Base64 or hexadecimal digits. */
	| { inline: string }
	| { link: string };

/** The names of audio, its address, or an object with either: of MiniMax, ElevenLabs, Google Cloud, and DashScope. */
const NAMES = ['audio', 'audio_base64', 'audioContent', 'url'];
const WRAPPERS = ['data', 'audio', 'output'];
const MAX_DEPTH = 3;

/**
 * Finds the audio in a JSON response, which the interface does not have (4.5), but other public APIs send.
 *
 * @param isKey whether a text is the key of a stored file
 * @returns undefined for none
 */
export function audioIn(body: unknown, isKey: (text: string) => boolean, depth = 0): AudioPlace | undefined {
	const fields = asRecord(body);
	if (!fields || depth > MAX_DEPTH) return undefined;
	const texts = [...NAMES, 'data'].map((name) => textOr(fields[name])).filter((text) => text !== '');
	const key = texts.find(isKey);
	if (key !== undefined) return { key };
	const link = texts.find((text) => /^https?:\/\//i.test(text));
	if (link !== undefined) return { link };
	for (const name of WRAPPERS) {
		const found = audioIn(fields[name], isKey, depth + 1);
		if (found) return found;
	}
	const [inline] = texts;
	return inline === undefined ? undefined : { inline };
}
