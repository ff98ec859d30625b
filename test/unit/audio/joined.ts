import { buffer } from 'node:stream/consumers';
import { mp3File } from '../../../emulator/audio/mp3';
import { oggOpusFile } from '../../../emulator/audio/oggOpus';
import { beatCount, melody } from '../../../emulator/audio/speech';
import { wavFile } from '../../../emulator/audio/wav';
import { answerFailure } from '../../../nodes/shared/failure/words';
import type { AudioScanner, AudioSource, Sound } from '../../../nodes/audio/audioFormat';
import { formatOf } from '../../../nodes/audio/formats';
import { Joiner } from '../../../nodes/audio/joiner';
import { Mp3Scanner } from '../../../nodes/audio/mp3Frames';
import { type OpusPacket, OpusReader } from '../../../nodes/audio/opusReader';
import type { Place } from '../../../nodes/audio/audioTags';

const ENCODERS = { mp3: mp3File, opus: oggOpusFile, wav: wavFile };

export type SpokenFormat = keyof typeof ENCODERS;
export const SPOKEN_FORMATS = Object.keys(ENCODERS) as SpokenFormat[];

/** Returns the speech that the emulator makes from a text. */
export function spoken(text: string, format: SpokenFormat, voice = 'Anders'): Buffer {
	const utterance = { text, voice, speed: 1 };
	return Buffer.concat([...ENCODERS[format](melody(utterance), beatCount(utterance))]);
}

/** A file that arrives in chunks of this length. @param number of the part in failures */
function audioInMemory(bytes: Buffer, number: number, chunkBytes = bytes.length): AudioSource {
	return {
		fail: (what) => answerFailure(`the audio of part ${number} ${what}`),
		size: bytes.length,
		*open() {
			// Each chunk has its own memory, like a chunk from the network or a file.
			for (let at = 0; at < bytes.length; at += chunkBytes) {
				yield Buffer.from(bytes.subarray(at, at + chunkBytes));
			}
		},
	};
}

/** Joins files and silence, whose length is in seconds. */
export async function joinAll(
	pieces: Array<Buffer | number>,
	chunkBytes?: number,
): Promise<{ joiner: Joiner; places: Place[] }> {
	const joiner = new Joiner();
	const sounds: Sound[] = [];
	for (const [index, piece] of pieces.entries()) {
		if (typeof piece === 'number') continue;
		const source = audioInMemory(piece, index + 1, chunkBytes);
		const sound = await joiner.read(source);
		joiner.checkKind(source, sound);
		sounds.push(sound);
	}
	const places = pieces.map((piece) =>
		typeof piece === 'number' ? joiner.appendSilence(piece) : joiner.append(sounds.shift()!),
	);
	return { joiner, places };
}

/** Joins files like Speech joins the parts of a long text. */
export async function joined(parts: Buffer[]): Promise<{ bytes: Buffer; durationSeconds: number }> {
	const { joiner } = await joinAll(parts);
	return { bytes: await buffer(joiner.chunks()), durationSeconds: joiner.seconds };
}

/** Returns the scanner after it has read a whole file, whose end arrives by itself. */
export function scanned<Scanner extends AudioScanner>(scanner: Scanner, bytes: Buffer): Scanner {
	for (const chunk of [bytes.subarray(0, -7), bytes.subarray(-7)]) scanner.add(chunk);
	scanner.end();
	return scanner;
}

/** Returns the complete sound frames of an MP3 file. */
export function soundFrames(bytes: Buffer): Buffer[] {
	const frames: Buffer[] = [];
	scanned(new Mp3Scanner((frame) => frames.push(frame)), bytes);
	return frames;
}

/** Returns the packets of sound of an Opus file; undefined if it cannot be read. */
export function packetsOf(bytes: Buffer): OpusPacket[] | undefined {
	const packets: OpusPacket[] = [];
	const reader = new OpusReader((packet) => packets.push(packet));
	return scanned(reader, bytes).sound && packets;
}

/** Duration of an audio file in seconds, as the node measures it; undefined for a format that it cannot measure. */
export function audioDuration(bytes: Buffer): number | undefined {
	const scanner = formatOf(bytes)?.scanner();
	return scanner && scanned(scanner, bytes).seconds;
}
