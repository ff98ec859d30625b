import { clockTime } from '../times';
import { type AudioTags, bigEndian, type Chapter, filledTexts, littleEndian, tagText } from './audioTags';

const VENDOR = 'n8n-nodes-unified-ai-gateway';
const FRONT_COVER = 3;

/** The comment packet of an Opus file (RFC 7845, 5.2), with chapters and a cover as players read them. */
export function opusTags(tags: AudioTags | undefined): Buffer {
	const comments = tags ? commentsOf(tags) : [];
	return Buffer.concat([
		Buffer.from('OpusTags', 'latin1'),
		withLength(Buffer.from(VENDOR)),
		littleEndian(comments.length),
		...comments.map((comment) => withLength(Buffer.from(comment))),
	]);
}

function commentsOf(tags: AudioTags): string[] {
	const { title, artist, album, date, language, cover, chapters } = tags;
	const texts = { TITLE: title, ARTIST: artist, ALBUM: album, DATE: date, LANGUAGE: language };
	return [
		...filledTexts(texts).map(([name, text]) => `${name}=${text}`),
		...chapters.flatMap(chapterComments),
		...(cover ? [`METADATA_BLOCK_PICTURE=${pictureBlock(cover).toString('base64')}`] : []),
	];
}

/** https://wiki.xiph.org/Chapter_Extension */
function chapterComments({ title, startSeconds }: Chapter, index: number): string[] {
	const name = `CHAPTER${String(index + 1).padStart(3, '0')}`;
	return [`${name}=${clockTime(startSeconds)}`, `${name}NAME=${tagText(title)}`];
}

/** A picture as in FLAC (RFC 9639, 8.8). */
function pictureBlock({ bytes, mimeType }: NonNullable<AudioTags['cover']>): Buffer {
	const head = [bigEndian(FRONT_COVER, mimeType.length), Buffer.from(mimeType, 'latin1')];
	// There is no description; width, height, and colors may be zero.
	return Buffer.concat([...head, bigEndian(0, 0, 0, 0, 0, bytes.length), bytes]);
}

function withLength(content: Buffer): Buffer {
	return Buffer.concat([littleEndian(content.length), content]);
}
