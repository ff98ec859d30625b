import { amount } from '../shared/plain/inWords';
import { id3Tag } from './id3';
import { type AudioFormat, type AudioSource, cutOff, foundIn, type Sound } from './audioFormat';
import { type Frame, frameAt, Mp3Scanner, sideInfoLength } from './mp3Frames';

/** Frames one after another: those of a file, or silence that consists of equal frames. */
interface Mp3Sound extends Sound {
	head: Buffer;
	frames: number;
	bytes: number;
	chunks(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** MP3. A joined file has only sound frames after its header: a tag in the middle would confuse players. */
export const mp3: AudioFormat<Mp3Sound> = {
	value: 'mp3',
	name: 'MP3',
	description: 'Small files that play everywhere',
	mimeType: 'audio/mpeg',
	scanner: () => new Mp3Scanner(),

	async read(source) {
		const scanner = new Mp3Scanner();
		await scanner.readAll(await source.open());
		const { head, frames, bytes, seconds } = scanner;
		const first = head && frameAt(head);
		if (!first || seconds === undefined) throw source.fail('is not a readable MP3 file');
		const kind = `${first.sampleRate} Hz, ${amount(first.channels, 'channel')}`;
		return { kind, seconds, head, frames, bytes, chunks: () => framesOf(source), problem: cutOff(scanner) };
	},

	silence(seconds, like) {
		const { frame, content } = silentFrame(like.head);
		const frameSeconds = frame.samples / frame.sampleRate;
		const frames = Math.round(seconds / frameSeconds);
		return {
			...like,
			seconds: frames * frameSeconds,
			frames,
			bytes: frames * content.length,
			*chunks() {
				for (let index = 0; index < frames; index++) yield content;
			},
		};
	},

	async *write(sounds, tags) {
		if (tags) yield id3Tag(tags);
		yield headerFrame(sounds);
		for (const sound of sounds) yield* sound.chunks();
	},
};

async function* framesOf(source: AudioSource): AsyncGenerator<Buffer> {
	for await (const frames of foundIn<Buffer>(source, (report) => new Mp3Scanner(report))) {
		yield Buffer.concat(frames);
	}
}

/** A frame of this bit rate, 128 or 80 kbit/s, has room for the header: 116 bytes after the side information. */
const BIT_RATE_OF_HEADER = 9;

/** Writes a silent frame with the length of the sound, which players otherwise guess from the first frame. */
function headerFrame(sounds: Mp3Sound[]): Buffer {
	const { frame, content } = silentFrame(sounds[0].head, BIT_RATE_OF_HEADER);
	const at = 4 + sideInfoLength(frame);
	const frames = sounds.reduce((sum, sound) => sum + sound.frames, 0);
	const total = sounds.reduce((sum, sound) => sum + sound.bytes, content.length);
	content.write('Xing', at, 'latin1');
	content.writeUInt32BE(7, at + 4);
	content.writeUInt32BE(frames, at + 8);
	content.writeUInt32BE(total, at + 12);
	for (let percent = 0; percent < 100; percent++) {
		const index = Math.min(frames - 1, Math.ceil((percent * frames) / 100));
		const position = content.length + offsetOf(index, sounds);
		content[at + 16 + percent] = Math.min(255, Math.floor((256 * position) / total));
	}
	return content;
}

/** Returns the bytes before a frame: exact where a sound or a chapter begins, and where all frames are equally long. */
function offsetOf(frame: number, sounds: Mp3Sound[]): number {
	let offset = 0;
	let framesLeft = frame;
	for (const { frames, bytes } of sounds) {
		if (framesLeft < frames) return offset + (framesLeft * bytes) / frames;
		framesLeft -= frames;
		offset += bytes;
	}
	return offset;
}

/** Returns a silent frame without padding. @param like the header of a frame of the same kind */
function silentFrame(like: Buffer, bitRateIndex = like[2] >> 4): { frame: Frame; content: Buffer } {
	const head = Buffer.from(like);
	// A set protection bit means that the frame has no checksum.
	head[1] |= 1;
	head[2] = (bitRateIndex << 4) | (like[2] & 0x0c);
	const frame = frameAt(head)!;
	const content = Buffer.alloc(frame.length);
	head.copy(content);
	return { frame, content };
}
