import { factsOf, type Span, type WavFacts, WavScanner } from './wavScanner';
import { GatewayFailure } from '../shared/failure/failure';
import { amount } from '../shared/plain/inWords';
import { type AudioTags, type Chapter, filledTexts, littleEndian, tagText } from './audioTags';
import { id3Tag } from './id3';
import { type AudioFormat, type AudioSource, cutOff, type Sound } from './audioFormat';

interface WavSound extends Sound {
	facts: WavFacts;
	length: number;
	chunks(this: void): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** WAV. A joined file has a single header with the right sizes. */
export const wav: AudioFormat<WavSound> = {
	value: 'wav',
	name: 'WAV',
	description: 'Uncompressed, for further editing',
	mimeType: 'audio/wav',
	scanner: () => new WavScanner(),

	async read(source) {
		const scanner = new WavScanner();
		await scanner.readAll(await source.open());
		const { facts, spans, soundLength } = scanner;
		if (!facts) throw source.fail('is not a readable WAV file');
		if (!facts.isUncompressed)
			throw source.fail('is a compressed WAV file, which cannot be joined; choose another format');
		if (scanner.isMixed) throw source.fail('consists of several WAV files with different formats');
		if (soundLength === 0) throw source.fail('contains no sound');
		return { ...soundOf(facts, soundLength, () => soundIn(source, spans)), problem: cutOff(scanner) };
	},

	silence(seconds, { facts }) {
		const blockBytes = facts.format.readUInt16LE(12);
		const length = blockBytes * Math.round((seconds * facts.byteRate) / blockBytes);
		// Samples of eight bits have no sign.
		const byte = facts.format.readUInt16LE(14) <= 8 ? 0x80 : 0;
		return soundOf(facts, length, () => silentChunks(length, byte));
	},

	async *write(sounds, tags) {
		const [{ facts }] = sounds;
		const length = sounds.reduce((sum, sound) => sum + sound.length, 0);
		if (length + MAX_HEADER_BYTES > MAX_WAV_BYTES) {
			throw new GatewayFailure('input', 'The WAV file would be longer than 4 GB', 'Choose MP3 or Opus.');
		}
		const pad = Buffer.alloc(length % 2);
		const end = tags ? Buffer.concat([pad, wavChunks(tags, facts.sampleRate)]) : pad;
		yield header(facts.format, length, end.length);
		for (const { chunks } of sounds) yield* chunks();
		yield end;
	},
};

/** Sizes in a WAV file have 32 bits. */
const MAX_WAV_BYTES = 0xffff_ffff;
/** More than a header and all tags need, with a cover of 10 MB. */
const MAX_HEADER_BYTES = 20_000_000;
const CHUNK_BYTES = 65_536;
const PCM = 1;
const FLOATING_POINT = 3;

function soundOf(facts: WavFacts, length: number, chunks: WavSound['chunks']): WavSound {
	const { sampleRate, channels, format, formatTag, byteRate } = facts;
	const bits = `${format.readUInt16LE(14)} bits${formatTag === FLOATING_POINT ? ', floating point' : ''}`;
	const kind = `${sampleRate} Hz, ${amount(channels, 'channel')}, ${bits}`;
	return { kind, seconds: length / byteRate, facts, length, chunks };
}

/** Yields the sound of a file, without anything before, between, and after it. */
async function* soundIn(source: AudioSource, spans: Span[]): AsyncGenerator<Buffer> {
	let position = 0;
	let next = 0;
	for await (const chunk of await source.open()) {
		for (; next < spans.length; next++) {
			const start = spans[next].offset - position;
			const end = start + spans[next].length;
			if (start < chunk.length) yield chunk.subarray(Math.max(0, start), end);
			if (end > chunk.length) break;
		}
		position += chunk.length;
		if (next === spans.length) return;
	}
}

/** The sample rate and the channels of sound without a header, in its media type. */
const RATE = /;\s*rate=\s*"?(\d{4,6})\b/i;
const CHANNELS = /;\s*channels=\s*"?([1-8])\b/i;
/** Types for samples of 16 bits, including those that servers declare by mistake. Other types have other samples. */
const RAW = /^(audio\/(x-)?(l16|pcm|raw|wave?|vnd\.wave)|application\/octet-stream)\s*;/i;
/** IBM declares the byte order; all others send the lowest byte first, against RFC 2586. */
const BIG_ENDIAN = /endianness=\s*"?big/i;

/**
 * Reads sound without a header, whose media type says how to read it, such as `audio/L16;codec=pcm;rate=24000` of
 * Gemini (https://github.com/googleapis/python-genai/issues/837); undefined for any other file.
 */
export function rawSound(source: AudioSource, contentType: string): WavSound | undefined {
	const [, rate] = RATE.exec(contentType) ?? [];
	const { size = 0 } = source;
	if (rate === undefined || !RAW.test(contentType) || BIG_ENDIAN.test(contentType)) return undefined;
	const channels = Number(CHANNELS.exec(contentType)?.[1] ?? 1);
	const block = 2 * channels;
	const upper = 2 ** 16;
	const format = littleEndian(PCM + channels * upper, Number(rate), block * Number(rate), block + 16 * upper);
	const length = size - (size % block);
	const facts = factsOf(format, length);
	return facts && soundOf(facts, length, () => soundIn(source, [{ offset: 0, length }]));
}

function* silentChunks(length: number, byte: number): Generator<Buffer> {
	const block = Buffer.alloc(Math.min(length, CHUNK_BYTES), byte);
	for (let left = length; left > 0; left -= block.length) yield block.subarray(0, left);
}

function header(format: Buffer, dataLength: number, lengthAfter: number): Buffer {
	const end = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), Buffer.from('data')]);
	const length = end.length + 4 + dataLength + lengthAfter;
	return Buffer.concat([Buffer.from('RIFF'), littleEndian(length), end, littleEndian(dataLength)]);
}

