import { detectMediaType } from '../shared/files/mediaTypes';
import { isImage } from '../shared/files/sentFiles';
import { fileOfText } from '../shared/answer/filesInJson';
import { asRecord } from '../shared/plain/values';
import type { UtilityContent } from './readUtility';

/** A picture that came inside of text or JSON. */
export interface Picture {
	bytes: Buffer;
	/** Media type; empty when only its bytes tell. */
	mimeType: string;
}

/** How deep in its JSON a gateway may hide a picture, and among how many values. */
const MAX_DEPTH = 6;
const MAX_VALUES = 1000;
/** Shorter texts are no pictures; the shortest GIF has 35 bytes. */
const SHORTEST_TEXT = 44;
/** A data URI anywhere in a text, such as Markdown. */
const EMBEDDED = /data:image\/[\w.+-]{1,60}(?:;[\w=-]{1,60}){0,3};base64,[A-Za-z0-9+/=_-]+/i;
/** A data URI without Base64, usually of a drawing. */
const WRITTEN = /^data:(image\/[\w.+-]{1,60})(?:;[\w=-]{1,60}){0,3},/i;

const DRAWING = /^(<\?xml[^<>]{0,200}>\s{0,100})?<svg[\s>]/i;

/** The picture in a response that is no file: as Base64 or as a data URI, alone, in a text, or in JSON; or a drawing. */
export function pictureIn(content: UtilityContent): Picture | undefined {
	for (const { text } of textsIn(content)) {
		const picture = pictureOf(text.trim());
		if (picture) return picture;
	}
	return undefined;
}

/** Addresses of pictures, the surest first, by the names of their fields (the daily digest also has a cover) or their endings. */
const ADDRESSES: Array<(named: NamedText) => string | undefined> = [
	({ name, text }) =>
		/^(image|img|picture|data|)(_?url)?$/i.test(name) ? WHOLE_ADDRESS.exec(text)?.[0] : undefined,
	({ name, text }) => (name === 'cover' ? WHOLE_ADDRESS.exec(text)?.[0] : undefined),
	// A code for an address has it as its text.
	({ name, text }) => (name === 'text' ? undefined : PICTURE_ADDRESS.exec(text)?.[0]),
];
const WHOLE_ADDRESS = /^https?:\/\/\S+$/i;
const PICTURE_ADDRESS =
	/https?:\/\/[^\s"'<>()]{1,2000}\.(png|jpe?g|gif|webp|avif|svg)\b(\?[^\s"'<>()]{1,2000})?/i;

/** The address of the picture that a response has in place of it: alone, in a text such as Markdown, or in JSON. */
export function pictureAddressIn(content: UtilityContent): string | undefined {
	const texts = textsIn(content);
	const found = ADDRESSES.map((addressIn) => texts.map(addressIn).find((address) => address !== undefined));
	return found.find((address) => address !== undefined);
}

/** A text of a response, and the name of its field; empty for none. */
interface NamedText {
	name: string;
	text: string;
}

/** The texts of a response, those near the surface of JSON first. */
function textsIn(content: UtilityContent): NamedText[] {
	if (content.kind === 'text') return [{ name: '', text: content.text.trim() }];
	if (content.kind !== 'json') return [];
	const texts: NamedText[] = [];
	let level: Array<[name: string, value: unknown]> = [['', content.body]];
	for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
		texts.push(...level.flatMap(([name, text]) => (typeof text === 'string' ? { name, text } : [])));
		level = level
			.flatMap(([name, value]) =>
				Array.isArray(value)
					? value.map((entry): [string, unknown] => [name, entry])
					: Object.entries(asRecord(value) ?? {}),
			)
			.slice(0, MAX_VALUES);
	}
	return texts;
}

function pictureOf(text: string): Picture | undefined {
	if (text.length < SHORTEST_TEXT) return undefined;
	if (DRAWING.test(text)) return { bytes: Buffer.from(text), mimeType: 'image/svg+xml' };
	const [start, type] = WRITTEN.exec(text) ?? [];
	if (start && type && !/;base64,$/i.test(start))
		return written(type.toLowerCase(), text.slice(start.length));
	const file = fileOfText(text) ?? fileOfText(EMBEDDED.exec(text)?.[0] ?? '');
	if (!file) return undefined;
	const detected = detectMediaType(file.bytes) ?? file.mimeType;
	return isImage(detected) ? { bytes: file.bytes, mimeType: file.mimeType } : undefined;
}

function written(mimeType: string, text: string): Picture | undefined {
	try {
		return { bytes: Buffer.from(decodeURIComponent(text)), mimeType };
	} catch {
		return undefined;
	}
}
