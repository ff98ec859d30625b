import { answerFailure } from '../../shared/errors/errorMessages';
import type { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** A file that was joined from several. */
export interface JoinedAudio {
	/** The file in pieces, in order. Most of them are views of the original files. */
	chunks: Buffer[];
	durationSeconds: number;
}

/** What all parts must have in common. */
interface SoundFormat {
	/** Hertz. */
	sampleRate: number;
	channels: number;
}

/**
 * The failure of a part that cannot be read or joined.
 *
 * @param part its index, from 0
 * @param what is wrong with it, as the rest of a sentence
 */
export function audioFailure(part: number, what: string): GatewayFailure {
	return answerFailure(`the audio of part ${part + 1} ${what}`, { mayHaveBeenCarriedOut: true });
}

/** The failure of a part whose format is not the one of the first part. */
export function mismatchFailure(part: number, found: SoundFormat, first: SoundFormat): GatewayFailure {
	return audioFailure(part, `differs from the first (${describe(found)} instead of ${describe(first)})`);
}

function describe({ sampleRate, channels }: SoundFormat): string {
	return `${sampleRate} Hz, ${channels} ${channels === 1 ? 'channel' : 'channels'}`;
}
