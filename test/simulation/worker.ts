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

/** Lets the worlds of some seeds run: from the first one to the last one, with a distance. */
async function run([first, last, distance]: number[]): Promise<void> {
	const trials = new Trials();
	let worlds = 0;
	const reached = new Set<string>();
	const say = (broken?: string) => {
		process.send!({ worlds, reached: [...reached], broken } satisfies Progress);
		worlds = 0;
		reached.clear();
	};
	for (let seed = first; seed <= last; seed += distance) {
		const verdict = await trials.of(drawWorld(seed));
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
