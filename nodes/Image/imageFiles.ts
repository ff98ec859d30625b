import type { IBinaryData } from 'n8n-workflow';
import { detectMediaType, extensionOf, textInstead } from '../shared/files/mediaTypes';
import { fileNameFrom, firstWords, storeFile } from '../shared/files/storeFile';
import { answerFailure } from '../shared/failure/words';
import { type ByteStream, peek, streamFrom } from '../shared/answer/byteStream';
import { looksLikeWebPage } from '../shared/failure/errorBody';
import { type Answer, keptAnswer } from '../shared/answer/answerReaders';
import { mediaTypeOf } from '../shared/plain/headers';
import { fileOfText } from '../shared/plain/fileText';
import type { Call } from '../shared/run/call';
import type { ImageObject } from './readImages';

/** Saves the images of one item in n8n's binary store. */
export class ImageFiles {
	private readonly name: string;

	/** @param about the files are named after `fileName`, or after the prompt if it is empty */
	constructor(
		private readonly call: Call,
		about: { prompt: string; fileName: string },
	) {
		this.name = about.fileName.replace(/\.(png|jpe?g|webp|gif|avif)$/i, '') || firstWords(about.prompt);
	}

	/** Stores an image while it arrives. @param declared its media type, used if the first bytes do not show an image */
	async store(content: ByteStream, declared: string): Promise<IBinaryData> {
		const { firstBytes, body, broken } = await peek(content);
		if (firstBytes.length === 0) throw answerFailure('the file of the image is empty');
		const detected = detectMediaType(firstBytes);
		const svg = isSvg(firstBytes) ? 'image/svg+xml' : undefined;
		const contentType = svg ?? (detected?.startsWith('image/') ? detected : declared);
		// An SVG is a text as well.
		const text = svg ? undefined : textInstead(firstBytes, 'an image');
		if (text) throw broken ?? text;
		const file = await storeFile(this.call, body, contentType, { about: this.name, fallback: 'image' });
		return { ...file, ...pixelsOf(firstBytes) };
	}

	/** Returns the file of an image in a response. An image with only an address is downloaded, without credentials. */
	async fileOf(
		{ url, inline = '', sent }: ImageObject,
		downloads: boolean,
	): Promise<IBinaryData | undefined> {
		const content = fileOfText(inline);
		if (content) return await this.store(streamFrom([content.bytes]), content.mimeType);
		if (url === undefined) {
			throw answerFailure('it contains neither the address nor the content of an image', keptAnswer(sent));
		}
		if (!downloads) return undefined;
		const { call } = this;
		const store = async (answer: Answer) => ({ file: await this.store(answer.body, mediaTypeOf(answer)) });
		const limits = { ...call.requestOptions, kind: 'image' } as const;
		const download = async () => await call.client.download(url, store, limits);
		return (await call.keepFile([url], download)).file;
	}

	/** Names the file of an image; one of an earlier try may have another name. */
	named(file: IBinaryData, index: number): IBinaryData {
		const about = index === 0 ? this.name : `${this.name.slice(0, 70)} ${index + 1}`;
		const extension = extensionOf(file.mimeType) ?? 'bin';
		return { ...file, fileName: fileNameFrom(this.call.redactor.text(about), 'image', extension) };
	}
}

/** Tells whether a file is an SVG, which is text. */
export function isSvg(firstBytes: Buffer): boolean {
	const text = firstBytes.toString('utf8');
	return /^\ufeff?\s{0,99}</.test(text) && /<svg[\s>]/i.test(text) && !looksLikeWebPage(text);
}

/** The size of an image in pixels. */
interface Pixels {
	width: number;
	height: number;
}

type Reader = (bytes: Buffer) => Pixels | undefined;

const READERS: Array<[RegExp, Reader]> = [
	[/^\x89PNG\r\n[\s\S]{6}IHDR/, (bytes) => sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20))],
	[/^GIF8[79]a/, (bytes) => sized(bytes.readUInt16LE(6), bytes.readUInt16LE(8))],
	[/^\xff\xd8\xff/, pixelsOfJpeg],
	[/^RIFF[\s\S]{4}WEBPVP8X/, (bytes) => sized(1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3))],
	[/^RIFF[\s\S]{4}WEBPVP8L/, pixelsOfLossless],
	[
		/^RIFF[\s\S]{4}WEBPVP8 /,
		(bytes) => sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff),
	],
];
/** The number of bytes that all readers need, except for that of JPEG. */
const HEADER_BYTES = 32;

/** Returns the size of an image (PNG, GIF, JPEG, or WebP), if it is at the beginning of the file. */
export function pixelsOf(firstBytes: Buffer): Pixels | undefined {
	if (firstBytes.length < HEADER_BYTES) return undefined;
	const header = firstBytes.toString('latin1', 0, HEADER_BYTES);
	return READERS.find(([signature]) => signature.test(header))?.[1](firstBytes);
}

function sized(width: number, height: number): Pixels | undefined {
	return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Reads 14 bits for each side, which hold its length minus one. */
function pixelsOfLossless(bytes: Buffer): Pixels | undefined {
	const bits = bytes.readUInt32LE(21);
	return sized(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
}

/** Markers of a frame, apart from those for tables (C4, C8, CC). */
const FRAME = /[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]/;
const MARKER = 0xff;

/** A JPEG is a list of segments, each with its length. The segment of the frame has the size. */
function pixelsOfJpeg(bytes: Buffer): Pixels | undefined {
	for (let at = 2; at + 9 <= bytes.length && bytes[at] === MARKER; at += 2 + bytes.readUInt16BE(at + 2)) {
		// Markers may follow any number of fill bytes.
		while (bytes[at + 1] === MARKER && at + 10 <= bytes.length) at += 1;
		if (FRAME.test(String.fromCharCode(bytes[at + 1]))) {
			return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
		}
	}
	return undefined;
}
