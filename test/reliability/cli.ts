import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatDuration, step } from '../../tools/host/progress';
import type { Part } from './part';
import { parts } from './parts';
import { digestOfCode, ResultStore } from './store';
import { runUnits, startProcess } from './workers';

const HELP = `npm run reliability -- [--only words] [--processes ${availableParallelism()}] [--fresh]

Runs every operation under every fault and in every dialect, stops runs in every stage, and watches memory.
An interrupted run goes on where it was, as long as the code is the same; --fresh begins anew.
--only runs the parts and the operations whose names contain the words. A whole run writes docs/reliability.md.`;

const FOLDER = join(__dirname, '../../coverage/reliability');

/** @returns whether every promise held */
async function main(): Promise<boolean> {
	const { values } = parseArgs({
		options: {
			only: { type: 'string', default: '' },
			processes: { type: 'string', default: String(availableParallelism()) },
			fresh: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const processes = Number(values.processes);
	if (values.help || !(processes > 0)) {
		console.log(HELP);
		return values.help;
	}
	const startedAt = performance.now();
	const store = new ResultStore(FOLDER, digestOfCode());
	if (values.fresh) store.clear();
	const broken: string[] = [];
	for (const part of parts)
		broken.push(...(await runPart(part, store, values.only.toLowerCase(), processes)));
	for (const what of broken) console.log(what);
	const took = formatDuration(performance.now() - startedAt);
	console.log(
		`${broken.length === 0 ? 'Every promise held' : `${broken.length} broken promises`} after ${took}.`,
	);
	return broken.length === 0;
}

/** Runs what is missing of a part. @returns the promises that did not hold */
async function runPart<Result>(
	part: Part<Result>,
	store: ResultStore,
	only: string,
	processes: number,
): Promise<string[]> {
	const isChosen = (unit: string) => `${part.name} ${unit}`.toLowerCase().includes(only);
	const units = part.units().filter(({ name }) => isChosen(name));
	const cells = (some: typeof units) => some.reduce((sum, unit) => sum + unit.cells, 0);
	const open = units.filter(({ name }) => store.read(part.name, name) === undefined);
	const [all, known] = [cells(units), cells(units) - cells(open)];
	const startedAt = performance.now();
	const broken: string[] = [];
	let ran = 0;
	const status = () => {
		const left = ran > (all - known) / 10 ? ((performance.now() - startedAt) / ran) * (all - known - ran) : 0;
		const outlook = left > 0 ? `, about ${formatDuration(left)} left` : '';
		return `${known + ran} of ${all}${broken.length > 0 ? `, ${broken.length} broken promises` : ''}${outlook}`;
	};
	if (units.length === 0) return [];
	const work = async () =>
		await runUnits(
			open,
			processes,
			({ unit, result, broken: what }) => {
				ran += units.find(({ name }) => name === unit)!.cells;
				broken.push(...what);
				// What was broken runs again the next time.
				if (what.length === 0) store.write(part.name, unit, result);
			},
			() => startProcess(part.name),
		);
	await step(part.title, work, { status });
	const results = units.map(({ name }) => store.read(part.name, name) as Result | undefined);
	if (only === '' && results.every((result) => result !== undefined)) part.report?.(results);
	return broken;
}

void main().then((isRight) => (process.exitCode = isRight ? 0 : 1));
