import { audioFailure, type JoinedAudio } from './joinedAudio';
import { MAX_PACKET_BYTES, MAX_SEGMENTS, OggWriter, segmentsOf } from './ogg';
import { OPUS_RATE, opusStreams, type OpusPacket, type OpusStream } from './opus';

/** Samples per page. Players seek to the beginnings of pages. */
const PAGE_SAMPLES = OPUS_RATE;
const VENDOR = 'n8n-nodes-unified-ai-gateway';

/** A stream whose ends may be trimmed. */
interface Piece {
	packets: OpusPacket[];
	/** Samples at its beginning and end that are not to be played. */
	before: number;
	after: number;
}

/**
 * Joins Ogg Opus files into one logical stream with one header and continuous page numbers and positions, so that
 * players show the right duration and can seek everywhere.
 *
 * At the seams, samples that are not to be played are dropped in whole packets. The duration stays within half a packet
 * (usually 10 ms) of the sum of the parts, regardless of their number.
 *
 * @throws GatewayFailure (kind `answer`) for the first part that cannot be read or does not fit
 */
export function joinOpus(parts: Buffer[]): JoinedAudio {
	const streams = parts.flatMap((part, index) => readPart(part, index));
	const [{ stream: first }] = streams;
	for (const { stream, part } of streams) {
		if (!sameKind(stream.head, first.head)) {
			throw audioFailure(part, 'differs from the first in channels or loudness');
		}
	}
	const pieces = streams.map(({ stream: { packets, preSkip, endPadding } }) => ({
		packets,
		before: preSkip,
		after: endPadding,
	}));
	trimSeams(pieces);
	const after = trimEnd(pieces[pieces.length - 1]);
	const packets = pieces.flatMap((piece) => piece.packets);
	const played = packets.reduce((sum, { samples }) => sum + samples, 0) - after;
	return {
		chunks: writeStream(first, packets, played),
		durationSeconds: (played - first.preSkip) / OPUS_RATE,
	};
}

function readPart(bytes: Buffer, part: number): Array<{ stream: OpusStream; part: number }> {
	const streams = opusStreams(bytes);
	const fits = streams?.every(({ packets }) =>
		packets.every((packet) => packet.bytes.length <= MAX_PACKET_BYTES),
	);
	if (!streams || !fits) throw audioFailure(part, 'is not a readable Ogg Opus file, or it is damaged');
	return streams.map((stream) => ({ stream, part }));
}

/** Version, channels, output gain, and channel mapping affect how packets are decoded; other fields may differ. */
function sameKind(head: Buffer, other: Buffer): boolean {
	return head.subarray(8, 10).equals(other.subarray(8, 10)) && head.subarray(16).equals(other.subarray(16));
}

/** Drops packets at the seams that contain, in total, the samples that are not to be played there. */
function trimSeams(pieces: Piece[]): void {
	let surplus = 0;
	for (let index = 1; index < pieces.length; index++) {
		const earlier = pieces[index - 1];
		const later = pieces[index];
		surplus += earlier.after + later.before;
		for (;;) {
			// The packet with more silence goes first.
			const atEnd = earlier.after >= later.before;
			const candidates = atEnd ? earlier.packets : later.packets;
			const packet = candidates.at(atEnd ? -1 : 0);
			if (!packet || candidates.length === 1 || surplus < packet.samples / 2) break;
			surplus -= packet.samples;
			if (atEnd) {
				earlier.packets = earlier.packets.slice(0, -1);
				earlier.after = Math.max(0, earlier.after - packet.samples);
			} else {
				later.packets = later.packets.slice(1);
				later.before = Math.max(0, later.before - packet.samples);
			}
		}
	}
}

/**
 * Drops packets at the end that are not played at all, because the end must be a position within the last packet.
 *
 * @returns samples of the last packet that are not played
 */
function trimEnd(piece: Piece): number {
	let { after } = piece;
	while (piece.packets.length > 1 && after >= piece.packets[piece.packets.length - 1].samples) {
		after -= piece.packets[piece.packets.length - 1].samples;
		piece.packets = piece.packets.slice(0, -1);
	}
	return after;
}

/** @param played samples up to the end, including those that are skipped at the beginning */
function writeStream({ serial, head }: OpusStream, packets: OpusPacket[], played: number): Buffer[] {
	const writer = new OggWriter(serial);
	writer.write([head], 0);
	writer.write([tags()], 0);
	let waiting: Buffer[] = [];
	let segments = 0;
	let position = 0;
	let pageStart = 0;
	for (const { bytes, samples } of packets) {
		const isFull = position - pageStart >= PAGE_SAMPLES || segments + segmentsOf(bytes) > MAX_SEGMENTS;
		if (waiting.length > 0 && isFull) {
			writer.write(waiting, position);
			waiting = [];
			segments = 0;
			pageStart = position;
		}
		waiting.push(bytes);
		segments += segmentsOf(bytes);
		position += samples;
	}
	writer.write(waiting, played, true);
	return writer.pages;
}

/** Tags without comments: the title or loudness of a part may not apply to the whole. */
function tags(): Buffer {
	const bytes = Buffer.alloc(8 + 4 + VENDOR.length + 4);
	bytes.write('OpusTags', 0, 'latin1');
	bytes.writeUInt32LE(VENDOR.length, 8);
	bytes.write(VENDOR, 12, 'latin1');
	return bytes;
}