/**
 * Writes the chunks after the sound of a WAV file, in UTF-8: tags (`LIST INFO`), chapters (`cue ` and `LIST adtl`), and
 * an ID3 tag, because the other chunks have no cover and name no encoding.
 */
function wavChunks(tags: AudioTags, sampleRate: number): Buffer {
	const { title, artist, album, date, language, chapters } = tags;
	const texts = { INAM: title, IART: artist, IPRD: album, ICRD: date, ILNG: language };
	const infos = filledTexts(texts).map(([name, text]) => chunk(name, textOf(text)));
	return Buffer.concat([
		...(infos.length > 0 ? [chunk('LIST', Buffer.from('INFO'), ...infos)] : []),
		...(chapters.length > 0 ? chapterChunks(chapters, sampleRate) : []),
		chunk('id3 ', id3Tag(tags)),
	]);
}

function chapterChunks(chapters: Chapter[], sampleRate: number): Buffer[] {
	const sampleAt = (seconds: number) => Math.round(seconds * sampleRate);
	// Numbered from zero like those of the ID3 tag, so that readers of both do not take them for different chapters.
	const points = chapters.map(({ startSeconds }, index) => {
		const position = sampleAt(startSeconds);
		return Buffer.concat([littleEndian(index, position), Buffer.from('data'), littleEndian(0, 0, position)]);
	});
	const names = chapters.flatMap(({ title, startSeconds, endSeconds }, index) => {
		const length = sampleAt(endSeconds) - sampleAt(startSeconds);
		return [
			chunk('labl', littleEndian(index), textOf(title)),
			chunk('ltxt', littleEndian(index, length), Buffer.from('rgn '), littleEndian(0, 0)),
		];
	});
	return [
		chunk('cue ', littleEndian(chapters.length), ...points),
		chunk('LIST', Buffer.from('adtl'), ...names),
	];
}

/** Writes a chunk. Like each chunk, the next one begins at an even position. */
function chunk(name: string, ...content: Buffer[]): Buffer {
	const length = content.reduce((sum, part) => sum + part.length, 0);
	return Buffer.concat([
		Buffer.from(name, 'latin1'),
		littleEndian(length),
		...content,
		Buffer.alloc(length % 2),
	]);
}

function textOf(text: string): Buffer {
	return Buffer.from(`${tagText(text)}\0`);
}
