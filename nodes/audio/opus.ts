import {
	type AudioTags,
	bigEndian,
	type Chapter,
	clockTime,
	filledTexts,
	littleEndian,
	tagText,
} from './audioTags';
import { type AudioFormat, foundIn, type Sound } from './audioFormat';
import { MAX_SEGMENTS, OggWriter, segmentsOf } from './ogg';
import { formatOfHead, OPUS_RATE, type OpusPacket, OpusReader } from './opusReader';

/** Samples per page. Players seek to the beginnings of pages. */
const PAGE_SAMPLES = OPUS_RATE;
/** A packet of 20 ms without sound (RFC 6716): CELT, full band, in mono; another bit makes it stereo. */
const SILENCE = { samples: 960, bytes: [0xf8, 0xff, 0xfe], stereo: 4 };

interface OpusSound extends Sound {
	serial: number;
	head: Buffer;
	packets(): AsyncIterable<OpusPacket[]> | Iterable<OpusPacket[]>;
}

/**
 * Ogg Opus. A joined file is one logical stream, so that players show the right duration and can seek everywhere. All
 * packets are played, including the few milliseconds of silence that encoders add.
 */
export const opus: AudioFormat<OpusSound> = {
	value: 'opus',
	name: 'Opus',
	description: 'Smallest files, for messengers and the web',
	mimeType: 'audio/ogg',
	scanner: () => new OpusReader(),

	async read(source) {
		const reader = new OpusReader();
		await reader.readAll(await source.open());
		if (!reader.sound) throw source.fail('is not a readable Ogg Opus file, or it is damaged');
		const { serial, head, samples } = reader.sound;
		const packets = () => foundIn<OpusPacket>(source, (report) => new OpusReader(report));
		return { kind: formatOfHead(head), seconds: samples / OPUS_RATE, serial, head, packets };
	},

	silence(seconds, like) {
		const bytes = Buffer.from(SILENCE.bytes);
		if (like.head[9] > 1) bytes[0] |= SILENCE.stereo;
		const packet = { bytes, samples: SILENCE.samples };
		const count = Math.round((seconds * OPUS_RATE) / SILENCE.samples);
		return {
			...like,
			seconds: (count * SILENCE.samples) / OPUS_RATE,
			packets: () => [Array.from({ length: count }, () => packet)],
		};
	},

	async *write(sounds, tags) {
		const [{ serial, head }] = sounds;
		const writer = new OggWriter(serial);
		const playsAll = Buffer.from(head);
		playsAll.writeUInt16LE(0, 10);
		yield writer.page([playsAll], 0);
		yield* writer.headerPages(opusTags(tags));
		let waiting: Buffer[] = [];
		let segments = 0;
		let position = 0;
		let pageStart = 0;
		for (const sound of sounds) {
			for await (const packets of sound.packets()) {
				for (const { bytes, samples } of packets) {
					const isFull = position - pageStart >= PAGE_SAMPLES || segments + segmentsOf(bytes) > MAX_SEGMENTS;
					if (waiting.length > 0 && isFull) {
						yield writer.page(waiting, position);
						waiting = [];
						segments = 0;
						pageStart = position;
					}
					waiting.push(bytes);
					segments += segmentsOf(bytes);
					position += samples;
				}
			}
		}
		yield writer.page(waiting, position, true);
	},
};

const VENDOR = 'n8n-nodes-unified-ai-gateway';
const FRONT_COVER = 3;

/** Writes the comment packet of an Opus file (RFC 7845, 5.2), with chapters and a cover as players read them. */
function opusTags(tags: AudioTags | undefined): Buffer {
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

/** Writes a picture as in FLAC (RFC 9639, 8.8). */
function pictureBlock({ bytes, mimeType }: NonNullable<AudioTags['cover']>): Buffer {
	const head = [bigEndian(FRONT_COVER, mimeType.length), Buffer.from(mimeType, 'latin1')];
	// There is no description; width, height, and colors may be zero.
	return Buffer.concat([...head, bigEndian(0, 0, 0, 0, 0, bytes.length), bytes]);
}

function withLength(content: Buffer): Buffer {
	return Buffer.concat([littleEndian(content.length), content]);
}
