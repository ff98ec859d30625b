import { AudioScanner } from '../../shared/audio/audioScanner';
import { oggHeadLength, oggPageAt, oggPageLength, oggPosition, type OggPage } from './ogg';

/** Positions in Ogg Opus count samples of 48 kHz, whatever the sample rate of the recording. */
export const OPUS_RATE = 48_000;

/** One Opus stream of an Ogg file (RFC 7845). */
export interface OpusStream {
	serial: number;
	/** The identification header. */
	head: Buffer;
	/** Samples at the beginning that are not played. */
	preSkip: number;
	/** The sound. */
	packets: OpusPacket[];
	/** Samples at the end that are not played. */
	endPadding: number;
}

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

/**
 * The Opus streams of an Ogg file, in order. Files that were concatenated have several.
 *
 * @returns undefined when the file is not Ogg Opus, is damaged, or is cut off within a page
 */
export function opusStreams(bytes: Buffer): OpusStream[] | undefined {
	const streams: StreamReader[] = [];
	for (let offset = 0; offset < bytes.length;) {
		const page = oggPageAt(bytes, offset);
		if (!page) return undefined;
		if (page.isFirst) streams.push(new StreamReader(page.serial));
		if (streams.at(-1)?.add(page) !== true) return undefined;
		offset += page.length;
	}
	const read = streams.map((stream) => stream.result());
	return read.length > 0 && read.every((stream) => stream !== undefined) ? read : undefined;
}

/** Assembles the packets of one stream from its pages. */
class StreamReader {
	private readonly headers: Buffer[] = [];
	private readonly packets: OpusPacket[] = [];
	private unfinished: Buffer[] = [];
	private lastGranule = 0;

	constructor(private readonly serial: number) {}

	/** @returns false when the page does not belong to an Opus stream */
	add(page: OggPage): boolean {
		if (page.serial !== this.serial || page.isContinued !== this.unfinished.length > 0) return false;
		for (const [index, piece] of page.pieces.entries()) {
			this.unfinished.push(piece);
			if (page.continues && index === page.pieces.length - 1) break;
			const packet = this.unfinished.length === 1 ? piece : Buffer.concat(this.unfinished);
			this.unfinished = [];
			if (!this.addPacket(packet)) return false;
		}
		if (page.granule !== undefined) this.lastGranule = page.granule;
		return true;
	}

	result(): OpusStream | undefined {
		const [head] = this.headers;
		if (!head || this.packets.length === 0) return undefined;
		const total = this.packets.reduce((sum, { samples }) => sum + samples, 0);
		const preSkip = Math.min(head.readUInt16LE(10), total);
		const endPadding = Math.min(Math.max(0, total - this.lastGranule), total - preSkip);
		return { serial: this.serial, head, preSkip, packets: this.packets, endPadding };
	}

	private addPacket(packet: Buffer): boolean {
		const expected = ['OpusHead', 'OpusTags'][this.headers.length];
		if (expected !== undefined) {
			this.headers.push(packet);
			return packet.toString('latin1', 0, 8) === expected && (expected === 'OpusTags' || packet.length >= 19);
		}
		const samples = samplesOf(packet);
		if (samples === undefined) return false;
		this.packets.push({ bytes: packet, samples });
		return true;
	}
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
