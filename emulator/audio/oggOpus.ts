import { opusBeats } from './data/encodedNotes';

/** Each packet lasts 20 ms. */
export const opusPacketsPerBeat = 6;

const beatsPerPage = 8;
/** Ogg counts Opus in samples at 48 kHz. */
const samplesPerPacket = 960;
/** Samples that the encoder adds at the start and the player skips. */
const preSkip = 312;
const streamNumber = 0x454d554c;
const pageFlags = { continued: 1, first: 2, last: 4 };

const beats = opusBeats.map((beat) => {
	const bytes = Buffer.from(beat, 'base64');
	const size = bytes.length / opusPacketsPerBeat;
	return Array.from({ length: opusPacketsPerBeat }, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
});

/** Ogg's CRC uses the polynomial 04C11DB7, not reflected, unlike zip's. */
const checksumTable = Uint32Array.from({ length: 256 }, (_, index) => {
	let value = index << 24;
	for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value & 0x8000_0000 ? 0x04c1_1db7 : 0);
	return value >>> 0;
});

/** Returns the checksum of an Ogg page whose own field is zero. */
export function oggChecksum(bytes: Buffer): number {
	let value = 0;
	for (const byte of bytes) value = ((value << 8) ^ checksumTable[(value >>> 24) ^ byte]) >>> 0;
	return value;
}

/** Returns one page of whole packets, each shorter than 255 bytes. */
function page(packets: readonly Buffer[], sequence: number, samples: number, flags: number): Buffer {
	const head = Buffer.alloc(27 + packets.length);
	head.write('OggS', 0, 'latin1');
	head[5] = flags;
	head.writeBigUInt64LE(BigInt(samples), 6);
	head.writeUInt32LE(streamNumber, 14);
	head.writeUInt32LE(sequence, 18);
	head[26] = packets.length;
	packets.forEach((packet, index) => (head[27 + index] = packet.length));
	const bytes = Buffer.concat([head, ...packets]);
	bytes.writeUInt32LE(oggChecksum(bytes), 22);
	return bytes;
}

function opusHead(): Buffer {
	const bytes = Buffer.alloc(19);
	bytes.write('OpusHead', 0, 'latin1');
	bytes[8] = 1; // version
	bytes[9] = 1; // mono
	bytes.writeUInt16LE(preSkip, 10);
	bytes.writeUInt32LE(24_000, 12);
	return bytes;
}

function opusTags(): Buffer {
	const vendor = Buffer.from('gateway emulator');
	const bytes = Buffer.alloc(8 + 4 + vendor.length + 4);
	bytes.write('OpusTags', 0, 'latin1');
	bytes.writeUInt32LE(vendor.length, 8);
	vendor.copy(bytes, 12);
	return bytes;
}

/** Yields the pages of an Ogg file with one Opus stream (RFC 7845). */
export function* oggOpusFile(notes: Iterable<number>): Generator<Buffer> {
	yield page([opusHead()], 0, 0, pageFlags.first);
	yield page([opusTags()], 1, 0, 0);
	let sequence = 2;
	let packetsSent = 0;
	let packets: Buffer[] = [];
	for (const note of notes) {
		if (packets.length >= beatsPerPage * opusPacketsPerBeat) {
			packetsSent += packets.length;
			yield page(packets, sequence++, packetsSent * samplesPerPacket, 0);
			packets = [];
		}
		packets.push(...beats[note]);
	}
	// An extra packet compensates for the pre-skip; the final position cuts off the rest of it.
	const samples = (packetsSent + packets.length) * samplesPerPacket + preSkip;
	yield page([...packets, beats[0][0]], sequence, samples, pageFlags.last);
}
