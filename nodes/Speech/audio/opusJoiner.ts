import type { AudioSource, Joiner, Place, ReadAudio } from './joiner';
import type { AudioTags } from '../tags/audioTags';
import { opusTags } from '../tags/vorbisComments';
import { MAX_SEGMENTS, OggWriter, segmentsOf } from './ogg';
import { OPUS_RATE, type OpusPacket } from './opus';
import { OpusReader, type OpusStream } from './opusReader';

/** Samples per page. Players seek to the beginnings of pages. */
const PAGE_SAMPLES = OPUS_RATE;
/** A packet of 20 ms without sound (RFC 6716): CELT, full band, in mono; another bit makes it stereo. */
const SILENCE = { samples: 960, bytes: [0xf8, 0xff, 0xfe], stereo: 4 };

/** A stream whose ends may be trimmed, or silence. */
interface Piece {
	/** Samples in its packets. */
	samples: number;
	/** Samples at its beginning and end that are not to be played. */
	before: number;
	after: number;
	/** Samples of the packets at its ends that may be dropped. */
	firstPackets: number[];
	lastPackets: number[];
	/** How many packets it keeps. */
	packets: number;
	/** How many packets are dropped at its beginning. */
	dropped: number;
	read(piece: Piece): AsyncIterable<OpusPacket[]> | Iterable<OpusPacket[]>;
}

/**
 * Joins Ogg Opus files into one logical stream with one header and continuous page numbers and positions, so that
 * players show the right duration and can seek everywhere.
 *
 * At the seams, samples that are not to be played are dropped in whole packets. The duration stays within half a packet
 * (usually 10 ms) of the sum of the files, regardless of their number.
 */
export class OpusJoiner implements Joiner {
	readonly mimeType = 'audio/ogg';
	private first: OpusStream | undefined;
	private readonly pieces: Piece[] = [];
	/** Samples of all pieces. */
	private samples = 0;
	/** Samples that are not to be played at the seams so far, and are still there. */
	private surplus = 0;

	get seconds(): number {
		return this.secondsAt(this.samples - (this.pieces.at(-1)?.after ?? 0));
	}

	async read(source: AudioSource): Promise<ReadAudio> {
		const reader = new OpusReader();
		for await (const chunk of await source.open()) reader.add(chunk);
		reader.end();
		const { streams } = reader;
		if (!streams) throw source.fail('is not a readable Ogg Opus file, or it is damaged');
		this.first ??= streams[0];
		const { head } = this.first;
		if (!streams.every((stream) => sameKind(stream.head, head))) {
			throw source.fail('differs from the first in channels or loudness');
		}
		return {
			append: () => {
				const places = streams.map((stream, index) => this.append(pieceOf(source, stream, index)));
				return { startSeconds: places[0].startSeconds, endSeconds: places[places.length - 1].endSeconds };
			},
		};
	}

	appendSilence(seconds: number): Place {
		const isFirst = this.pieces.length === 0;
		const bytes = Buffer.from(SILENCE.bytes);
		if (this.first && this.first.head[9] > 1) bytes[0] |= SILENCE.stereo;
		// What the header says is not played at the beginning must be there.
		const hidden = isFirst ? (this.first?.preSkip ?? 0) : 0;
		const wanted = Math.max(0, Math.round(seconds * OPUS_RATE)) + hidden;
		const packets = Math.ceil(wanted / SILENCE.samples);
		const samples = packets * SILENCE.samples;
		const ends = new Array<number>(Math.min(packets, 64)).fill(SILENCE.samples);
		return this.append({
			samples,
			before: hidden,
			after: samples - wanted,
			firstPackets: ends,
			lastPackets: [...ends],
			packets,
			dropped: 0,
			*read({ packets: kept }) {
				for (let index = 0; index < kept; index++) yield [{ bytes, samples: SILENCE.samples }];
			},
		});
	}

