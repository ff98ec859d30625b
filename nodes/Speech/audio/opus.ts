/** Positions in Ogg Opus count samples of 48 kHz, whatever the sample rate of the recording. */
export const OPUS_RATE = 48_000;

/** A packet and its number of samples. */
export interface OpusPacket {
	bytes: Buffer;
	samples: number;
}

/** Samples per frame, by the upper five bits of a packet's first byte (RFC 6716, 3.1). */
const FRAME_SAMPLES = [
	...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
	...[480, 960, 480, 960],
	...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
];
/** A packet contains at most 120 ms. */
const MAX_PACKET_SAMPLES = 5760;

/** Number of samples in a packet, or undefined when it is not valid. */
export function samplesOf(packet: Buffer): number | undefined {
	if (packet.length === 0) return undefined;
	const code = packet[0] & 3;
	if (code === 3 && packet.length < 2) return undefined;
	const frames = code === 0 ? 1 : code === 3 ? packet[1] & 0x3f : 2;
	const samples = frames * FRAME_SAMPLES[packet[0] >> 3];
	return samples > 0 && samples <= MAX_PACKET_SAMPLES ? samples : undefined;
}
