import { parseArgs } from 'node:util';
import { PROFILES, type RateResult, tryProfile } from './rateProfiles';

const SETTINGS = [2, 3, 5, 20, 'automatic'] as const;

/** Prints how each profile fares: time ÷ ideal, the share that was refused, and lost rows, of some seeds. */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			from: { type: 'string', default: '1' },
			seeds: { type: 'string', default: '24' },
			only: { type: 'string', default: '' },
		},
	});
	const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => Number(values.from) + index);
	const only = new RegExp(values.only);
	const percent = (share: number) => `${(100 * share).toFixed(0)}`.padStart(3);
	for (const profile of PROFILES.filter(({ name }) => only.test(name))) {
		const columns: string[] = [];
		for (const isBusy of [false, true])
			for (const setting of SETTINGS) {
				const results: RateResult[] = [];
				for (const seed of seeds) results.push(await tryProfile(profile, setting, seed, isBusy));
				const sorted = (value: (result: RateResult) => number) =>
					results.map(value).sort((one, other) => one - other);
				const shares = sorted(({ refusedShare }) => refusedShare);
				const ratios = sorted(({ ratio }) => ratio);
				const lost = results.reduce((sum, result) => sum + result.lost, 0);
				const [median, worst] = [shares[Math.floor(seeds.length / 2)], shares[seeds.length - 1]];
				const isMissed = profile.isRate && (median > 0.1 || worst > 0.25);
				columns.push(
					`${ratios[Math.floor(seeds.length / 2)].toFixed(2).padStart(5)} ${percent(median)}/${percent(worst)}${isMissed ? '!' : ' '}${lost > 0 ? ` LOST ${lost}` : ''}`,
				);
			}
		console.log(profile.name.padEnd(48), columns.join(' | '));
	}
}

void main();
