/** A small reader of Ogg Opus, written from its specifications. It throws on malformed files. */

function assert(condition: boolean, message: string): void {
	if (!condition) throw new Error(message);
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
