import type { AudioScanner } from '../../../nodes/shared/files/audioScanner';
import { joinAudio, scannerFor } from '../../../nodes/Speech/audio/formats';
import { type AudioSource, partFails } from '../../../nodes/Speech/audio/joiner';
import { type Frame, Mp3Scanner } from '../../../nodes/Speech/audio/mp3Frames';
import { type OpusPacket, OpusReader } from '../../../nodes/Speech/audio/opusReader';

/** A file in memory. */
export function audioInMemory(bytes: Buffer, fail: AudioSource['fail']): AudioSource {
	return { fail, size: bytes.length, open: () => [bytes] };
}

/** Files as Speech joins the parts of a long text. */
export async function joined(parts: Buffer[]): Promise<{ bytes: Buffer; durationSeconds: number }> {
	const joiner = await joinAudio(parts.map((bytes, index) => audioInMemory(bytes, partFails(index + 1))));
	return { bytes: await allOf(joiner.chunks()), durationSeconds: joiner.seconds };
}

/** All chunks as one file. */
export async function allOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
	const all: Buffer[] = [];
	for await (const chunk of chunks) all.push(chunk);
	return Buffer.concat(all);
}

/** The scanner after it has read a whole file. */
export function scanned<Scanner extends AudioScanner>(scanner: Scanner, bytes: Buffer): Scanner {
	scanner.add(bytes);
	scanner.end();
	return scanner;
}

/** The complete sound frames of an MP3 file. */
export function soundFrames(bytes: Buffer): Frame[] {
	const frames: Frame[] = [];
	scanned(new Mp3Scanner((frame) => frames.push(frame)), bytes);
	return frames;
}

/** The packets of sound of an Opus file; undefined when it cannot be read. */
export function packetsOf(bytes: Buffer): OpusPacket[] | undefined {
	const packets: OpusPacket[] = [];
	const reader = new OpusReader((packet) => packets.push(packet));
	return scanned(reader, bytes).sound && packets;
}

/** Duration of an audio file in seconds, as the node measures it; undefined for a format that it cannot measure. */
export function audioDuration(bytes: Buffer): number | undefined {
	const scanner = scannerFor(bytes);
	return scanner && scanned(scanner, bytes).seconds;
}
