import type { Place } from '../audio/times';
import { sentencesOf, type Word } from './words';

/** What one request has spoken, and where it is in the file. No cue contains two parts. */
export interface SpokenPart extends Place {
	text: string;
}

export interface Cue extends Place {
	/** One or two. */
	lines: string[];
}

/** Columns of a line: 42 Latin letters, or 21 Chinese characters. */
export const LINE_WIDTH = 42;
/** How many columns longer a line may be to end with a clause. */
const CLAUSE_COLUMNS = 10;
/** More than any sentence. */
const TOO_WIDE = 1_000_000;
/** In a pause, a cue stays for so long: a person reads more slowly than a voice speaks, and short gaps would flicker. */
const STAY_SECONDS = 1;

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
		const lines = inLines(words).map(textOf);
		return { startSeconds, endSeconds: Math.min(endSeconds + STAY_SECONDS, next), lines };
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

/** A sentence in cues: it is halved until each cue fits into two lines. */
function inCues(words: Word[]): Word[][] {
	if (words.length < 2 || inLines(words).every(fitsInLine)) return [words];
	return halvesOf(words).flatMap(inCues);
}

function inLines(words: Word[]): Word[][] {
	return fitsInLine(words) ? [words] : halvesOf(words);
}

function fitsInLine(words: Word[]): boolean {
	return widthOfWords(words) <= LINE_WIDTH;
}

/** Two or more words in two parts, which fit into a line if possible, and are equally long or end with a clause. */
function halvesOf(words: Word[]): [Word[], Word[]] {
	const total = widthOfWords(words);
	let best = { at: 1, cost: Number.POSITIVE_INFINITY };
	let right = 0;
	for (const [index, { width, hasSpace, pauseSeconds }] of words.slice(0, -1).entries()) {
		const left = right + width;
		right = left + (hasSpace ? 1 : 0);
		const widest = Math.max(left, total - right);
		const bonus = pauseSeconds > 0 ? CLAUSE_COLUMNS : 0;
		const cost = widest - bonus + (widest > LINE_WIDTH ? TOO_WIDE : 0);
		if (cost < best.cost) best = { at: index + 1, cost };
	}
	return [words.slice(0, best.at), words.slice(best.at)];
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
