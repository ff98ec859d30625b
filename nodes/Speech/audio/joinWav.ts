import { scanned } from '../../shared/audio/audioScanner';
import { soundLength, WavScanner, type WavFacts } from '../../shared/audio/wavScanner';
import { audioFailure, mismatchFailure, type JoinedAudio } from './joinedAudio';

/** Sizes in a WAV file have 32 bits. */
const MAX_WAV_BYTES = 0xffff_ffff;
/** More than any header needs. */
const MAX_HEADER_BYTES = 10_000;

/**
 * Reads the header of a WAV file.
 *
 * @returns undefined when the bytes are not a WAV file with sound
 */
export function inspectWav(bytes: Buffer): WavFacts | undefined {
	return scanned(new WavScanner(), bytes).facts;
}

/**
 * Joins WAV files of the same format into one file, with a single header and the right sizes.
 *
 * @throws GatewayFailure (kind `answer`) for the first part that does not fit
 */
export function joinWav(parts: Buffer[]): JoinedAudio {
	const facts = parts.map((part, index) => {
		const found = inspectWav(part);
		if (!found) throw audioFailure(index, 'is not a readable WAV file');
		return found;
	});
	const [first] = facts;
	facts.forEach((found, index) => {
		if (!found.format.equals(first.format)) throw mismatchFailure(index, found, first);
	});
	const sound = parts.map((part, index) => {
		const { dataOffset } = facts[index];
		return part.subarray(dataOffset, dataOffset + soundLength(facts[index], part.length));
	});
	const length = sound.reduce((sum, { length: bytes }) => sum + bytes, 0);
	const pad = Buffer.alloc(length % 2);
	if (length + MAX_HEADER_BYTES > MAX_WAV_BYTES) {
		throw audioFailure(parts.length - 1, 'makes the WAV file longer than 4 GB; choose MP3 or Opus');
	}
	return {
		chunks: [header(first.format, length, pad.length), ...sound, pad],
		durationSeconds: length / first.byteRate,
	};
}

function header(format: Buffer, dataLength: number, padLength: number): Buffer {
	const formatPad = format.length % 2;
	const head = Buffer.alloc(20 + format.length + formatPad + 8);
	head.write('RIFF', 0, 'latin1');
	head.writeUInt32LE(head.length - 8 + dataLength + padLength, 4);
	head.write('WAVEfmt ', 8, 'latin1');
	head.writeUInt32LE(format.length, 16);
	format.copy(head, 20);
	head.write('data', head.length - 8, 'latin1');
	head.writeUInt32LE(dataLength, head.length - 4);
	return head;
}
