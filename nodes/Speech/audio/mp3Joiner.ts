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
import { headerFrame, type Mp3Piece, silentFrame } from './mp3Header';

/** The sound of a file, as frames. */
interface Sound {
	/** Its first frame. */
	first: Frame;
	head: Buffer;
	frames: number;
	bytes: number;
	isVariable: boolean;
}

/**
 * Joins MP3 files into one that contains only sound frames. A tag or header of a file in the middle would confuse
 * players, or make them show the duration of the first one.
 */
export class Mp3Joiner implements Joiner {
	readonly mimeType = 'audio/mpeg';
	private first: Sound | undefined;
	private isVariable = false;
	private frames = 0;
	private readonly pieces: Mp3Piece[] = [];
	private readonly silentFrames = wholeUnits();

	get seconds(): number {
		return this.first ? (this.frames * this.first.first.samples) / this.first.first.sampleRate : 0;
	}

	async read(source: AudioSource): Promise<ReadAudio> {
		const sound = await readSound(source);
		if (!sound) throw source.fail('is not a readable MP3 file');
		this.first ??= sound;
		const { first } = this.first;
		const { sampleRate, channels, samples, bitRate } = sound.first;
		if (sampleRate !== first.sampleRate || channels !== first.channels || samples !== first.samples) {
			throw mismatchFailure(source, sound.first, first);
		}
		const { frames, bytes, isVariable } = sound;
		return {
			append: () => {
				this.isVariable ||= isVariable || bitRate !== first.bitRate;
				return this.append({ frames, bytes, chunks: () => framesOf(source) });
			},
		};
	}

	appendSilence(seconds: number): Place {
		if (!this.first) throw new RangeError('Silence needs a file whose format it has');
		const { first, head } = this.first;
		const frames = this.silentFrames((seconds * first.sampleRate) / first.samples);
		const frame = silentFrame(head);
		this.isVariable ||= Math.abs(frame.length - first.length) > 1;
		return this.append({
			frames,
			bytes: frames * frame.length,
			*chunks() {
				for (let index = 0; index < frames; index++) yield frame;
			},
		});
	}

	async *chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		if (tags) yield id3Tag(tags);
		if ((tags || this.isVariable) && this.first) {
			yield headerFrame(this.first.head, this.pieces, this.isVariable);
		}
		for (const piece of this.pieces) yield* piece.chunks();
	}

	private append(piece: Mp3Piece): Place {
		const startSeconds = this.seconds;
		this.pieces.push(piece);
		this.frames += piece.frames;
		return { startSeconds, endSeconds: this.seconds };
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
	const frames: Buffer[] = [];
	const scanner = new Mp3Scanner((_frame, bytes) => frames.push(bytes));
	for await (const chunk of await source.open()) {
		scanner.add(chunk);
		if (frames.length > 0) yield Buffer.concat(frames.splice(0));
	}
	scanner.end();
	if (frames.length > 0) yield Buffer.concat(frames);
}
