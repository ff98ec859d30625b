import type { Place } from '../audio/joiner';
import { sentencesOf, type Word } from './words';

/** What one request has spoken, and where it is in the file. No cue contains two parts. */
export interface SpokenPart extends Place {
	text: string;
}

/** A subtitle. */
export interface Cue extends Place {
	/** One or two. */
	lines: string[];
}

/** Columns of a line: 42 Latin letters, or 21 Chinese characters. */
export const LINE_WIDTH = 42;
/** How many columns longer a line may be to end with a clause. */
const CLAUSE_COLUMNS = 10;
/** A cue stays as long as a person needs to read it, if there is a pause after it. */
const READING = { columnsPerSecond: 20, minSeconds: 1, maxStaySeconds: 1.5 };
/** A shorter gap between two cues would flicker. */
const MIN_GAP_SECONDS = 0.25;

/** Words that are shown together, and when they are spoken. */
interface TimedWords extends Place {
	words: Word[];
	/** Up to when they may stay: where the next part begins, and at the end no longer than the sound. */
	limitSeconds: number;
}

/**
 * Subtitles for speech without timestamps: where each part begins and ends is known, and within a part, times are estimated.
 * Yields before each part, so that other work can run.
 */
export function* cuesOf(parts: SpokenPart[]): Generator<void, Cue[]> {
	const spoken: TimedWords[] = [];
	for (const [index, part] of parts.entries()) {
		yield;
		spoken.push(...timedWords(part, parts[index + 1]?.startSeconds ?? part.endSeconds));
	}
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

/**
 * The cues of a part. The times of its words are scaled to its measured length, so that only their proportions matter.
 *
 * @returns none if the part has no length, or its text nothing to speak
 */
function timedWords({ text, startSeconds, endSeconds }: SpokenPart, limitSeconds: number): TimedWords[] {
	const cues = sentencesOf(text).flatMap(inCues);
	const total = secondsOf(cues.flat());
	if (total === 0 || !(endSeconds > startSeconds)) return [];
	const scale = (endSeconds - startSeconds) / total;
	let position = startSeconds;
	return cues.map((words) => {
		const start = position;
		position += scale * secondsOf(words);
		const pause = scale * words[words.length - 1].pauseSeconds;
		return { words, startSeconds: start, endSeconds: position - pause, limitSeconds };
	});
}

function secondsOf(words: Word[]): number {
	return words.reduce((sum, { seconds, pauseSeconds }) => sum + seconds + pauseSeconds, 0);
}

/** A sentence in cues of at most two lines that end at the best places. */
function inCues(sentence: Word[]): Word[][] {
	const cues: Word[][] = [];
	for (let start = 0; start < sentence.length; start += cues[cues.length - 1].length) {
		cues.push(nextCue(sentence.slice(start)));
	}
	return cues;
}

/** The beginning of the words that are left of a sentence; all cues of it have about the same width. */
function nextCue(words: Word[]): Word[] {
	const width = Math.max(1, widthOfWords(words));
	const count = Math.ceil(width / (2 * LINE_WIDTH - 6));
	const target = width / count;
	let best = { shown: words.slice(0, 1), score: Number.NEGATIVE_INFINITY };
	for (let length = 1; length <= words.length; length++) {
		const shown = words.slice(0, length);
		if (!inLines(shown)) break;
		const bonus = count > 1 && shown[length - 1].pauseSeconds > 0 ? 0.3 : 0;
		const score = bonus - Math.abs(widthOfWords(shown) - target) / target;
		if (score > best.score) best = { shown, score };
	}
	return best.shown;
}

/**
 * Words in at most two lines, as equal as possible, or so that the first one ends with a clause.
 *
 * @returns undefined if they do not fit
 */
function inLines(words: Word[]): string[] | undefined {
	if (widthOfWords(words) <= LINE_WIDTH) return [textOf(words)];
	let best: { at: number; cost: number } | undefined;
	for (let at = 1; at < words.length; at++) {
		const width = Math.max(widthOfWords(words.slice(0, at)), widthOfWords(words.slice(at)));
		const cost = width - (words[at - 1].pauseSeconds > 0 ? CLAUSE_COLUMNS : 0);
		if (width <= LINE_WIDTH && (!best || cost < best.cost)) best = { at, cost };
	}
	return best && [textOf(words.slice(0, best.at)), textOf(words.slice(best.at))];
}

/** Columns of words next to each other. */
function widthOfWords(words: Word[]): number {
	return words.reduce(
		(sum, { width, hasSpace }, index) => sum + width + (hasSpace && index < words.length - 1 ? 1 : 0),
		0,
	);
}

function textOf(words: Word[]): string {
	return words
		.map(({ text, hasSpace }) => (hasSpace ? `${text} ` : text))
		.join('')
		.trimEnd();
}
