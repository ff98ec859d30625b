import {
	type AudioSource,
	type Joiner,
	mismatchFailure,
	type Place,
	type ReadAudio,
	wholeUnits,
} from './joiner';
import type { AudioTags } from '../tags/audioTags';
import { id3Tag } from '../tags/id3';
import { type Frame, Mp3Scanner } from './mp3Frames';
import { silentFrame, headerFrame } from './mp3Header';

/** The sound of a file, as frames. */
interface Sound {
	/** Its first frame. */
	first: Frame;
	head: Buffer;
	frames: number;
	bytes: number;
	isVariable: boolean;
}

/** A file, or silence that consists of equal frames. */
interface Piece {
	frames: number;
	bytes: number;
	chunks(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Bytes that are output at once. */
const CHUNK_BYTES = 65_536;

/**
 * Joins MP3 files into one that contains only sound frames. A tag or header of a file in the middle would confuse
 * players, or make them show the duration of the first one.
 */
export class Mp3Joiner implements Joiner {
	readonly mimeType = 'audio/mpeg';
	private first: Sound | undefined;
	private isVariable = false;
	private frames = 0;
	private readonly pieces: Piece[] = [];
	private readonly silentFrames = wholeUnits();

	get seconds(): number {
		return this.first ? (this.frames * this.first.first.samples) / this.first.first.sampleRate : 0;
	}

	async read(source: AudioSource): Promise<ReadAudio> {
		const sound = await readSound(source);
		if (!sound) throw source.fail('is not a readable MP3 file');
		this.first ??= sound;
		const { first } = this.first;
		const { sampleRate, channels, samples } = sound.first;
		if (sampleRate !== first.sampleRate || channels !== first.channels || samples !== first.samples) {
			throw mismatchFailure(source, sound.first, first);
		}
		return { append: () => this.appendSound(source, sound) };
	}

	appendSilence(seconds: number): Place {
		if (!this.first) throw new RangeError('Silence needs a file whose format it has');
		const { first, head } = this.first;
		const count = this.silentFrames((seconds * first.sampleRate) / first.samples);
		const frame = silentFrame(head);
		this.isVariable ||= frame.length > first.length + 1 || frame.length < first.length - 1;
		return this.append({
			frames: count,
			bytes: count * frame.length,
			*chunks() {
				for (let index = 0; index < count; index++) yield frame;
			},
		});
	}

	async *chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		if (tags) yield id3Tag(tags);
		if ((tags || this.isVariable) && this.first) yield this.header(this.first);
		for (const piece of this.pieces) yield* piece.chunks();
	}

	private appendSound(source: AudioSource, { first, isVariable, frames, bytes }: Sound): Place {
		this.isVariable ||= isVariable || first.bitRate !== this.first?.first.bitRate;
		return this.append({ frames, bytes, chunks: () => framesOf(source) });
	}

	private append(piece: Piece): Place {
		const startSeconds = this.seconds;
		this.pieces.push(piece);
		this.frames += piece.frames;
		return { startSeconds, endSeconds: this.seconds };
	}

	private header({ first, head }: Sound): Buffer {
		const { frames, isVariable } = this;
		const bytes = this.pieces.reduce((sum, piece) => sum + piece.bytes, 0);
		return headerFrame(head, first, { isVariable, frames, bytes, offsetOf: (frame) => this.offsetOf(frame) });
	}

	/** Bytes before a frame: exact where a piece begins, as a chapter does, and where its frames are equally long. */
	private offsetOf(frame: number): number {
		let offset = 0;
		let framesLeft = frame;
		for (const { frames, bytes } of this.pieces) {
			if (framesLeft < frames) return offset + (framesLeft * bytes) / frames;
			framesLeft -= frames;
			offset += bytes;
		}
		return offset;
	}
}

/** @returns undefined for a file without sound */
async function readSound(source: AudioSource): Promise<Sound | undefined> {
	let sound: Sound | undefined;
	const scanner = new Mp3Scanner((frame, bytes) => {
		sound ??= {
			first: frame,
			head: Buffer.from(bytes.subarray(0, 4)),
			frames: 0,
			bytes: 0,
			isVariable: false,
		};
		sound.isVariable ||= frame.bitRate !== sound.first.bitRate;
		sound.frames += 1;
		sound.bytes += frame.length;
	});
	for await (const chunk of await source.open()) scanner.add(chunk);
	scanner.end();
	return sound;
}

/** The sound frames of a file, in pieces of several frames. */
async function* framesOf(source: AudioSource): AsyncGenerator<Buffer> {
	let frames: Buffer[] = [];
	let length = 0;
	const scanner = new Mp3Scanner((_frame, bytes) => {
		frames.push(bytes);
		length += bytes.length;
	});
	const take = () => {
		const chunk = Buffer.concat(frames, length);
		frames = [];
		length = 0;
		return chunk;
	};
	for await (const chunk of await source.open()) {
		scanner.add(chunk);
		if (length >= CHUNK_BYTES) yield take();
	}
	scanner.end();
	if (length > 0) yield take();
}
