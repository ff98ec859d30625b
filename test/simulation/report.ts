import { shrink } from './shrink';
import type { Trials, Verdict } from './trials';
import { inWords } from './world';

/** A broken world in words, with the smallest one that breaks the same. */
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
