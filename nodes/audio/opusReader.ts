import { AudioScanner, LONGEST_BARE_HEADER } from './audioFormat';
import { amount } from '../shared/plain/inWords';
import { MAX_HEAD_BYTES, MAX_PACKET_BYTES, oggPage, oggPageLength, type OggPage } from './ogg';

/** Positions in Ogg Opus count samples of 48 kHz, whatever the sample rate of the recording. */
export const OPUS_RATE = 48_000;

export interface OpusPacket {
	bytes: Buffer;
	samples: number;
}

interface Stream {
	serial: number;
	headers: Buffer[];
	/** Position at the end of the last page. */
	granule: number;
}

/** Reads and measures an Ogg Opus file packet by packet. The streams of concatenated files count as one. */
export class OpusReader extends AudioScanner {
	private readonly streams: Stream[] = [];
	private samples = 0;
	private unfinished: Buffer[] = [];

	constructor(private readonly onPacket: (packet: OpusPacket) => void = () => {}) {
		super();
	}

	/** The sound; undefined if the file is not Ogg Opus (RFC 7845), damaged, or cut off. Final after `end`. */
	get sound() {
		if (this.isDamaged || this.samples === 0) return undefined;
		const { serial, headers } = this.streams[0];
		return { serial, head: headers[0], samples: this.samples };
	}

	get seconds(): number | undefined {
		const samples = this.streams.reduce(
			(sum, { headers, granule }) => sum + Math.max(0, granule - preSkipOf(headers[0])),
			0,
		);
		return samples > 0 ? samples / OPUS_RATE : undefined;
	}

	get isEmpty(): boolean {
		return this.samples === 0 && (!this.isDamaged || this.arrived < LONGEST_BARE_HEADER);
	}

	/** Players show the duration of only one of the streams. */
	get isMisleading(): boolean {
		return this.streams.length > 1;
	}

	protected *read(): Generator<void, void> {
		for (;;) {
			const start = yield* this.peek(MAX_HEAD_BYTES);
			if (start.length === 0) return;
			const bytes = yield* this.peek(oggPageLength(start) ?? 0);
			const page = oggPage(bytes);
			if (!page || !this.addPage(page)) break;
			this.skip(bytes.length);
		}
		this.isDamaged = true;
	}

	/** Reads a page. @returns false if the page does not belong to an Opus stream */
	private addPage(page: OggPage): boolean {
		const { serial, isContinued, pieces, granule } = page;
		if (page.isFirst) this.streams.push({ serial, headers: [], granule: 0 });
		const stream = this.streams.at(-1);
		if (stream?.serial !== serial || isContinued !== this.unfinished.length > 0) return false;
		for (const [index, piece] of pieces.entries()) {
			this.unfinished.push(piece);
			if (page.continues && index === pieces.length - 1) break;
			const packet = this.unfinished.length === 1 ? piece : Buffer.concat(this.unfinished);
			this.unfinished = [];
			const isHeader = stream.headers.length < HEADERS.length;
			if (!(isHeader ? this.addHeader(stream, packet) : this.addPacket(packet))) return false;
		}
		stream.granule = granule ?? stream.granule;
		return true;
	}

	private addHeader({ headers }: Stream, packet: Buffer): boolean {
		const name = HEADERS[headers.length];
		if (packet.toString('latin1', 0, 8) !== name || (name === 'OpusHead' && packet.length < 19)) return false;
		// A copy, because the rest of the page is not needed.
		headers.push(Buffer.from(packet.subarray(0, MAX_HEADER_BYTES)));
		return formatOfHead(this.streams[0].headers[0]) === formatOfHead(headers[0]);
	}

	private addPacket(packet: Buffer): boolean {
		const samples = samplesOf(packet);
		if (samples === undefined || packet.length > MAX_PACKET_BYTES) return false;
		this.samples += samples;
		this.onPacket({ bytes: packet, samples });
		return true;
	}
}

/** The packets at the beginning of a stream. */
const HEADERS = ['OpusHead', 'OpusTags'];
/** The length of the longest identification header, in bytes: 255 channels. */
const MAX_HEADER_BYTES = 21 + 255;

/** Names the fields that affect decoding: channels, output gain, and channel mapping. Other fields may differ. */
export function formatOfHead(head: Buffer): string {
	return `${amount(head[9], 'channel')}, gain ${head.readInt16LE(16)}, mapping ${head.toString('hex', 18)}`;
}

function preSkipOf(head: Buffer | undefined): number {
	return head?.readUInt16LE(10) ?? 0;
}

/** Samples per frame, by the upper five bits of a packet's first byte (RFC 6716, 3.1). */
const FRAME_SAMPLES = [
	...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
	...[480, 960, 480, 960],
	...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
];
/** A packet contains at most 120 ms. */
const MAX_PACKET_SAMPLES = 5760;

/** Returns the number of samples in a packet; undefined if it is not valid. */
export function samplesOf(packet: Buffer): number | undefined {
	if (packet.length === 0) return undefined;
	const code = packet[0] & 3;
	if (code === 3 && packet.length < 2) return undefined;
	const frames = code === 0 ? 1 : code === 3 ? packet[1] & 0x3f : 2;
	const samples = frames * FRAME_SAMPLES[packet[0] >> 3];
	return samples > 0 && samples <= MAX_PACKET_SAMPLES ? samples : undefined;
}
