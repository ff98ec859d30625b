import { beatPcm, noteCount } from './notes';

const sampleRate = 24_000;
const beats = Array.from({ length: noteCount + 1 }, (_, note) => beatPcm(note, sampleRate));

function header(dataBytes: number): Buffer {
	const bytes = Buffer.alloc(44);
	bytes.write('RIFF', 0, 'latin1');
	bytes.writeUInt32LE(36 + dataBytes, 4);
	bytes.write('WAVEfmt ', 8, 'latin1');
	bytes.writeUInt32LE(16, 16);
	bytes.writeUInt16LE(1, 20); // PCM
	bytes.writeUInt16LE(1, 22); // mono
	bytes.writeUInt32LE(sampleRate, 24);
	bytes.writeUInt32LE(sampleRate * 2, 28);
	bytes.writeUInt16LE(2, 32);
	bytes.writeUInt16LE(16, 34);
	bytes.write('data', 36, 'latin1');
	bytes.writeUInt32LE(dataBytes, 40);
	return bytes;
}

/**
 * Yields the chunks of a WAV file (PCM, 16 bit, 24 kHz, mono).
 * @param count number of beats in `notes`, because the header contains the size
 */
export function* wavFile(notes: Iterable<number>, count: number): Generator<Buffer> {
	yield header(count * beats[0].length);
	for (const note of notes) yield beats[note];
}
