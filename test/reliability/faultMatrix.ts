import tls from 'node:tls';
import { LOCALHOST } from '../integration/faults/connectionFaults';
import { runFaster } from '../integration/faults/fastClock';
import { brokenIn, isCostly, matrixTasks, runMatrix } from '../integration/faults/matrix';
import { titleOf } from '../integration/faults/operationCase';
import { operationCases } from '../integration/faults/operations';
import type { Part } from './part';

/** Under this fault, which only delays, everything must succeed. */
const HARMLESS = 'slow drip';
/** How many cells run at once; several units run in a process. */
const AT_ONCE = 8;
/** Marks the units whose cells keep the whole process busy. */
const COSTLY = ', costly faults';

const TASKS = matrixTasks();

function tasksOf(unit: string) {
	const costly = unit.endsWith(COSTLY);
	return TASKS.filter(
		({ operation, fault }) =>
			isCostly(fault) === costly && titleOf(operation) === (costly ? unit.slice(0, -COSTLY.length) : unit),
	);
}

/** Every operation of every node under every fault. */
export const faultMatrix: Part = {
	name: 'faults',
	title: 'Every operation under every fault',

	units: () =>
		operationCases
			.map(titleOf)
			.flatMap((title) => [
				{ name: title + COSTLY, cells: tasksOf(title + COSTLY).length, isAlone: true },
				{ name: title, cells: tasksOf(title).length },
			])
			.filter(({ cells }) => cells > 0)
			// The longest ones first, so that no process is left with one at the end.
			.sort((one, other) => Number(other.isAlone ?? false) - Number(one.isAlone ?? false)),

	prepare() {
		runFaster(10);
		const { createSecureContext } = tls;
		// Node.js reads the certificates that it trusts when it starts, so each client receives this one.
		tls.createSecureContext = (options) => createSecureContext({ ca: [LOCALHOST.cert], ...options });
	},

	async run(unit) {
		const { cells, strayRequests } = await runMatrix(tasksOf(unit), unit.endsWith(COSTLY) ? 1 : AT_ONCE);
		const broken = cells.flatMap((cell) => {
			const found = brokenIn(cell.fault.name, cell);
			const { result } = cell.once;
			return cell.fault.name === HARMLESS && result !== 'works'
				? [...found, `${HARMLESS}: ${result}`]
				: found;
		});
		if (strayRequests > 0) broken.push(`${strayRequests} requests to a server that cannot be reached`);
		return broken.map((what) => `${unit}, ${what}`);
	},
};
