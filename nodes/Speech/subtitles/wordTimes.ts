import type { Place } from '../audio/joiner';
import { matchPauses, type Pause } from './matchPauses';
import type { Word } from './words';

/** Lengths of speech that differ less are equal. */
const TOLERANCE = 1e-6;

/**
 * When each word is spoken. Pauses that can be heard are matched with marks in the text; between two of them, time passes
 * with what is spoken. Pauses after each short step of work.
 *
 * @param words at least one of which takes time
 * @param speech from the first to the last sound of the voice
 * @param pauses within it, in order
 */
export function* wordTimes(words: Word[], speech: Place, pauses: Place[]): Generator<void, Place[]> {
	const heard = heardPauses(speech, pauses);
	const estimated = [0];
	words.forEach(({ seconds }, index) => estimated.push(estimated[index] + seconds));
	const possible = words.flatMap(({ pause }, index) =>
		pause > 0 && index < words.length - 1 ? [index] : [],
	);
	const ends = [...possible, words.length - 1];
	const marks = ends.map((word) => ({ spokenBefore: estimated[word + 1], pauseSeconds: words[word].pause }));
	const timeAt = clockOf(speech.startSeconds, heard);
	const times: Place[] = [];
	let spoken = 0;
	for (const { mark, pause } of yield* matchPauses(marks, heard)) {
		const first = times.length;
		const expected = estimated[ends[mark] + 1] - estimated[first];
		const actual = heard[pause].spokenBefore - spoken;
		const at = (word: number) =>
			spoken + (expected > 0 ? (actual * (estimated[word] - estimated[first])) / expected : 0);
		for (let word = first; word <= ends[mark]; word++) {
			const startSeconds = timeAt(at(word), true);
			times.push({ startSeconds, endSeconds: Math.max(startSeconds, timeAt(at(word + 1), false)) });
		}
		spoken = heard[pause].spokenBefore;
	}
	return times;
}

/** Pauses with the time that is spoken before them; the last one is the end. */
function heardPauses({ startSeconds, endSeconds }: Place, pauses: Place[]): Pause[] {
	let silent = 0;
	const heard = pauses.map((pause) => {
		const seconds = pause.endSeconds - pause.startSeconds;
		const spokenBefore = pause.startSeconds - startSeconds - silent;
		silent += seconds;
		return { spokenBefore, seconds };
	});
	return [...heard, { spokenBefore: endSeconds - startSeconds - silent, seconds: 0 }];
}

/**
 * Tells the time at which so much has been spoken; asked for in ascending order.
 *
 * @returns a function whose second parameter says whether speech goes on there; if not, a pause at this place is not over
 */
function clockOf(startSeconds: number, heard: Pause[]): (spoken: number, goesOn: boolean) => number {
	let next = 0;
	let silent = 0;
	return (spoken, goesOn) => {
		const limit = goesOn ? spoken + TOLERANCE : spoken - TOLERANCE;
		for (; next < heard.length && heard[next].spokenBefore < limit; next++) silent += heard[next].seconds;
		return startSeconds + spoken + silent;
	};
}
