import { peaceful } from './reference';
import type { Trials, Verdict } from './trials';
import type { World } from './world';

/** What says which world it is, or becomes simpler piece by piece. */
const KEPT: Array<keyof World> = ['seed', 'latencyMs', 'options', 'faults', 'outages', 'interferences'];
/** How many worlds are tried in search of a smaller one. */
const MOST_ATTEMPTS = 300;

/** The smallest world found that breaks one of the invariants that this one breaks. */
export async function shrink(verdict: Verdict, trials: Trials): Promise<Verdict> {
	const names = new Set(verdict.broken.map(nameOf));
	let smallest = verdict;
	let attempts = 0;
	for (let hasShrunk = true; hasShrunk;) {
		hasShrunk = false;
		for (const world of smallerThan(smallest.world)) {
			if (++attempts > MOST_ATTEMPTS) return smallest;
			const tried = await trials.of(world);
			if (!tried.broken.some((words) => names.has(nameOf(words)))) continue;
			smallest = tried;
			hasShrunk = true;
			break;
		}
	}
	return smallest;
}

function nameOf(broken: string): string {
	return broken.split(':')[0];
}

/** Simpler worlds, the simplest first. */
function* smallerThan(world: World): Generator<World> {
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
		yield {
			...world,
			options: Object.fromEntries(Object.entries(options).filter(([other]) => other !== name)),
		};
	}
	const row = faults.find((fault) => fault.row > 0)?.row;
	if (row !== undefined && rows > 1) {
		const moved = faults
			.filter((fault) => fault.row >= row)
			.map((fault) => ({ ...fault, row: fault.row - row }));
		yield { ...world, rows: rows - row, faults: moved };
	}
}
