import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Unit } from './part';

/** What a process says of a unit. */
export interface UnitOutcome {
	unit: string;
	/** The promises that did not hold, or why the unit failed. */
	broken: string[];
}

/** How many units share a process, because they wait most of the time. */
const UNITS_IN_PROCESS = 3;

/**
 * Runs units in several processes and calls back with each outcome.
 *
 * @param start starts a process, which gets names of units as messages and answers each with a {@link UnitOutcome}
 * @returns when all of them have ended
 */
export async function runUnits(
	units: readonly Unit[],
	processes: number,
	onOutcome: (outcome: UnitOutcome) => void,
	start: () => ChildProcess,
): Promise<void> {
	const open = [...units];
	const work = async () => {
		while (open.length > 0) await runProcess(start(), open, onOutcome);
	};
	await Promise.all(Array.from({ length: Math.min(processes, units.length) }, work));
}

/** Starts a process for the units of a part. */
export function startProcess(part: string): ChildProcess {
	const script = join(__dirname, 'worker.ts');
	return fork(script, [part], {
		execArgv: ['--import', 'tsx', '--disable-warning=ExperimentalWarning'],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		// Each has files of its own.
		env: { ...process.env, N8N_USER_FOLDER: undefined },
	});
}

/** Gives units to a process as long as there are any; ends early if the process ends. */
async function runProcess(
	child: ChildProcess,
	open: Unit[],
	onOutcome: (outcome: UnitOutcome) => void,
): Promise<void> {
	const running = new Map<string, Unit>();
	const feed = () => {
		while (open.length > 0 && fits(open[0], running)) {
			const unit = open.shift()!;
			running.set(unit.name, unit);
			child.send(unit.name);
		}
		if (running.size === 0) child.disconnect();
	};
	child.on('message', (outcome: UnitOutcome) => {
		running.delete(outcome.unit);
		onOutcome(outcome);
		feed();
	});
	feed();
	const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
		child.once('exit', (...how) => resolve(how));
	});
	for (const unit of running.keys()) {
		onOutcome({ unit, broken: [`${unit}: the process ended (${signal ?? `code ${code}`})`] });
	}
}

function fits(unit: Unit, running: Map<string, Unit>): boolean {
	if (running.size === 0) return true;
	const isFree = running.size < UNITS_IN_PROCESS && [...running.values()].every(({ isAlone }) => !isAlone);
	return isFree && !unit.isAlone;
}
