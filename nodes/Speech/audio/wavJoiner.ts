import type { AudioTags } from '../tags/audioTags';
import { wavChunks } from '../tags/wavChunks';
import { type WavFacts, WavScanner } from '../../shared/files/wavScanner';
import {
	type AudioSource,
	describe,
	type Joiner,
	mismatchFailure,
	type Place,
	type ReadAudio,
	wholeUnits,
} from './joiner';

/** Sizes in a WAV file have 32 bits. */
const MAX_WAV_BYTES = 0xffff_ffff;
/** More than a header and all tags need, with a cover of 10 MB. */
const MAX_HEADER_BYTES = 20_000_000;
const CHUNK_BYTES = 65_536;

/** A file, or silence. */
interface Piece {
	/** Bytes of sound. */
	length: number;
	chunks: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Joins WAV files of the same format into one file, with a single header and the right sizes. */
export class WavJoiner implements Joiner {
	readonly mimeType = 'audio/wav';
	private first: WavFacts | undefined;
	private bytes = 0;
	private readonly pieces: Piece[] = [];
	private readonly silentBlocks = wholeUnits();

	get seconds(): number {
		return this.first ? this.bytes / this.first.byteRate : 0;
	}

	async read(source: AudioSource): Promise<ReadAudio> {
		const scanner = new WavScanner(source.size);
		await scanner.readAll(await source.open());
		const { facts } = scanner;
		if (!facts) throw source.fail('is not a readable WAV file');
		if (!facts.isUncompressed) throw source.fail('is a compressed WAV file, which cannot be joined');
		const length = lengthOf(source, facts, scanner.soundLength);
		this.first ??= facts;
		const [own, first] = [soundFormat(facts), soundFormat(this.first)];
		if (describe(own) !== describe(first)) throw mismatchFailure(source, own, first);
		return {
			append: () => {
				if (this.bytes + length + MAX_HEADER_BYTES > MAX_WAV_BYTES) {
					throw source.fail('makes the WAV file longer than 4 GB; choose MP3 or Opus');
				}
				return this.append({ length, chunks: () => soundOf(source, facts.dataOffset, length) });
			},
		};
	}

	appendSilence(seconds: number): Place {
		if (!this.first) throw new RangeError('Silence needs a file whose format it has');
		const { format, byteRate } = this.first;
		const blockBytes = format.readUInt16LE(12);
		const length = blockBytes * this.silentBlocks((seconds * byteRate) / blockBytes);
		// Samples of eight bits have no sign.
		const byte = format.readUInt16LE(14) <= 8 ? 0x80 : 0;
		return this.append({ length, chunks: () => silence(length, byte) });
	}

	async *chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		const { first } = this;
		if (!first) return;
		const pad = Buffer.alloc(this.bytes % 2);
		const end = tags ? Buffer.concat([pad, wavChunks(tags, first.sampleRate)]) : pad;
		yield header(first.format, this.bytes, end.length);
		for (const { chunks } of this.pieces) yield* chunks();
		yield end;
	}

	private append(piece: Piece): Place {
		const startSeconds = this.seconds;
		this.bytes += piece.length;
		this.pieces.push(piece);
		return { startSeconds, endSeconds: this.seconds };
	}
}

const FLOATING_POINT = 3;

function soundFormat({ sampleRate, channels, format, formatTag }: WavFacts) {
	const bits = `${format.readUInt16LE(14)} bits`;
	const encoding = formatTag === FLOATING_POINT ? `${bits}, floating point` : bits;
	return { sampleRate, channels, encoding };
}

/** Less than this, in seconds, may be missing at the end of a file. */
const MAX_MISSING_SECONDS = 0.1;
/** Servers that do not know the length write one that is longer than any speech, in bytes. */
const UNKNOWN_LENGTH = 1e9;

/**
 * Bytes of sound: whole samples of all channels.
 *
 * @param available bytes of sound that the file contains
 * @throws GatewayFailure for a file that is empty or cut off
 */
function lengthOf(source: AudioSource, facts: WavFacts, available: number): number {
	const { byteRate, sampleRate, declaredLength = 0 } = facts;
	if (available === 0) throw source.fail('contains no sound');
	const isCut = declaredLength - available > MAX_MISSING_SECONDS * byteRate;
	if (isCut && declaredLength < UNKNOWN_LENGTH) throw source.fail('is cut off');
	return available - (available % Math.max(1, Math.round(byteRate / sampleRate)));
}

/** The sound of a file, without what comes before and after it. */
async function* soundOf(source: AudioSource, offset: number, length: number): AsyncGenerator<Buffer> {
	let position = 0;
	for await (const chunk of await source.open()) {
		const start = Math.max(0, offset - position);
		const end = Math.min(chunk.length, offset + length - position);
		position += chunk.length;
		if (end > start) yield chunk.subarray(start, end);
		if (position >= offset + length) return;
	}
}

function* silence(length: number, byte: number): Generator<Buffer> {
	const block = Buffer.alloc(Math.min(length, CHUNK_BYTES), byte);
	for (let left = length; left > 0; left -= block.length) yield block.subarray(0, left);
}

/** @param lengthAfter bytes after the sound */
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
