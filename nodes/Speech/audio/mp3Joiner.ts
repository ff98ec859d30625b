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
	/** Bytes before every so many frames, for seeking. */
	marks: number[];
}

/** A file, or silence that consists of equal frames. */
interface Piece {
	frames: number;
	bytes: number;
	/** Bytes before a frame of the piece. */
	bytesBefore(frame: number): number;
	chunks(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const FRAMES_PER_MARK = 32;
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
		return this.secondsOf(this.frames);
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
		if (!this.first) return this.place(0);
		const { first, head } = this.first;
		const count = this.silentFrames((seconds * first.sampleRate) / first.samples);
		const frame = silentFrame(head);
		this.isVariable ||= frame.length > first.length + 1 || frame.length < first.length - 1;
		return this.append({
			frames: count,
			bytes: count * frame.length,
			bytesBefore: (index) => index * frame.length,
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

	private appendSound(source: AudioSource, sound: Sound): Place {
		const { first, isVariable, marks, frames, bytes } = sound;
		this.isVariable ||= isVariable || first.bitRate !== this.first?.first.bitRate;
		return this.append({
			frames,
			bytes,
			bytesBefore: (index) => {
				const mark = Math.floor(index / FRAMES_PER_MARK);
				return marks[mark] + ((index % FRAMES_PER_MARK) * bytes) / frames;
			},
			chunks: () => framesOf(source),
		});
	}

	private append(piece: Piece): Place {
		this.pieces.push(piece);
		return this.place(piece.frames);
	}

	private place(frames: number): Place {
		const startSeconds = this.seconds;
		this.frames += frames;
		return { startSeconds, endSeconds: this.seconds };
	}

	private secondsOf(frames: number): number {
		return this.first ? (frames * this.first.first.samples) / this.first.first.sampleRate : 0;
	}

	private header({ first, head }: Sound): Buffer {
		const bytes = this.pieces.reduce((sum, piece) => sum + piece.bytes, 0);
		let index = 0;
		let framesBefore = 0;
		let bytesBefore = 0;
		// Asked for in ascending order.
		const offsetOf = (frame: number) => {
			for (
				let piece = this.pieces[index];
				frame >= framesBefore + piece.frames;
				piece = this.pieces[++index]
			) {
				framesBefore += piece.frames;
				bytesBefore += piece.bytes;
			}
			return bytesBefore + this.pieces[index].bytesBefore(frame - framesBefore);
		};
		const { frames, isVariable } = this;
		return headerFrame(head, first, { isVariable, frames, bytes, offsetOf });
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
			marks: [],
		};
		if (sound.frames % FRAMES_PER_MARK === 0) sound.marks.push(sound.bytes);
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
