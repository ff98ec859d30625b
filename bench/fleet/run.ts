import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { folders } from '../../tools/host/folders';
import { toLineChart, type Line } from './chart';
import { Fleet, type FleetRecord } from './fleet';
import type { LimitSettings } from './limits';
import { measure, type Measured } from './measure';
import { chosenScenarios, PROMISES, type Scenario } from './scenarios';

/**
 * `npm run bench:fleet`: processes that share a limit of the gateway and nothing else, on a clock of the simulation. The
 * figures are the same in every run. Numbers choose fleets: `npm run bench:fleet -- 10 100`.
 */

const CHART = path.join(folders.project, 'docs', 'images', 'fleet.svg');
const COLORS: Record<number, string> = { 10: '#5b8def', 100: '#d9822b', 1_000: '#2e9e6b' };
/** The limit in the chart is averaged over this many seconds. */
const SMOOTHED_OVER = 5;

async function main(sizes: number[]): Promise<void> {
	const lines: Line[] = [];
	const broken: string[] = [];
	console.log(
		'| Processes | Limit | Scenario | Used | Refused | Largest ÷ smallest share (90 % of them) | Settled after |',
	);
	console.log('| --- | --- | --- | --- | --- | --- | --- |');
	for (const scenario of chosenScenarios().filter(({ settings }) => sizes.includes(settings.processes))) {
		const record = await new Fleet(scenario.settings).run();
		const measured = measure(record, scenario.periods, scenario.compared);
		console.log(rowOf(scenario, measured));
		if (scenario.isPromised && !keepsPromises(measured)) broken.push(nameOf(scenario));
		if (scenario.isDrawn) lines.push(lineOf(scenario, record));
	}
	if (lines.length === Object.keys(COLORS).length) {
		const title = 'Accepted requests of a fleet; the limit halves after 3 minutes and doubles after 6';
		await writeFile(CHART, toLineChart(title, lines, lines[0].values.length));
	}
	if (broken.length === 0) return;
	console.error(`docs/scaling.md promises more than these reach: ${broken.join('; ')}`);
	process.exitCode = 1;
}

function keepsPromises({ used, refused, settledAfter, lost }: Measured): boolean {
	const isShared = used >= PROMISES.used && refused <= PROMISES.refused;
	return isShared && settledAfter <= PROMISES.settledAfter && lost === 0;
}

function nameOf({ name, settings }: Scenario): string {
	return `${settings.processes} processes, ${wordsOf(settings.limit)}, ${name}`;
}

function wordsOf({ kind, requests, perMs, retryAfter }: LimitSettings): string {
	const kinds = { bucket: 'bucket', sliding: 'sliding window', fixed: 'fixed window' };
	return `${requests} per ${perMs === 1_000 ? 'second' : 'minute'}, ${kinds[kind]}${retryAfter ? ', Retry-After' : ''}`;
}

function rowOf({ name, settings }: Scenario, { used, refused, settledAfter, ...measured }: Measured): string {
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const ratios = `${measured.unfairness.toFixed(1)} (${measured.usualUnfairness.toFixed(1)})`;
	const settled = Number.isFinite(settledAfter) ? `${settledAfter} s` : 'never';
	const cells = [
		settings.processes,
		wordsOf(settings.limit),
		name,
		percent(used),
		percent(refused),
		ratios,
		settled,
	];
	return `| ${cells.join(' | ')} |`;
}

/** Accepted requests in percent of the limit at first. */
function lineOf({ settings }: Scenario, { seconds }: FleetRecord): Line {
	const full = seconds[0].limit;
	const values = seconds.map((_, second) => {
		const latest = seconds.slice(Math.max(0, second - SMOOTHED_OVER + 1), second + 1);
		return (100 * latest.reduce((sum, { accepted }) => sum + accepted, 0)) / latest.length / full;
	});
	return {
		label: `${settings.processes} processes, ${full} per second`,
		color: COLORS[settings.processes],
		values,
	};
}

const sizes = process.argv.slice(2).map(Number);
void main(sizes.length > 0 ? sizes : [10, 100, 1_000]);
