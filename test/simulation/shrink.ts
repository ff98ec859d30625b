import type { Trials, Verdict } from './trials';
import { inWords, peaceful, type World } from './world';

/** Fields that identify a world, or that are simplified piece by piece. */
const KEPT: Array<keyof World> = ['seed', 'latencyMs', 'options', 'faults', 'outages', 'interferences'];
/** The number of worlds to try in search of a smaller one. */
const MOST_ATTEMPTS = 300;

/** Describes a broken world, together with the smallest one found that breaks the same invariant. */
export async function inFull(verdict: Verdict, trials: Trials): Promise<string> {
	const smallest = await shrink(verdict, trials);
	return [
		`Seed ${verdict.world.seed} breaks a promise.`,
		...verdict.broken,
		'The smallest world found:',
		inWords(smallest.world),
		...smallest.broken,
		smallest.trace,
	].join('\n');
}

/** Returns the smallest world found that breaks one of the same invariants. */
async function shrink(verdict: Verdict, trials: Trials): Promise<Verdict> {
	const names = new Set(verdict.broken.map(nameOf));
	let smallest = verdict;
	let worlds = smallerThan(smallest.world);
	for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
		const { value: world } = worlds.next();
		if (!world) break;
		const tried = await trials.of(world);
		if (!tried.broken.some((words) => names.has(nameOf(words)))) continue;
		smallest = tried;
		worlds = smallerThan(world);
	}
	return smallest;
}

function nameOf(broken: string): string {
	return broken.split(':')[0];
}

/** Yields simpler worlds, the simplest first. */
function* smallerThan(world: World): Generator<World, undefined> {
	const { rows, faults, options } = world;
	for (const fewer of [1, Math.floor(rows / 2), rows - 1]) {
		if (fewer >= 1 && fewer < rows)
			yield { ...world, rows: fewer, faults: faults.filter(({ row }) => row < fewer) };
	}
	for (let size = faults.length; size >= 1; size = Math.floor(size / 2)) {
		for (let from = 0; from < faults.length; from += size) {
			yield { ...world, faults: faults.filter((_, index) => index < from || index >= from + size) };
		}
	}
	for (const list of ['outages', 'interferences'] as const) {
		if (world[list].length > 0) yield { ...world, [list]: world[list].slice(1) };
	}
	const plain = peaceful(world.subject, rows);
	for (const name of Object.keys(world) as Array<keyof World>) {
		const isPlain = KEPT.includes(name) || world[name] === plain[name];
		if (!isPlain) yield { ...world, [name]: plain[name] };
	}
	for (const name of Object.keys(options)) {
		const others = Object.entries(options).filter(([other]) => other !== name);
		yield { ...world, options: Object.fromEntries(others) };
	}
	const moved = faults.filter(({ row }) => row > 0).map((fault) => ({ ...fault, row: fault.row - 1 }));
	if (rows > 1) yield { ...world, rows: rows - 1, faults: moved };
}
