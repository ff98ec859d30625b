import tls from 'node:tls';
import { LOCALHOST } from '../integration/faults/connectionFaults';
import { runFaster } from '../integration/faults/fastClock';
import { brokenIn, matrixTasks, runMatrix } from '../integration/faults/matrix';
import { titleOf } from '../integration/faults/operationCase';
import { operationCases } from '../integration/faults/operations';
import type { Part } from './part';

/** Under this fault, which only delays, everything must succeed. */
const HARMLESS = 'slow drip';
/** How many cells run at once; several units run in a process. */
const AT_ONCE = 8;

const TASKS = matrixTasks();
const tasksOf = (unit: string) => TASKS.filter(({ operation }) => titleOf(operation) === unit);

/** Every operation of every node under every fault. */
export const faultMatrix: Part = {
	name: 'faults',
	title: 'Every operation under every fault',
	units: () => operationCases.map(titleOf).map((name) => ({ name, cells: tasksOf(name).length })),

	prepare() {
		runFaster(10);
		const { createSecureContext } = tls;
		// Node.js reads the certificates that it trusts when it starts, so each client receives this one.
		tls.createSecureContext = (options) => createSecureContext({ ca: [LOCALHOST.cert], ...options });
	},

	async run(unit) {
		const { cells, strayRequests } = await runMatrix(tasksOf(unit), AT_ONCE);
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
