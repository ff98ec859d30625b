import type { Place } from '../audio/joiner';
import { inLines, LINE_WIDTH, widthOfWords } from './lines';
import { BREAK, type Word, wordsOf } from './words';
import { wordTimes } from './wordTimes';

/** What one request has spoken, and where it is in the file. */
export interface SpokenPart extends Place {
	text: string;
	/** Number of its story; no cue contains parts of two stories. */
	story: number;
}

/** A subtitle. */
export interface Cue extends Place {
	/** One or two. */
	lines: string[];
}

/** A cue stays as long as a person needs to read it, if there is a pause after it. */
const READING = { columnsPerSecond: 20, minSeconds: 1, maxStaySeconds: 1.5 };
/** A shorter gap between two cues would flicker. */
const MIN_GAP_SECONDS = 0.25;

/** Words that are shown together, and when they are spoken. */
interface TimedWords extends Place {
	words: Word[];
	story: number;
	/** Up to when they may stay: where the next part begins, and at the end no longer than the sound. */
	limitSeconds: number;
}

/**
 * Subtitles for speech without timestamps: where each part begins and ends is known, and within a part, times are estimated.
 * Yields before each part, so that other work can run.
 */
export function* cuesOf(parts: SpokenPart[]): Generator<void, Cue[]> {
	const timed: TimedWords[] = [];
	for (const [index, part] of parts.entries()) {
		yield;
		timed.push(...timedWords(part, parts[index + 1]));
	}
	const spoken = withoutShortOnes(timed);
	return spoken.map(({ words, startSeconds, endSeconds, limitSeconds }, index) => {
		const next = Math.min(limitSeconds, spoken[index + 1]?.startSeconds ?? limitSeconds);
		const needed =
			startSeconds + Math.max(READING.minSeconds, widthOfWords(words) / READING.columnsPerSecond);
		const end = Math.min(Math.max(endSeconds, Math.min(needed, endSeconds + READING.maxStaySeconds)), next);
		return {
			startSeconds,
			endSeconds: next - end < MIN_GAP_SECONDS ? next : end,
			lines: inLines(words) ?? [],
		};
	});
}

/** Very short sentences are shown together with the next one, if both fit. */
function withoutShortOnes(all: TimedWords[]): TimedWords[] {
	const result: TimedWords[] = [];
	for (const next of all) {
		const last = result.at(-1);
		const isShort = last !== undefined && next.startSeconds - last.startSeconds < READING.minSeconds;
		const words = isShort && last.story === next.story ? [...spaced(last.words), ...next.words] : undefined;
		if (words && inLines(words))
			result[result.length - 1] = { ...next, words, startSeconds: last!.startSeconds };
		else result.push(next);
	}
	return result;
}

/** Words of which the last one is followed by a space where its script has spaces. */
function spaced(words: Word[]): Word[] {
	const last = words[words.length - 1];
	const isWide = last.width > [...last.text].length;
	return [...words.slice(0, -1), { ...last, hasSpace: last.hasSpace || !isWide }];
}

/** The cues of a part with the time in which their words are spoken. */
function timedWords(part: SpokenPart, next: SpokenPart | undefined): TimedWords[] {
	const words = wordsOf(part.text);
	const times = wordTimes(words, part);
	if (times.length === 0) return [];
	const { story } = part;
	const limitSeconds = next?.startSeconds ?? part.endSeconds;
	let first = 0;
	return inCues(words).map((shown) => {
		const { startSeconds } = times[first];
		first += shown.length;
		return { words: shown, story, startSeconds, endSeconds: times[first - 1].endSeconds, limitSeconds };
	});
}

/** Words in groups of at most two lines that end at the best places. */
function inCues(words: Word[]): Word[][] {
	const cues: Word[][] = [];
	let start = 0;
	while (start < words.length) {
		const end = start + cueLength(words, start);
		cues.push(words.slice(start, end));
		start = end;
	}
	return cues;
}

/** How many words the next cue has. */
function cueLength(words: Word[], start: number): number {
	const sentence = sentenceWidth(words, start);
	// The rest of a sentence in cues of about the same width.
	const count = Math.ceil(sentence / (2 * LINE_WIDTH - 6));
	const target = sentence / count;
	let best = { length: 1, score: Number.NEGATIVE_INFINITY };
	for (let length = 1; start + length <= words.length; length++) {
		const shown = words.slice(start, start + length);
		if (widthOfWords(shown) > 2 * LINE_WIDTH || !inLines(shown)) break;
		const { breakAfter } = shown[length - 1];
		const score = (count === 1 ? 0 : breakAfter * 0.3) - Math.abs(widthOfWords(shown) - target) / target;
		if (score > best.score) best = { length, score };
		if (breakAfter === BREAK.sentence || start + length === words.length) {
			return count === 1 ? length : Math.min(best.length, length);
		}
	}
	return best.length;
}

/** Columns up to the end of the sentence, as far as it matters. */
function sentenceWidth(words: Word[], start: number): number {
	let width = 0;
	for (let index = start; index < words.length; index++) {
		width += words[index].width + (words[index].hasSpace ? 1 : 0);
		if (words[index].breakAfter === BREAK.sentence || width > 20 * LINE_WIDTH) break;
	}
	return Math.max(1, width);
}
