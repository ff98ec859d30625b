import { AudioScanner } from '../../shared/audio/audioScanner';
import { oggHeadLength, oggPageLength, oggPosition } from './ogg';

/** Positions in Ogg Opus count samples of 48 kHz, whatever the sample rate of the recording. */
export const OPUS_RATE = 48_000;

/** A packet and its number of samples. */
export interface OpusPacket {
	bytes: Buffer;
	samples: number;
}

/** Samples per frame, by the upper five bits of a packet's first byte (RFC 6716, 3.1). */
const FRAME_SAMPLES = [
	...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
	...[480, 960, 480, 960],
	...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
];
/** A packet contains at most 120 ms. */
const MAX_PACKET_SAMPLES = 5760;

/** Number of samples in a packet, or undefined when it is not valid. */
export function samplesOf(packet: Buffer): number | undefined {
	if (packet.length === 0) return undefined;
	const code = packet[0] & 3;
	if (code === 3 && packet.length < 2) return undefined;
	const frames = code === 0 ? 1 : code === 3 ? packet[1] & 0x3f : 2;
	const samples = frames * FRAME_SAMPLES[packet[0] >> 3];
	return samples > 0 && samples <= MAX_PACKET_SAMPLES ? samples : undefined;
}

/** Measures an Ogg Opus file by the heads of its pages. */
export class OpusScanner extends AudioScanner {
	private done = false;
	private preSkip = 0;
	private granule = 0;
	/** Samples in the streams before this one. */
	private before = 0;

	get seconds(): number | undefined {
		const samples = this.before + Math.max(0, this.granule - this.preSkip);
		return samples > 0 ? samples / OPUS_RATE : undefined;
	}

	protected step(): boolean {
		const start = this.done ? Buffer.alloc(0) : this.window.peek(27);
		if (!start) return false;
		const headLength = oggHeadLength(start);
		if (headLength === undefined) return this.stop();
		const head = this.window.peek(headLength);
		if (!head) return false;
		if (head.length < headLength) return this.stop();
		const { isFirst, granule } = oggPosition(head);
		const length = oggPageLength(head);
		if (isFirst) {
			const page = this.window.peek(length);
			if (!page) return false;
			const content = page.subarray(headLength);
			if (content.length < 19 || content.toString('latin1', 0, 8) !== 'OpusHead') return this.stop();
			this.before += Math.max(0, this.granule - this.preSkip);
			this.preSkip = content.readUInt16LE(10);
			this.granule = 0;
		}
		this.granule = granule ?? this.granule;
		this.window.skip(length);
		return true;
	}

	private stop(): boolean {
		this.done = true;
		this.window.skip(this.window.available.length);
		return false;
	}
}
