import type { AudioSource, Joiner, Place, ReadAudio } from './joiner';
import type { AudioTags } from '../tags/audioTags';
import { opusTags } from '../tags/vorbisComments';
import { MAX_SEGMENTS, OggWriter, segmentsOf } from './ogg';
import { OPUS_RATE, type OpusPacket } from './opus';
import { isSameKind, OpusReader, type OpusSound } from './opusReader';

/** Samples per page. Players seek to the beginnings of pages. */
const PAGE_SAMPLES = OPUS_RATE;
/** A packet of 20 ms without sound (RFC 6716): CELT, full band, in mono; another bit makes it stereo. */
const SILENCE = { samples: 960, bytes: [0xf8, 0xff, 0xfe], stereo: 4 };

/** The sound of a file whose ends may be trimmed, or silence. */
interface Piece {
	/** Samples in its packets. */
	samples: number;
	/** Samples at its beginning and end that are not to be played. */
	before: number;
	after: number;
	/** Samples of each packet; undefined when they differ, and none is dropped. */
	packetSamples: number | undefined;
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
	private first: OpusSound | undefined;
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
		const { sound } = reader;
		if (!sound) throw source.fail('is not a readable Ogg Opus file, or it is damaged');
		this.first ??= sound;
		if (!isSameKind(sound.head, this.first.head)) {
			throw source.fail('differs from the first in channels or loudness');
		}
		return { append: () => this.append(pieceOf(source, sound)) };
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
		return this.append({
			samples,
			before: hidden,
			after: samples - wanted,
			packetSamples: SILENCE.samples,
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
			const { packetSamples, packets } = atEnd ? earlier : later;
			if (packetSamples === undefined || packets <= 1 || this.surplus < packetSamples / 2) break;
			this.surplus -= packetSamples;
			if (atEnd) this.dropLast(earlier, packetSamples);
			else dropFirst(later, packetSamples);
		}
	}

	/**
	 * Drops packets at the end that are not played at all, because the end must be a position within the last packet.
	 *
	 * @returns samples of the last packet that are not played
	 */
	private trimEnd(piece: Piece): number {
		const { packetSamples = Number.POSITIVE_INFINITY } = piece;
		while (piece.packets > 1 && piece.after >= packetSamples) this.dropLast(piece, packetSamples);
		return piece.after;
	}

	private dropLast(piece: Piece, samples: number): void {
		piece.packets -= 1;
		piece.samples -= samples;
		piece.after = Math.max(0, piece.after - samples);
		this.samples -= samples;
	}
}

function dropFirst(piece: Piece, samples: number): void {
	piece.packets -= 1;
	piece.dropped += 1;
	piece.samples -= samples;
	piece.before = Math.max(0, piece.before - samples);
}

function pieceOf(
	source: AudioSource,
	{ preSkip, endPadding, packets, samples, packetSamples }: OpusSound,
): Piece {
	return {
		samples,
		before: preSkip,
		after: endPadding,
		packetSamples,
		packets,
		dropped: 0,
		read: ({ dropped, packets: kept }) => packetsOf(source, dropped, dropped + kept),
	};
}

/** Some packets of a file, in groups as they arrive. */
async function* packetsOf(source: AudioSource, from: number, to: number): AsyncGenerator<OpusPacket[]> {
	let packets: OpusPacket[] = [];
	const reader = new OpusReader((packet, index) => {
		if (index >= from && index < to) packets.push(packet);
	});
	for await (const chunk of await source.open()) {
		reader.add(chunk);
		yield packets;
		packets = [];
	}
	reader.end();
	yield packets;
}
