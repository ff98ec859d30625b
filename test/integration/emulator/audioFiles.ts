/** Small readers of the three audio formats, written from their specifications; they throw at anything malformed. */

function demand(condition: boolean, message: string): void {
	if (!condition) throw new Error(message);
}

/** What a WAV file of 16-bit mono PCM holds. */
export function wavFormat(bytes: Buffer): { seconds: number; sampleRate: number; samples: Int16Array } {
	demand(
		bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 16) === 'WAVEfmt ',
		'not WAV',
	);
	demand(bytes.readUInt32LE(4) === bytes.length - 8, 'wrong RIFF size');
	demand(
		bytes.readUInt16LE(20) === 1 && bytes.readUInt16LE(22) === 1 && bytes.readUInt16LE(34) === 16,
		'not PCM',
	);
	demand(
		bytes.toString('latin1', 36, 40) === 'data' && bytes.readUInt32LE(40) === bytes.length - 44,
		'wrong data',
	);
	const sampleRate = bytes.readUInt32LE(24);
	demand(bytes.readUInt32LE(28) === sampleRate * 2 && bytes.readUInt16LE(32) === 2, 'wrong byte rate');
	const samples = Int16Array.from({ length: (bytes.length - 44) / 2 }, (_, index) =>
		bytes.readInt16LE(44 + index * 2),
	);
	return { seconds: samples.length / sampleRate, sampleRate, samples };
}

const mpeg2BitRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const mpeg2SampleRates = [22_050, 24_000, 16_000];

/** The frames of an MPEG-2 layer III file without any tag; each must stand alone (no bit reservoir). */
export function mp3Frames(bytes: Buffer): { seconds: number; frames: number } {
	let frames = 0;
	let seconds = 0;
	for (let position = 0; position < bytes.length; frames++) {
		// Sync word, MPEG-2, layer III, no checksum.
		demand(bytes.readUInt16BE(position) === 0xfff3, `no frame at byte ${position}`);
		const third = bytes[position + 2];
		const bitRate = mpeg2BitRates[third >> 4] * 1000;
		const sampleRate = mpeg2SampleRates[(third >> 2) & 3];
		demand(bytes[position + 3] >> 6 === 3, 'not mono');
		demand(bytes[position + 4] === 0, 'the frame leans on an earlier one');
		position += Math.floor((72 * bitRate) / sampleRate) + ((third >> 1) & 1);
		demand(position <= bytes.length, 'the last frame is incomplete');
		seconds += 576 / sampleRate;
	}
	return { seconds, frames };
}

/** The checksum of an Ogg page, bit by bit. */
export function oggChecksum(page: Buffer): number {
	let value = 0;
	page.forEach((byte, index) => {
		// The checksum's own place counts as zero.
		value ^= (index >= 22 && index < 26 ? 0 : byte) << 24;
		for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
	});
	return value >>> 0;
}

/** The Opus packets of an Ogg file with one stream of 20 ms packets (RFC 3533, RFC 7845). */
export function opusPackets(bytes: Buffer): { seconds: number; packets: Buffer[] } {
	const packets: Buffer[] = [];
	let granule = 0;
	let preSkip = 0;
	for (let position = 0, sequence = 0; position < bytes.length; sequence++) {
		demand(bytes.toString('latin1', position, position + 4) === 'OggS', `no page at byte ${position}`);
		const lengths = bytes.subarray(position + 27, position + 27 + bytes[position + 26]);
		const start = position + 27 + lengths.length;
		const end = start + lengths.reduce((sum, length) => sum + length, 0);
		demand(bytes.readUInt32LE(position + 18) === sequence, 'pages out of order');
		demand(
			bytes.readUInt32LE(position + 22) === oggChecksum(bytes.subarray(position, end)),
			'wrong checksum',
		);
		const flags = bytes[position + 5];
		demand(flags === (sequence === 0 ? 2 : end === bytes.length ? 4 : 0), 'wrong page flags');
		granule = Number(bytes.readBigUInt64LE(position + 6));

		let packetStart = start;
		for (const length of lengths) {
			demand(length < 255, 'a packet goes on in the next segment');
			const packet = bytes.subarray(packetStart, packetStart + length);
			packetStart += length;
			if (sequence === 0) {
				demand(packet.toString('latin1', 0, 8) === 'OpusHead', 'no OpusHead');
				preSkip = packet.readUInt16LE(10);
			} else if (sequence === 1) demand(packet.toString('latin1', 0, 8) === 'OpusTags', 'no OpusTags');
			else packets.push(packet);
		}
		const complete = packets.length * 960;
		const isLast = end === bytes.length;
		demand(isLast ? granule <= complete && granule > complete - 960 : granule === complete, 'wrong position');
		position = end;
	}
	return { seconds: (granule - preSkip) / 48_000, packets };
}
