import type { AudioSource, Joiner, Place, ReadAudio } from './joiner';
import type { AudioTags } from '../tags/audioTags';
import { opusTags } from '../tags/vorbisComments';
import { MAX_SEGMENTS, OggWriter, segmentsOf } from './ogg';
import { isSameKind, OPUS_RATE, type OpusPacket, OpusReader, type OpusSound } from './opusReader';

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
	/** The packets that it keeps: from the first one up to the last one, which is not included. */
	from: number;
	to: number;
	read(this: void, from: number, to: number): AsyncIterable<OpusPacket> | Iterable<OpusPacket>;
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
		const { samples, packets, packetSamples, preSkip: before, endPadding: after } = sound;
		const read = (from: number, to: number) => packetsOf(source, from, to);
		const piece: Piece = { samples, before, after, packetSamples, from: 0, to: packets, read };
		return { append: () => this.append(piece) };
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
			from: 0,
			to: packets,
			*read(from, to) {
				for (let index = from; index < to; index++) yield { bytes, samples: SILENCE.samples };
			},
		});
	}

	async *chunks(tags?: AudioTags): AsyncGenerator<Buffer> {
		const { first } = this;
		const last = this.pieces.at(-1);
		if (!first || !last) return;
		// The end must be a position within the last packet.
		const { packetSamples = Number.POSITIVE_INFINITY } = last;
		while (last.to - last.from > 1 && last.after >= packetSamples) this.drop(last, 'after', packetSamples);
		const head = Buffer.from(first.head);
		head.writeUInt16LE(this.hidden, 10);
		const writer = new OggWriter(first.serial);
		yield writer.page([head], 0);
		yield* writer.headerPages(opusTags(tags));
		let waiting: Buffer[] = [];
		let segments = 0;
		let position = 0;
		let pageStart = 0;
		for (const { read, from, to } of this.pieces) {
			for await (const { bytes, samples } of read(from, to)) {
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
		yield writer.page(waiting, position - last.after, true);
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
		this.pieces.push(piece);
		this.samples += piece.samples;
		if (earlier) this.trimSeam(earlier, piece);
		const startSeconds = earlier ? this.secondsAt(this.samples - piece.samples) : 0;
		return { startSeconds, endSeconds: this.seconds };
	}

	/** Drops packets at a seam that contain, in total, the samples that are not to be played there. */
	private trimSeam(earlier: Piece, later: Piece): void {
		this.surplus += earlier.after + later.before;
		for (;;) {
			// The packet with more silence goes first.
			const atEnd = earlier.after >= later.before;
			const piece = atEnd ? earlier : later;
			const { packetSamples, from, to } = piece;
			if (packetSamples === undefined || to - from <= 1 || this.surplus < packetSamples / 2) return;
			this.surplus -= packetSamples;
			this.drop(piece, atEnd ? 'after' : 'before', packetSamples);
		}
	}

	/** Drops the first or the last packet of a piece. */
	private drop(piece: Piece, end: 'before' | 'after', samples: number): void {
		if (end === 'before') piece.from += 1;
		else piece.to -= 1;
		piece[end] = Math.max(0, piece[end] - samples);
		piece.samples -= samples;
		this.samples -= samples;
	}
}

/** The packets of a file in a range. */
async function* packetsOf(source: AudioSource, from: number, to: number): AsyncGenerator<OpusPacket> {
	const packets: OpusPacket[] = [];
	const reader = new OpusReader((packet, index) => {
		if (index >= from && index < to) packets.push(packet);
	});
	for await (const chunk of await source.open()) {
		reader.add(chunk);
		yield* packets.splice(0);
	}
	reader.end();
	yield* packets;
}
