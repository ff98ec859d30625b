import type { AudioScanner } from '../../../nodes/shared/audio/audioScanner';
import { joinAudio } from '../../../nodes/Speech/audio/formats';
import { audioInMemory, partFails } from '../../../nodes/Speech/audio/joiner';
import { type Frame, Mp3Scanner } from '../../../nodes/Speech/audio/mp3Frames';
import { OpusReader } from '../../../nodes/Speech/audio/opusReader';

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

/** The packets of each Opus stream of a file; undefined when it cannot be read. */
export function packetsOfStreams(
	bytes: Buffer,
): Array<Array<{ bytes: Buffer; samples: number }>> | undefined {
	const packets: Array<Array<{ bytes: Buffer; samples: number }>> = [];
	const reader = new OpusReader((packet, stream) => (packets[stream] ??= []).push(packet));
	return scanned(reader, bytes).streams && packets;
}
