/** Small readers of two audio formats, written from their specifications. They throw on malformed files. */

function assert(condition: boolean, message: string): void {
	if (!condition) throw new Error(message);
}

const mpeg2BitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mpeg2SampleRates = [22_050, 24_000, 16_000];

/** Reads the frames of an MPEG-2 layer III file without tags; each must be independent (no bit reservoir). */
export function mp3Frames(bytes: Buffer): { seconds: number; frames: number } {
	let frames = 0;
	let seconds = 0;
	for (let position = 0; position < bytes.length; frames++) {
		// Sync word, MPEG-2, layer III, no checksum.
		assert(bytes.readUInt16BE(position) === 0xfff3, `no frame at byte ${position}`);
		const third = bytes[position + 2];
		const bitRate = mpeg2BitRates[third >> 4] * 1000;
		const sampleRate = mpeg2SampleRates[(third >> 2) & 3];
		assert(bytes[position + 3] >> 6 === 3, 'not mono');
		assert(bytes[position + 4] === 0, 'the frame depends on an earlier frame');
		position += Math.floor((72 * bitRate) / sampleRate) + ((third >> 1) & 1);
		assert(position <= bytes.length, 'the last frame is incomplete');
		seconds += 576 / sampleRate;
	}
	return { seconds, frames };
}

/** The checksum of an Ogg page, computed bit by bit. */
export function oggChecksum(page: Buffer): number {
	let value = 0;
	page.forEach((byte, index) => {
		// The bytes of the checksum itself count as zero.
		value ^= (index >= 22 && index < 26 ? 0 : byte) << 24;
		for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
	});
	return value >>> 0;
}

/** Reads the Opus packets of an Ogg file with one stream of 20 ms packets (RFC 3533, RFC 7845). */
export function opusPackets(bytes: Buffer): { seconds: number; packets: Buffer[] } {
	const packets: Buffer[] = [];
	let granule = 0;
	let preSkip = 0;
	for (let position = 0, sequence = 0; position < bytes.length; sequence++) {
		assert(bytes.toString('latin1', position, position + 4) === 'OggS', `no page at byte ${position}`);
		const lengths = bytes.subarray(position + 27, position + 27 + bytes[position + 26]);
		const start = position + 27 + lengths.length;
		const end = start + lengths.reduce((sum, length) => sum + length, 0);
		assert(bytes.readUInt32LE(position + 18) === sequence, 'wrong page order');
		assert(
			bytes.readUInt32LE(position + 22) === oggChecksum(bytes.subarray(position, end)),
			'wrong checksum',
		);
		const flags = bytes[position + 5];
		assert(flags === (sequence === 0 ? 2 : end === bytes.length ? 4 : 0), 'wrong page flags');
		granule = Number(bytes.readBigUInt64LE(position + 6));

		let packetStart = start;
		for (const length of lengths) {
			assert(length < 255, 'a packet continues in the next segment');
			const packet = bytes.subarray(packetStart, packetStart + length);
			packetStart += length;
			if (sequence === 0) {
				assert(packet.toString('latin1', 0, 8) === 'OpusHead', 'no OpusHead');
				preSkip = packet.readUInt16LE(10);
			} else if (sequence === 1) assert(packet.toString('latin1', 0, 8) === 'OpusTags', 'no OpusTags');
			else packets.push(packet);
		}
		const complete = packets.length * 960;
		const isLast = end === bytes.length;
		assert(isLast ? granule <= complete && granule > complete - 960 : granule === complete, 'wrong position');
		position = end;
	}
	return { seconds: (granule - preSkip) / 48_000, packets };
}
