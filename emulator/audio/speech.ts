import { isEastAsian } from '../text';
import { beatSeconds } from './notes';

const pauseCharacter = /[\s\p{Punctuation}]/u;
const secondsPerCharacter = { eastAsian: 1 / 4, other: 1 / 14 };
const notesPerVoice = 5;
const voiceRanges = 8;

/** A text and how to speak it. */
export interface Utterance {
	text: string;
	voice: string;
	/** A factor; 2 is twice as fast. */
	speed: number;
}

function secondsFor(character: string): number {
	return isEastAsian(character) ? secondsPerCharacter.eastAsian : secondsPerCharacter.other;
}

/** Returns the number of beats of an utterance, which is at least one. */
export function beatCount({ text, speed }: Utterance): number {
	let seconds = 0;
	for (const character of text) seconds += secondsFor(character) / speed;
	// The tolerance prevents an extra beat from rounding errors, for example in 14 × 1/14.
	return Math.max(1, Math.ceil(seconds / beatSeconds - 1e-6));
}

/**
 * Yields the notes of an utterance, one per beat. Each depends on the character "spoken" at that time and on the voice;
 * spaces and punctuation are rests. The same utterance always sounds the same.
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
