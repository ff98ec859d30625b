import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { formatDuration, step } from '../../tools/host/progress';
import { digestOf, Passed } from '../passed';
import type { Part, Unit } from './part';
import { parts } from './parts';
import { runUnits, startProcess } from './workers';

const HELP = `npm run reliability -- [--only words] [--processes ${availableParallelism()}] [--fresh]

Runs every operation under every fault and in every dialect, stops runs in every stage, and watches memory.
An interrupted run goes on where it was, as long as the code is the same; --fresh begins anew.
--only runs the parts and the operations whose names contain the words.`;

const FOLDER = join(__dirname, '../../coverage/reliability');
/** What the outcome depends on. */
const SOURCES = ['credentials', 'emulator', 'nodes', 'test/integration', 'test/reliability', 'test/unit'];

function readOptions() {
	try {
		return parseArgs({
			options: {
				only: { type: 'string', default: '' },
				processes: { type: 'string', default: String(availableParallelism()) },
				fresh: { type: 'boolean', default: false },
			},
		}).values;
	} catch (failure) {
		throw new Problem((failure as Error).message, HELP);
	}
}

/** The units of a part whose names contain the words. */
function chosenUnits(part: Part, words: string): Unit[] {
	return part.units().filter(({ name }) => `${part.name} ${name}`.toLowerCase().includes(words));
}

async function main(): Promise<void> {
	const values = readOptions();
	const processes = Number(values.processes);
	if (!Number.isInteger(processes) || processes < 1) {
		throw new Problem(`--processes ${values.processes} is not a number of processes.`, HELP);
	}
	const only = values.only.toLowerCase();
	if (!parts.some((part) => chosenUnits(part, only).length > 0)) {
		throw new Problem(`No part and no operation has "${values.only}" in its name.`, HELP);
	}
	const startedAt = performance.now();
	const passed = new Passed(FOLDER, digestOf(SOURCES));
	if (values.fresh) passed.clear();
	const broken: string[] = [];
	for (const part of parts) broken.push(...(await runPart(part, passed, only, processes)));
	for (const what of broken) console.log(what);
	const took = formatDuration(performance.now() - startedAt);
	console.log(
		`${broken.length === 0 ? 'Every promise held' : `${broken.length} broken promises`} after ${took}.`,
	);
	if (broken.length > 0) process.exitCode = 1;
}

/** Runs what is missing of a part. @returns the promises that did not hold */
async function runPart(part: Part, passed: Passed, only: string, processes: number): Promise<string[]> {
	const units = chosenUnits(part, only);
	const cells = (some: typeof units) => some.reduce((sum, unit) => sum + unit.cells, 0);
	const idOf = (unit: string) => `${part.name} ${unit}`;
	const open = units.filter(({ name }) => !passed.has(idOf(name)));
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
			({ unit, broken: what }) => {
				ran += units.find(({ name }) => name === unit)!.cells;
				broken.push(...what);
				// What was broken runs again the next time.
				if (what.length === 0) passed.add(idOf(unit));
			},
			() => startProcess(part.name),
		);
	await step(part.title, work, { status });
	return broken;
}

runCommand(HELP, main);
