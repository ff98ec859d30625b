import { drawWorld } from './draw';
import { inFull } from './shrink';
import { Trials } from './trials';

/** What a worker says. */
export interface Progress {
	/** How many worlds have ended since it last said something. */
	worlds: number;
	/** The states that these have reached. */
	reached: string[];
	/** A world that breaks a promise, in words. */
	broken?: string;
}

/** How often it says something, in worlds. */
const WORLDS_BETWEEN = 50;
/** How often a world runs twice, in worlds. */
const WORLDS_BETWEEN_REPETITIONS = 100;

/**
 * Lets the worlds of some seeds run: from the first one to the last one, with a distance, as far as they have no more
 * items than that; and others.
 */
async function run([mostRows, first, last, distance, ...others]: number[]): Promise<void> {
	const trials = new Trials();
	let worlds = 0;
	const reached = new Set<string>();
	const say = (broken?: string) => {
		process.send!({ worlds, reached: [...reached], broken } satisfies Progress);
		worlds = 0;
		reached.clear();
	};
	const seeds = Array.from(
		{ length: Math.floor((last - first) / distance) + 1 },
		(_, index) => first + index * distance,
	).filter((seed) => drawWorld(seed).rows <= mostRows);
	for (const seed of [...others, ...seeds]) {
		const verdict = await trials.of(drawWorld(seed));
		if (seed % WORLDS_BETWEEN_REPETITIONS === 0) {
			const { trace } = await trials.of(drawWorld(seed));
			if (trace !== verdict.trace) verdict.broken.push(`it is another world when it runs again: ${trace}`);
		}
		worlds += 1;
		for (const state of verdict.reached) reached.add(state);
		if (verdict.broken.length > 0) say(await inFull(verdict, trials));
		else if (worlds === WORLDS_BETWEEN) say();
	}
	say();
	await trials.close();
	// A broken world may have left something running.
	process.once('disconnect', () => process.exit());
	process.disconnect();
}

void run(process.argv.slice(2).map(Number));
