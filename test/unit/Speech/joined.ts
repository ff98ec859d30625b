import { joinAudio } from '../../../nodes/Speech/audio/formats';
import { audioInMemory, partFails } from '../../../nodes/Speech/audio/joiner';
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

/** The packets of each Opus stream of a file; undefined when it cannot be read. */
export function packetsOfStreams(
	bytes: Buffer,
): Array<Array<{ bytes: Buffer; samples: number }>> | undefined {
	const packets: Array<Array<{ bytes: Buffer; samples: number }>> = [];
	const reader = new OpusReader((packet, stream) => (packets[stream] ??= []).push(packet));
	reader.add(bytes);
	reader.end();
	return reader.streams && packets;
}
