import { mp3File } from '../../../emulator/audio/mp3';
import { oggOpusFile } from '../../../emulator/audio/oggOpus';
import { beatCount, melody } from '../../../emulator/audio/speech';
import { wavFile } from '../../../emulator/audio/wav';
import { joinerFor } from '../../../nodes/Speech/audio/formats';
import { type Joiner, partFails, type Place, type ReadAudio } from '../../../nodes/Speech/audio/joiner';
import { audioInMemory } from './joined';

const ENCODERS = { mp3: mp3File, opus: oggOpusFile, wav: wavFile };

export type SpokenFormat = keyof typeof ENCODERS;
export const SPOKEN_FORMATS = Object.keys(ENCODERS) as SpokenFormat[];

/** What the emulator makes of a text. */
export function spoken(text: string, format: SpokenFormat, voice = 'Anders'): Buffer {
	const utterance = { text, voice, speed: 1 };
	return Buffer.concat([...ENCODERS[format](melody(utterance), beatCount(utterance))]);
}

/** Files, and silence in seconds, one after another. */
export async function joinAll(pieces: Array<Buffer | number>): Promise<{ joiner: Joiner; places: Place[] }> {
	const files = pieces.filter((piece) => typeof piece !== 'number');
	const joiner = await joinerFor(audioInMemory(files[0], partFails(1)));
	const read: ReadAudio[] = [];
	for (const [index, file] of files.entries()) {
		read.push(await joiner.read(audioInMemory(file, partFails(index + 1))));
	}
	const places = pieces.map((piece) =>
		typeof piece === 'number' ? joiner.appendSilence(piece) : read.shift()!.append(),
	);
	return { joiner, places };
}
