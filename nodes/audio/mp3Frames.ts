import { AudioScanner } from './audioFormat';

export interface Frame {
	length: number;
	/** Hertz. */
	sampleRate: number;
	samples: number;
	channels: number;
}

/** Bit rates of layer III in kbit/s by index: MPEG 1, then MPEG 2 and 2.5. */
const BIT_RATES = {
	one: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	two: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const LAYER_III = 1;
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** Names of variable bit rate headers, which look like sound frames. */
const [XING, INFO, VBRI] = ['Xing', 'Info', 'VBRI'].map((name) => Buffer.from(name).readUInt32BE());
/** A file with more bytes than this without any frame is not MP3. */
const MAX_JUNK = 1_000_000;
/** The longest possible frame, in bytes. */
const LONGEST_FRAME = 1_441;
/** Encoders do not agree whether a header counts itself, and the last frame may be cut off. */
const TOLERATED_FRAMES = 2;

/** Reads the frame whose header these bytes begin with; undefined if it is none. */
export function frameAt(bytes: Buffer): Frame | undefined {
	if (bytes.length < 4 || bytes[0] !== 0xff || (bytes[1] & 0xe0) !== 0xe0) return undefined;
	const version = (bytes[1] >> 3) & 3;
	const layer = (bytes[1] >> 1) & 3;
	const bitRateIndex = bytes[2] >> 4;
	const sampleRateIndex = (bytes[2] >> 2) & 3;
	if (version === 1 || layer !== LAYER_III) return undefined;
	if (bitRateIndex === 0 || bitRateIndex === 15 || sampleRateIndex === 3) return undefined;
	const one = version === 3;
	const bitRate = BIT_RATES[one ? 'one' : 'two'][bitRateIndex - 1] * 1000;
	const sampleRate = SAMPLE_RATES[sampleRateIndex] / (one ? 1 : version === 2 ? 2 : 4);
	const samples = one ? 1152 : 576;
	const padding = (bytes[2] >> 1) & 1;
	const length = Math.floor(((samples / 8) * bitRate) / sampleRate) + padding;
	const channels = bytes[3] >> 6 === 3 ? 1 : 2;
	return { length, sampleRate, samples, channels };
}

/** Finds the sound frames of an MP3 file and skips tags, variable bit rate headers, and junk. */
export class Mp3Scanner extends AudioScanner {
	/** Header of the first sound frame. */
	head: Buffer | undefined;
	/** Sound frames, and their bytes. */
	frames = 0;
	bytes = 0;
	private soundSeconds = 0;
	private junkBytes = 0;
	private secondsOfFrame = 0;
	/** The number of frames in all headers together, and in the first one, which players believe. */
	private announced = 0;
	private first: number | undefined;

	constructor(private readonly onFrame: (bytes: Buffer) => void = () => {}) {
		super();
	}

	get seconds(): number | undefined {
		return this.soundSeconds > 0 ? this.soundSeconds : undefined;
	}

	get isEmpty(): boolean {
		return this.frames === 0 && this.junkBytes < LONGEST_FRAME;
	}

	/** Some servers join files, but keep the header of the first (https://github.com/richardr1126/openreader/pull/129). */
	get isMisleading(): boolean {
		return this.first !== undefined && this.first + TOLERATED_FRAMES < this.frames;
	}

	override get missingSeconds(): number {
		return Math.max(0, this.announced - this.frames - TOLERATED_FRAMES) * this.secondsOfFrame;
	}

	protected *read(): Generator<void, void> {
		let junk = 0;
		let isContiguous = false;
		while (junk <= MAX_JUNK) {
			const head = yield* this.peek(10);
			if (head.length < 4) return;
			const tag = junk === 0 ? tagLength(head) : 0;
			if (tag > 0) {
				this.skip(tag);
				continue;
			}
			const frame: Frame | undefined = yield* this.nextFrame(head, isContiguous);
			isContiguous = frame !== undefined;
			const length = frame?.length ?? this.junkLength();
			junk = frame ? 0 : junk + length;
			this.junkBytes += frame ? 0 : length;
			this.skip(length);
		}
	}

	/** Counts the bytes up to the next possible beginning of a frame. The first byte does not begin one. */
	private junkLength(): number {
		const sync = this.unread.indexOf(0xff, 1);
		return sync === -1 ? this.unread.length : sync;
	}

	/** Reads the frame that begins here, if any. A chance match of the sync pattern in junk is not followed by a frame. */
	private *nextFrame(head: Buffer, isContiguous: boolean): Generator<void, Frame | undefined> {
		const frame = frameAt(head);
		if (!frame) return undefined;
		const bytes = yield* this.peek(isContiguous ? frame.length : frame.length + 4);
		const next = bytes.subarray(frame.length);
		if (bytes.length < frame.length || (next.length > 0 && !frameAt(next))) return undefined;
		this.secondsOfFrame = frame.samples / frame.sampleRate;
		const announced = announcedFrames(bytes, frame);
		if (announced === undefined) {
			this.head ??= Buffer.from(head.subarray(0, 4));
			this.frames += 1;
			this.bytes += frame.length;
			this.soundSeconds += this.secondsOfFrame;
			this.onFrame(bytes.subarray(0, frame.length));
		} else {
			this.first ??= announced;
			this.announced += announced;
		}
		return frame;
	}
}

/** Returns the number of bytes from the end of a frame's header to the end of its side information. */
export function sideInfoLength({ samples, channels }: Frame): number {
	if (samples === 1152) return channels === 1 ? 17 : 32;
	return channels === 1 ? 9 : 17;
}

/** Returns the number of frames in a variable bit rate header, 0 if it has none; undefined for a sound frame. */
function announcedFrames(bytes: Buffer, frame: Frame): number | undefined {
	const at = 4 + sideInfoLength(frame);
	const name = wordAt(bytes, at);
	if (wordAt(bytes, 36) === VBRI) return wordAt(bytes, 50);
	if (name !== XING && name !== INFO) return undefined;
	return wordAt(bytes, at + 4) & 1 ? wordAt(bytes, at + 8) : 0;
}

function wordAt(bytes: Buffer, at: number): number {
	return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}

/** Returns the length of an ID3 tag, or 0 for none. The size of version 2 has seven bits per byte. */
function tagLength(head: Buffer): number {
	const name = head.toString('latin1', 0, 3);
	if (name === 'TAG') return 128;
	if (name !== 'ID3' || head.length < 10) return 0;
	const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
	const footer = head[5] & 0x10 ? 10 : 0;
	return 10 + size + footer;
}
