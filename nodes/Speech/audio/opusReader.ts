import { AudioScanner } from '../../shared/audio/audioScanner';
import { MAX_PACKET_BYTES, oggHeadLength, oggPageAt, oggPageLength, type OggPage } from './ogg';
import { samplesOf, type OpusPacket } from './opus';

/** Enough packets at either end of a stream for everything that is not played there. */
const KNOWN_PACKETS = 64;

/** One Opus stream of an Ogg file (RFC 7845). */
export interface OpusStream {
	serial: number;
	/** The identification header. */
	head: Buffer;
	/** Samples at the beginning that are not played. */
	preSkip: number;
	/** Samples at the end that are not played. */
	endPadding: number;
	/** Number of packets. */
	packets: number;
	/** Samples in all packets. */
	samples: number;
	/** Samples of each of the first packets. */
	firstPackets: number[];
	/** Samples of each of the last packets, the last one first. */
	lastPackets: number[];
}

/** Reads an Ogg Opus file packet by packet. Files that were concatenated have several streams. */
export class OpusReader extends AudioScanner {
	private readonly read: StreamReader[] = [];
	private isDamaged = false;

	/** @param onPacket receives each packet of sound, the index of its stream, and its own */
	constructor(
		private readonly onPacket: (packet: OpusPacket, stream: number, index: number) => void = () => {},
	) {
		super();
	}

	/** Its streams, in order; undefined when the file is not Ogg Opus, is damaged, or is cut off. Final after `end`. */
	get streams(): OpusStream[] | undefined {
		const streams = this.read.map((stream) => stream.result());
		const isComplete = !this.isDamaged && streams.length > 0;
		return isComplete && streams.every((stream) => stream !== undefined) ? streams : undefined;
	}

	get seconds(): undefined {
		return undefined;
	}

	protected step(): boolean {
		const start = this.isDamaged ? Buffer.alloc(0) : this.window.peek(27);
		if (!start) return false;
		if (start.length === 0) {
			this.window.skip(this.window.available.length);
			return false;
		}
		const headLength = oggHeadLength(start);
		const head = headLength === undefined ? start : this.window.peek(headLength);
		if (!head) return false;
		if (headLength === undefined || head.length < headLength) return this.reject();
		const bytes = this.window.peek(oggPageLength(head));
		if (!bytes) return false;
		const page = oggPageAt(bytes, 0);
		if (!page || !this.addPage(page)) return this.reject();
		this.window.skip(page.length);
		return true;
	}

	private addPage(page: OggPage): boolean {
		if (page.isFirst) {
			const number = this.read.length;
			this.read.push(new StreamReader(page.serial, (packet, index) => this.onPacket(packet, number, index)));
		}
		return this.read.at(-1)?.add(page) === true;
	}

	private reject(): boolean {
		this.isDamaged = true;
		return true;
	}
}

/** Assembles the packets of one stream from its pages. */
class StreamReader {
	private readonly headers: Buffer[] = [];
	private readonly firstPackets: number[] = [];
	private readonly lastPackets: number[] = [];
	private packets = 0;
	private samples = 0;
	private unfinished: Buffer[] = [];
	private lastGranule = 0;

	constructor(
		private readonly serial: number,
		private readonly onPacket: (packet: OpusPacket, index: number) => void,
	) {}

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
		const { headers, packets, samples, serial, firstPackets, lastPackets } = this;
		const [head] = headers;
		if (!head || packets === 0) return undefined;
		const preSkip = Math.min(head.readUInt16LE(10), samples);
		const endPadding = Math.min(Math.max(0, samples - this.lastGranule), samples - preSkip);
		return { serial, head, preSkip, endPadding, packets, samples, firstPackets, lastPackets };
	}

	private addPacket(packet: Buffer): boolean {
		const expected = ['OpusHead', 'OpusTags'][this.headers.length];
		if (expected !== undefined) {
			// A copy, because the rest of the page is not needed.
			this.headers.push(Buffer.from(packet.subarray(0, MAX_HEADER_BYTES)));
			return packet.toString('latin1', 0, 8) === expected && (expected === 'OpusTags' || packet.length >= 19);
		}
		const samples = samplesOf(packet);
		if (samples === undefined || packet.length > MAX_PACKET_BYTES) return false;
		if (this.packets < KNOWN_PACKETS) this.firstPackets.push(samples);
		this.lastPackets.unshift(samples);
		if (this.lastPackets.length > KNOWN_PACKETS) this.lastPackets.pop();
		this.samples += samples;
		this.onPacket({ bytes: packet, samples }, this.packets);
		this.packets += 1;
		return true;
	}
}

/** The longest identification header: 255 channels. */
const MAX_HEADER_BYTES = 21 + 255;
