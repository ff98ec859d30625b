import { type AudioTags, type Chapter, filledTexts, milliseconds, tagText } from './audioTags';

const VENDOR = 'n8n-nodes-unified-ai-gateway';
const FRONT_COVER = 3;

/** The comment packet of an Opus file (RFC 7845, 5.2), with chapters and a cover as players read them. */
export function opusTags(tags: AudioTags | undefined): Buffer {
	const comments = tags ? commentsOf(tags) : [];
	const count = Buffer.alloc(4);
	count.writeUInt32LE(comments.length);
	return Buffer.concat([
		Buffer.from('OpusTags', 'latin1'),
		withLength(Buffer.from(VENDOR)),
		count,
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
	return [`${name}=${timeOf(startSeconds)}`, `${name}NAME=${tagText(title)}`];
}

/** 01:02:03.456 */
function timeOf(seconds: number): string {
	const total = milliseconds(seconds);
	const two = (value: number) => String(value).padStart(2, '0');
	const hours = Math.floor(total / 3_600_000);
	const minutes = Math.floor(total / 60_000) % 60;
	const rest = total % 60_000;
	return `${two(hours)}:${two(minutes)}:${two(Math.floor(rest / 1000))}.${String(rest % 1000).padStart(3, '0')}`;
}

/** A picture as in FLAC (RFC 9639, 8.8). Width, height, and colors may be zero. */
function pictureBlock({ bytes, mimeType }: NonNullable<AudioTags['cover']>): Buffer {
	const type = Buffer.alloc(4);
	type.writeUInt32BE(FRONT_COVER);
	const withLengthBefore = (content: Buffer) => {
		const length = Buffer.alloc(4);
		length.writeUInt32BE(content.length);
		return Buffer.concat([length, content]);
	};
	const description = Buffer.alloc(0);
	const size = Buffer.alloc(16);
	return Buffer.concat([
		type,
		withLengthBefore(Buffer.from(mimeType, 'latin1')),
		withLengthBefore(description),
		size,
		withLengthBefore(bytes),
	]);
}

function withLength(content: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32LE(content.length);
	return Buffer.concat([length, content]);
}
