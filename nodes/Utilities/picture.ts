import { detectMediaType } from '../shared/files/mediaTypes';
import { isImage } from '../shared/files/sentFiles';
import { fileOfText } from '../shared/http/filesInJson';
import { asRecord } from '../shared/values';
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
	const texts =
		content.kind === 'text' ? [content.text] : content.kind === 'json' ? textsIn(content.body) : [];
	for (const text of texts) {
		const picture = pictureOf(text.trim());
		if (picture) return picture;
	}
	return undefined;
}

/** The texts of a JSON value, those near its surface first. */
function textsIn(body: unknown): string[] {
	const texts: string[] = [];
	let level: unknown[] = [body];
	for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
		texts.push(...level.filter((value) => typeof value === 'string'));
		level = level
			.flatMap((value) =>
				Array.isArray(value) ? (value as unknown[]) : Object.values(asRecord(value) ?? {}),
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
