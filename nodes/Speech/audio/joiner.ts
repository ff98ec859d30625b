import type { AudioTags } from '../tags/audioTags';
import { answerFailure } from '../../shared/errors/errorMessages';
import type { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** A file that can be read as often as needed. */
export interface AudioSource {
	/** The failure when it cannot be read or joined. @param what is wrong with its audio, as the rest of a sentence */
	fail(this: void, what: string): GatewayFailure;
	/** Length in bytes; undefined when it is not known. */
	size?: number;
	open(): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** The failure of a part of a speech. @param number from 1 */
export function partFails(number: number): AudioSource['fail'] {
	return (what) => answerFailure(`the audio of part ${number} ${what}`, { mayHaveBeenCarriedOut: true });
}

/** Where something is in the joined file. */
export interface Place {
	startSeconds: number;
	endSeconds: number;
}

/** A file that has been read and fits the others. */
export interface ReadAudio {
	/** Puts it at the end of the joined file. */
	append(this: void): Place;
}

/**
 * Joins files of one format into one that plays and seeks like any other. Each file is read twice, once for what the
 * header of the joined file says and once for its sound, and is never in memory as a whole.
 */
export interface Joiner {
	/** Reads a file. The first one decides what the others must have in common. @throws GatewayFailure (kind `answer`) */
	read(source: AudioSource): Promise<ReadAudio>;
	/** Puts silence at the end, after a file has been read; it lasts as long as the format allows, without adding up differences. */
	appendSilence(seconds: number): Place;
	/** Length of the joined file. */
	readonly seconds: number;
	readonly mimeType: string;
	/** The joined file. @param tags undefined for a file without tags */
	chunks(tags?: AudioTags): AsyncGenerator<Buffer>;
}

/** What all files must have in common. */
interface SoundFormat {
	/** Hertz. */
	sampleRate: number;
	channels: number;
	/** How samples are written, where that differs from file to file: for example “16 bits”. */
	encoding?: string;
}

/** @throws GatewayFailure for a file whose format is not the one of the first */
export function requireSameFormat(source: AudioSource, found: SoundFormat, first: SoundFormat): void {
	const [own, others] = [found, first].map(({ sampleRate, channels, encoding }) => {
		const sound = `${sampleRate} Hz, ${channels} ${channels === 1 ? 'channel' : 'channels'}`;
		return encoding === undefined ? sound : `${sound}, ${encoding}`;
	});
	if (own !== others) throw source.fail(`differs from the first (${own} instead of ${others})`);
}

/**
 * Rounds lengths to whole units, such as frames, so that the differences do not add up.
 *
 * @returns the number of units for the next length
 */
export function wholeUnits(): (units: number) => number {
	let owed = 0;
	return (units) => {
		const whole = Math.max(0, Math.round(units + owed));
		owed += units - whole;
		return whole;
	};
}

/** Seconds as items have them. */
export function roundedSeconds(seconds: number): number {
	return Math.round(seconds * 100) / 100;
}

/** A position as tags and subtitles have it: 01:02:03.456. */
export function clockTime(seconds: number): string {
	const milliseconds = Math.max(0, Math.round(seconds * 1000));
	const hours = String(Math.floor(milliseconds / 3_600_000)).padStart(2, '0');
	return hours + new Date(milliseconds).toISOString().slice(13, 23);
}
