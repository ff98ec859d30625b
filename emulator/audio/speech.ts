import { isEastAsian } from '../text';
import { beatSeconds } from './notes';

const pauseCharacter = /[\s\p{Punctuation}]/u;
const secondsPerCharacter = { eastAsian: 1 / 4, other: 1 / 14 };
const notesPerVoice = 5;
const voiceRanges = 8;

/** What is to be spoken. */
export interface Utterance {
	text: string;
	voice: string;
	/** 2 speaks twice as fast. */
	speed: number;
}

function secondsFor(character: string): number {
	return isEastAsian(character) ? secondsPerCharacter.eastAsian : secondsPerCharacter.other;
}

/** How many beats an utterance has; at least one. */
export function beatCount({ text, speed }: Utterance): number {
	let seconds = 0;
	for (const character of text) seconds += secondsFor(character) / speed;
	// The tiny allowance keeps sums such as 14 × 1/14 from becoming one beat longer.
	return Math.max(1, Math.ceil(seconds / beatSeconds - 1e-6));
}

/**
 * The notes of an utterance, one per beat: each follows the character that is "spoken" then, in the range of the
 * voice, with rests at spaces and punctuation. The same utterance always sounds the same.
 */
export function* melody(utterance: Utterance): Generator<number> {
	const { text, voice, speed } = utterance;
	const range = [...voice].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % voiceRanges;
	const count = beatCount(utterance);
	let sent = 0;
	let seconds = 0;
	for (const character of text) {
		seconds += secondsFor(character) / speed;
		const isPause = pauseCharacter.test(character);
		const note = isPause ? 0 : 1 + range + ((character.codePointAt(0) ?? 0) % notesPerVoice);
		for (; sent < count && sent * beatSeconds < seconds; sent++) yield note;
	}
	for (; sent < count; sent++) yield 0;
}
