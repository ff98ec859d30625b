import { detectMediaType } from '../../shared/files/mediaTypes';
import type { AudioScanner } from '../../shared/audio/audioScanner';
import { audioFailure } from '../../shared/audio/audioFailure';
import { joinOpus } from './joinOpus';
import { joinMp3 } from './mp3';
import { Mp3Scanner } from './mp3Frames';
import { OpusScanner } from './opus';
import type { Sound } from '../../shared/audio/sound';
import { joinWav, WavScanner } from '../../shared/audio/wav';

/**
 * Joins parts of one recording into one file that plays and seeks like any other. What they are is read from
 * their bytes.
 *
 * @throws GatewayFailure (kind `answer`) when the parts are of another kind, or do not fit together
 */
export function joinAudio(parts: Buffer[]): Sound {
	switch (detectMediaType(parts[0])) {
		case 'audio/mpeg':
			return joinMp3(parts);
		case 'audio/wav':
			return joinWav(parts);
		case 'audio/ogg':
			return joinOpus(parts);
		default:
			throw audioFailure(
				0,
				'is none of MP3, WAV and Ogg Opus and cannot be joined; choose one of these formats',
			);
	}
}

/** What reads the length of a file that begins with these bytes, or undefined when nothing does. */
export function audioScanner(firstBytes: Buffer): AudioScanner | undefined {
	switch (detectMediaType(firstBytes)) {
		case 'audio/mpeg':
			return new Mp3Scanner();
		case 'audio/wav':
			return new WavScanner();
		case 'audio/ogg':
			return new OpusScanner();
		default:
			return undefined;
	}
}

/** Seconds of sound in an MP3, WAV or Ogg Opus file, or undefined for anything else. */
export function audioDuration(bytes: Buffer): number | undefined {
	const scanner = audioScanner(bytes);
	scanner?.add(bytes);
	scanner?.end();
	return scanner?.seconds;
}
