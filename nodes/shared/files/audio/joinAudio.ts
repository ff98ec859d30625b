import { detectMediaType } from '../mediaTypes';
import { audioFailure } from './audioFailure';
import { durationOf, joinMp3, soundFrames } from './mp3';
import { inspectWav, joinWav, type Sound } from './wav';

/**
 * Joins parts of one recording into one playable file. What they are is read from their bytes.
 *
 * @throws GatewayFailure (kind `answer`) when the parts are neither MP3 nor WAV, or do not fit together
 */
export function joinAudio(parts: Buffer[]): Sound {
	switch (detectMediaType(parts[0])) {
		case 'audio/mpeg':
			return joinMp3(parts);
		case 'audio/wav':
			return joinWav(parts);
		default:
			throw audioFailure(0, 'is neither MP3 nor WAV and cannot be joined; choose one of these formats');
	}
}

/** Seconds of sound in an MP3 or WAV file, or undefined for anything else. */
export function audioDuration(bytes: Buffer): number | undefined {
	switch (detectMediaType(bytes)) {
		case 'audio/mpeg': {
			const frames = soundFrames(bytes);
			return frames.length > 0 ? durationOf(frames) : undefined;
		}
		case 'audio/wav': {
			const facts = inspectWav(bytes);
			return facts && facts.dataLength / facts.byteRate;
		}
		default:
			return undefined;
	}
}
