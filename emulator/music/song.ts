import { beatSeconds } from '../audio/notes';
import { Dice } from '../random';

const barBeats = 16;
const minBars = 4;
const maxBars = 8;

/** A melody. */
export interface Song {
	/** One note per beat; 0 is a rest. */
	notes: number[];
	seconds: number;
}

/**
 * Composes a short song with verses and a refrain. The same seed always returns the same song.
 * @param seed for example the id of a track
 */
export function composeSong(seed: string): Song {
	const dice = new Dice('song', seed);
	const phrase = () => Array.from({ length: barBeats }, () => (dice.next() < 0.3 ? 0 : dice.integer(1, 12)));
	const verse = phrase();
	const refrain = phrase();
	const bars = dice.integer(minBars, maxBars);
	const notes = Array.from({ length: bars }, (_, bar) => (bar % 4 === 3 ? refrain : verse)).flat();
	return { notes, seconds: Number((notes.length * beatSeconds).toFixed(2)) };
}