	async *chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		const { first } = this;
		const last = this.pieces.at(-1);
		if (!first || !last) return;
		const after = this.trimEnd(last);
		const head = Buffer.from(first.head);
		head.writeUInt16LE(this.hidden, 10);
		const writer = new OggWriter(first.serial);
		yield writer.page([head], 0);
		yield* writer.headerPages(opusTags(tags));
		let waiting: Buffer[] = [];
		let segments = 0;
		let position = 0;
		let pageStart = 0;
		for (const piece of this.pieces) {
			for await (const packets of piece.read(piece)) {
				for (const { bytes, samples } of packets) {
					const isFull = position - pageStart >= PAGE_SAMPLES || segments + segmentsOf(bytes) > MAX_SEGMENTS;
					if (waiting.length > 0 && isFull) {
						yield writer.page(waiting, position);
						waiting = [];
						segments = 0;
						pageStart = position;
					}
					waiting.push(bytes);
					segments += segmentsOf(bytes);
					position += samples;
				}
			}
		}
		yield writer.page(waiting, position - after, true);
	}

	/** Samples at the beginning that are not played. */
	private get hidden(): number {
		return this.pieces[0]?.before ?? 0;
	}

	private secondsAt(samples: number): number {
		return Math.max(0, samples - this.hidden) / OPUS_RATE;
	}

	private append(piece: Piece): Place {
		const earlier = this.pieces.at(-1);
		if (earlier) this.trimSeam(earlier, piece);
		const startSeconds = earlier ? this.secondsAt(this.samples) : 0;
		this.pieces.push(piece);
		this.samples += piece.samples;
		return { startSeconds, endSeconds: this.seconds };
	}

	/** Drops packets at a seam that contain, in total, the samples that are not to be played there. */
	private trimSeam(earlier: Piece, later: Piece): void {
		this.surplus += earlier.after + later.before;
		for (;;) {
			// The packet with more silence goes first.
			const atEnd = earlier.after >= later.before;
			const piece = atEnd ? earlier : later;
			const samples = (atEnd ? earlier.lastPackets : later.firstPackets)[0];
			if (samples === undefined || piece.packets <= 1 || this.surplus < samples / 2) break;
			this.surplus -= samples;
			if (atEnd) this.samples -= dropLast(earlier);
			else dropFirst(later);
		}
	}

	/**
	 * Drops packets at the end that are not played at all, because the end must be a position within the last packet.
	 *
	 * @returns samples of the last packet that are not played
	 */
	private trimEnd(piece: Piece): number {
		while (piece.packets > 1 && piece.lastPackets.length > 0 && piece.after >= piece.lastPackets[0]) {
			this.samples -= dropLast(piece);
		}
		return piece.after;
	}
}

function dropLast(piece: Piece): number {
	const samples = piece.lastPackets.shift() ?? 0;
	piece.packets -= 1;
	piece.samples -= samples;
	piece.after = Math.max(0, piece.after - samples);
	return samples;
}

function dropFirst(piece: Piece): void {
	const samples = piece.firstPackets.shift() ?? 0;
	piece.packets -= 1;
	piece.dropped += 1;
	piece.samples -= samples;
	piece.before = Math.max(0, piece.before - samples);
}

function pieceOf(source: AudioSource, stream: OpusStream, streamIndex: number): Piece {
	const { samples, preSkip, endPadding, packets, firstPackets, lastPackets } = stream;
	return {
		samples,
		before: preSkip,
		after: endPadding,
		firstPackets: [...firstPackets],
		lastPackets: [...lastPackets],
		packets,
		dropped: 0,
		read: ({ dropped, packets: kept }) => packetsOf(source, streamIndex, dropped, dropped + kept),
	};
}

/** Some packets of a stream, in groups as they arrive. */
async function* packetsOf(
	source: AudioSource,
	streamIndex: number,
	from: number,
	to: number,
): AsyncGenerator<OpusPacket[]> {
	let packets: OpusPacket[] = [];
	const reader = new OpusReader((packet, stream, index) => {
		if (stream === streamIndex && index >= from && index < to) packets.push(packet);
	});
	for await (const chunk of await source.open()) {
		reader.add(chunk);
		yield packets;
		packets = [];
	}
	reader.end();
	yield packets;
}

/** Version, channels, output gain, and channel mapping affect how packets are decoded; other fields may differ. */
function sameKind(head: Buffer, other: Buffer): boolean {
	return head.subarray(8, 10).equals(other.subarray(8, 10)) && head.subarray(16).equals(other.subarray(16));
}
