import type { Place } from '../audio/joiner';
import { BREAK, type Break, type Word } from './words';

const ALPHABETIC =
	/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * How long a character is spoken, in seconds; the first kind that matches counts, and other characters take no time. In
 * most languages, people speak about six syllables per second, and in Chinese five (Coupé et al. 2019).
 */
const CHARACTER_SECONDS: Array<[kind: RegExp, seconds: number]> = [
	[/\p{Script=Han}/u, 0.19],
	// About three letters are a syllable.
	[ALPHABETIC, 0.055],
	// Other letters are whole syllables, or their vowels are not written.
	[/\p{L}/u, 0.13],
	// Digits and signs are read as words.
	[/[\p{N}\p{Sc}%‰°+=&@#]/u, 0.3],
];
/** How long voices pause after a word, in seconds. */
const PAUSE_SECONDS: Record<Break, number> = {
	[BREAK.word]: 0,
	[BREAK.clause]: 0.25,
	[BREAK.sentence]: 0.5,
};

/**
 * Estimates when each word of a part is spoken. The times above are scaled to its measured length, so that only their
 * proportions matter.
 *
 * @param part where it begins and ends
 * @returns the times in order; none if the part has no length, or its text nothing to speak
 */
export function wordTimes(words: Word[], part: Place): Place[] {
	const lengths = words.map(({ text, breakAfter }) => ({
		spoken: spokenSeconds(text),
		pause: PAUSE_SECONDS[breakAfter],
	}));
	const total = lengths.reduce((sum, { spoken, pause }) => sum + spoken + pause, 0);
	if (total === 0 || !(part.endSeconds > part.startSeconds)) return [];
	const scale = (part.endSeconds - part.startSeconds) / total;
	let position = part.startSeconds;
	return lengths.map(({ spoken, pause }) => {
		const place = { startSeconds: position, endSeconds: position + scale * spoken };
		position = place.endSeconds + scale * pause;
		return place;
	});
}

function spokenSeconds(word: string): number {
	let seconds = 0;
	for (const character of word) {
		seconds += CHARACTER_SECONDS.find(([kind]) => kind.test(character))?.[1] ?? 0;
	}
	return seconds;
}
