import { drawWorld } from './draw';
import { inFull } from './shrink';
import { Trials } from './trials';

/** A message of a worker. */
export interface Progress {
	/** The number of worlds that have ended since the last message. */
	worlds: number;
	/** The states that these worlds have reached. */
	reached: string[];
	/** A description of a world that breaks a promise. */
	broken?: string;
}

/** The number of worlds after which a worker sends a message. */
const WORLDS_BETWEEN = 50;
/** The distance between seeds whose worlds run twice. */
const WORLDS_BETWEEN_REPETITIONS = 100;

/**
 * Runs the worlds of the seeds from the first to the last at some distance from each other, unless they have more rows
 * than allowed, and the worlds of other seeds.
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
	// A broken world may have left something running, so the process exits explicitly.
	process.once('disconnect', () => process.exit());
	process.disconnect();
}

void run(process.argv.slice(2).map(Number));
