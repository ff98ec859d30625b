import { type WavFacts, WavScanner } from './wavScanner';
import { GatewayFailure } from '../shared/failure/failure';
import { amount } from '../shared/plain/inWords';
import type { AudioTags } from './tags/audioTags';
import { wavChunks } from './tags/wavChunks';
import type { AudioFormat, AudioSource, Sound } from './audioFormat';

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
		const scanner = new WavScanner(source.size);
		await scanner.readAll(await source.open());
		const { facts } = scanner;
		if (!facts) throw source.fail('is not a readable WAV file');
		if (!facts.isUncompressed) throw source.fail('is a compressed WAV file, which cannot be joined');
		const length = lengthOf(source, facts, scanner.soundLength);
		return soundOf(facts, length, () => soundIn(source, facts.dataOffset, length));
	},

	silence(seconds, { facts }) {
		const blockBytes = facts.format.readUInt16LE(12);
		const length = blockBytes * Math.round((seconds * facts.byteRate) / blockBytes);
		// Samples of eight bits have no sign.
		const byte = facts.format.readUInt16LE(14) <= 8 ? 0x80 : 0;
		return soundOf(facts, length, () => silentChunks(length, byte));
	},

	write(sounds, tags) {
		const length = sounds.reduce((sum, sound) => sum + sound.length, 0);
		if (length + MAX_HEADER_BYTES > MAX_WAV_BYTES) {
			throw new GatewayFailure('input', 'The WAV file would be longer than 4 GB', 'Choose MP3 or Opus.');
		}
		return chunksOf(sounds, length, tags);
	},
};

/** Sizes in a WAV file have 32 bits. */
const MAX_WAV_BYTES = 0xffff_ffff;
/** More than a header and all tags need, with a cover of 10 MB. */
const MAX_HEADER_BYTES = 20_000_000;
const CHUNK_BYTES = 65_536;
const FLOATING_POINT = 3;

function soundOf(facts: WavFacts, length: number, chunks: WavSound['chunks']): WavSound {
	const { sampleRate, channels, format, formatTag, byteRate } = facts;
	const bits = `${format.readUInt16LE(14)} bits${formatTag === FLOATING_POINT ? ', floating point' : ''}`;
	const kind = `${sampleRate} Hz, ${amount(channels, 'channel')}, ${bits}`;
	return { kind, seconds: length / byteRate, facts, length, chunks };
}

async function* chunksOf(sounds: WavSound[], length: number, tags?: AudioTags): AsyncGenerator<Buffer> {
	const [{ facts }] = sounds;
	const pad = Buffer.alloc(length % 2);
	const end = tags ? Buffer.concat([pad, wavChunks(tags, facts.sampleRate)]) : pad;
	yield header(facts.format, length, end.length);
	for (const { chunks } of sounds) yield* chunks();
	yield end;
}

/** Less than this, in seconds, may be missing at the end of a file. */
const MAX_MISSING_SECONDS = 0.1;
/** Servers that do not know the length write one that is longer than any speech, in bytes. */
const UNKNOWN_LENGTH = 1e9;

/** Bytes of sound: whole samples of all channels. @throws GatewayFailure for a file that is empty or cut off */
function lengthOf(source: AudioSource, facts: WavFacts, available: number): number {
	const { byteRate, sampleRate, declaredLength = 0 } = facts;
	if (available === 0) throw source.fail('contains no sound');
	const isCut = declaredLength - available > MAX_MISSING_SECONDS * byteRate;
	if (isCut && declaredLength < UNKNOWN_LENGTH) throw source.fail('is cut off');
	return available - (available % Math.max(1, Math.round(byteRate / sampleRate)));
}

/** The sound of a file, without what comes before and after it. */
async function* soundIn(source: AudioSource, offset: number, length: number): AsyncGenerator<Buffer> {
	let position = 0;
	for await (const chunk of await source.open()) {
		const start = Math.max(0, offset - position);
		const end = Math.min(chunk.length, offset + length - position);
		position += chunk.length;
		if (end > start) yield chunk.subarray(start, end);
		if (position >= offset + length) return;
	}
}

function* silentChunks(length: number, byte: number): Generator<Buffer> {
	const block = Buffer.alloc(Math.min(length, CHUNK_BYTES), byte);
	for (let left = length; left > 0; left -= block.length) yield block.subarray(0, left);
}

function header(format: Buffer, dataLength: number, lengthAfter: number): Buffer {
	const formatPad = format.length % 2;
	const head = Buffer.alloc(20 + format.length + formatPad + 8);
	head.write('RIFF', 0, 'latin1');
	head.writeUInt32LE(head.length - 8 + dataLength + lengthAfter, 4);
	head.write('WAVEfmt ', 8, 'latin1');
	head.writeUInt32LE(format.length, 16);
	format.copy(head, 20);
	head.write('data', head.length - 8, 'latin1');
	head.writeUInt32LE(dataLength, head.length - 4);
	return head;
}
