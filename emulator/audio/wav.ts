import { beatPcm, noteCount, partOfBeat, type Sound } from './notes';

const sampleRate = 24_000;
/** Each step lasts 1 ms. */
export const wavStepsPerBeat = 120;

const beatsAt = (gainDb: number) =>
	Array.from({ length: noteCount + 1 }, (_, note) => beatPcm(note, sampleRate, gainDb));
const usualBeats = beatsAt(0);
const stepBytes = usualBeats[0].length / wavStepsPerBeat;

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
 * The chunks of a WAV file (PCM, 16 bit, 24 kHz, mono).
 * @param count number of beats in `sounds`, because the header contains the size; a fraction is a number of steps
 * @param gainDb how much louder than usual, at most 0
 */
export function* wavFile(sounds: Iterable<Sound>, count: number, gainDb = 0): Generator<Buffer> {
	const beats = gainDb === 0 ? usualBeats : beatsAt(gainDb);
	yield header(Math.round(count * wavStepsPerBeat) * stepBytes);
	for (const sound of sounds) {
		const { note, steps } = partOfBeat(sound, wavStepsPerBeat);
		yield beats[note].subarray(0, steps * stepBytes);
	}
}
