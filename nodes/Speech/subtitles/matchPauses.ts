/** A place in the text after which a voice may pause. */
export interface Mark {
	/** How long is spoken before it, in seconds, as estimated. */
	spokenBefore: number;
	/** How long voices usually pause there. */
	pauseSeconds: number;
}

/** A pause of the voice. */
export interface Pause {
	/** How long was spoken before it, in seconds. */
	spokenBefore: number;
	/** Its length. */
	seconds: number;
}

/** A mark at which the voice pauses, both by their numbers. */
export interface Match {
	mark: number;
	pause: number;
}

/** A match, and how unlikely it is with all before it. */
interface Path extends Match {
	cost: number;
	before: Path | undefined;
}

/**
 * How unlikely something is (negative logarithms of probabilities): speech that takes longer or shorter than estimated,
 * pauses of unusual lengths, marks at which the voice does not pause, and pauses that no mark explains.
 */
const COSTS = {
	/** Variance of the length of speech, in seconds squared: of any speech, and per second of it. */
	speech: { any: 0.01, perSecond: 0.04 },
	/** Standard deviation of the logarithm of a pause's length. */
	pauseSpread: 0.45,
	/** Per second that voices usually pause at the mark. */
	noPause: 8,
	/** Of any pause, and per second of it. */
	noMark: { any: 0.5, perSecond: 9 },
};
/** The most marks, and pauses, without a match in a row. */
const MAX_WITHOUT_MATCH = 12;
/** Paths that are so much less likely than another one for the same mark are given up. */
const MAX_COST_DIFFERENCE = 10;

/**
 * Finds out which mark each pause belongs to: the most likely matches in order, by dynamic programming. Pauses after each
 * short step of work.
 *
 * @param marks in order; the last one is the end of the text
 * @param pauses in order; the last one is the end of the speech
 * @returns matches in order; the last one is that of both ends
 */
export function* matchPauses(marks: Mark[], pauses: Pause[]): Generator<void, Match[]> {
	const ends = { mark: marks.length - 1, pause: pauses.length - 1 };
	const tempo = pauses[ends.pause].spokenBefore / marks[ends.mark].spokenBefore;
	const estimated = marks.map((mark) => ({ ...mark, spokenBefore: mark.spokenBefore * tempo }));
	const skippedMarks = sums(marks.map(({ pauseSeconds }) => COSTS.noPause * pauseSeconds));
	const skippedPauses = sums(
		pauses.map(({ seconds }) => COSTS.noMark.any + COSTS.noMark.perSecond * seconds),
	);

	/** The cost of everything after one match up to the next one. */
	const between = (from: Match, to: Match) => {
		const expected = estimated[to.mark].spokenBefore - (estimated[from.mark]?.spokenBefore ?? 0);
		const spoken = pauses[to.pause].spokenBefore - (pauses[from.pause]?.spokenBefore ?? 0);
		const variance = COSTS.speech.any + COSTS.speech.perSecond * expected;
		return (
			(spoken - expected) ** 2 / (2 * variance) +
			(skippedMarks[to.mark] - skippedMarks[from.mark + 1]) +
			(skippedPauses[to.pause] - skippedPauses[from.pause + 1])
		);
	};
	const start: Path = { mark: -1, pause: -1, cost: 0, before: undefined };
	/** The best paths to matches with the last marks. */
	let recent: Path[] = [start];
	let best: Path = { ...ends, cost: between(start, ends), before: start };
	for (let mark = 0; mark < ends.mark; mark++) {
		yield;
		const paths = new Map<number, Path>();
		for (const before of recent) {
			const last = Math.min(before.pause + MAX_WITHOUT_MATCH, ends.pause - 1);
			for (let pause = before.pause + 1; pause <= last; pause++) {
				const own = pauseCost(pauses[pause].seconds, tempo * marks[mark].pauseSeconds);
				const cost = before.cost + between(before, { mark, pause }) + own;
				if (cost < (paths.get(pause)?.cost ?? Number.POSITIVE_INFINITY))
					paths.set(pause, { mark, pause, cost, before });
			}
		}
		const likely = likelyOnes([...paths.values()]);
		for (const path of likely) {
			const cost = path.cost + between(path, ends);
			if (cost < best.cost) best = { ...ends, cost, before: path };
		}
		recent = [...recent.filter((path) => path.mark > mark - MAX_WITHOUT_MATCH), ...likely];
	}
	return matchesOf(best);
}

function likelyOnes(paths: Path[]): Path[] {
	const least = Math.min(...paths.map(({ cost }) => cost));
	return paths.filter(({ cost }) => cost <= least + MAX_COST_DIFFERENCE);
}

/** The sum of all values before each index. */
function sums(values: number[]): number[] {
	let sum = 0;
	return [0, ...values.map((value) => (sum += value))];
}

function pauseCost(seconds: number, usual: number): number {
	const difference = Math.log(seconds / usual);
	return difference ** 2 / (2 * COSTS.pauseSpread ** 2);
}

function matchesOf(last: Path): Match[] {
	const matches: Match[] = [];
	for (let path: Path | undefined = last; path && path.mark >= 0; path = path.before) {
		matches.push({ mark: path.mark, pause: path.pause });
	}
	return matches.reverse();
}
