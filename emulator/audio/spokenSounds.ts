import { beatSeconds, type Sound } from './notes';
import { noteOf, type Utterance } from './speech';
import { type Silence, type SpokenText, wordTimes } from './wordTimes';

/** A note is audible for this long; the rest of its beat is silent. */
const soundingSeconds = 0.1;

/** An utterance as sounds, and when each word is in them. */
export interface SpokenSounds extends SpokenText {
	sounds: Sound[];
}

function rest(steps: number, stepsPerBeat: number): Sound[] {
	const beats = Array.from({ length: Math.floor(steps / stepsPerBeat) }, () => 0);
	return steps % stepsPerBeat === 0 ? beats : [...beats, { note: 0, steps: steps % stepsPerBeat }];
}

/** The steps of a format. */
export interface Steps {
	stepsPerBeat: number;
	/** For how many steps a sound goes on after its last one: a decoder blends MP3 frames. */
	fadingSteps: number;
}

/** One note after another without silence between them. */
function sung(word: string, voice: string, steps: number, longest: number): Sound[] {
	const characters = [...word];
	return Array.from({ length: Math.ceil(steps / longest) }, (_, index) => ({
		note: noteOf(characters[index % characters.length], voice),
		steps: Math.min(longest, steps - index * longest),
	}));
}

/**
 * An utterance with realistic timing: notes while a word is spoken, silence in pauses. Its times are those of the sounds.
 * Words begin and end with a step.
 */
export function spokenSounds(
	utterance: Utterance,
	{ stepsPerBeat, fadingSteps }: Steps,
	silence: Partial<Silence> = {},
): SpokenSounds {
	const stepSeconds = beatSeconds / stepsPerBeat;
	// The tolerance keeps rounding errors from shortening a note.
	const longest = Math.floor(soundingSeconds / stepSeconds + 1e-6);
	const spoken = wordTimes(utterance, silence);
	const sounds: Sound[] = [];
	let at = 0;
	const words = spoken.words.map(({ text, startSeconds, endSeconds }) => {
		const start = Math.max(at, Math.round(startSeconds / stepSeconds));
		const end = Math.max(start + 1, Math.round(endSeconds / stepSeconds));
		const sounding = Math.max(1, end - start - fadingSteps);
		sounds.push(...rest(start - at, stepsPerBeat));
		sounds.push(...sung(text, utterance.voice, sounding, longest));
		sounds.push(...rest(end - start - sounding, stepsPerBeat));
		at = end;
		return { text, startSeconds: start * stepSeconds, endSeconds: end * stepSeconds };
	});
	const steps = Math.max(at, Math.ceil(spoken.seconds / stepSeconds));
	sounds.push(...rest(steps - at, stepsPerBeat));
	return { seconds: steps * stepSeconds, words, sounds };
}
