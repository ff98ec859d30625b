import tls from 'node:tls';
import { LOCALHOST } from '../integration/faults/connectionFaults';
import { runFaster } from '../integration/faults/fastClock';
import { faultCases } from '../integration/faults/faults';
import { brokenIn, isCostly, matrixTasks, runMatrix, type Cell } from '../integration/faults/matrix';
import { operationCases } from '../integration/faults/operations';
import { titleOf, writeReport } from '../integration/faults/report';
import type { Part } from './part';

/** What a unit has found: a cell has names in place of its operation and its fault. */
interface Found {
	operation: string;
	cells: Array<Omit<Cell, 'operation' | 'fault'> & { fault: string }>;
	strayRequests: number;
}

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
export const faultMatrix: Part<Found> = {
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
		return {
			operation: titleOf(cells[0].operation),
			cells: cells.map(({ fault, once, always, batch }) => ({ fault: fault.name, once, always, batch })),
			strayRequests,
		};
	},

	broken: ({ operation, cells, strayRequests }) => [
		...cells.flatMap((cell) => brokenIn(cell.fault, cell).map((what) => `${operation}, ${what}`)),
		...cells
			.filter(({ fault, once }) => fault === HARMLESS && once.result !== 'works')
			.map(({ once }) => `${operation}, ${HARMLESS}: ${once.result}`),
		...(strayRequests > 0
			? [`${operation}: ${strayRequests} requests to a server that cannot be reached`]
			: []),
	],

	report: (results) =>
		writeReport(
			results.flatMap(({ operation: title, cells }) => {
				const operation = operationCases.find((one) => titleOf(one) === title)!;
				return cells.map((cell) => ({
					...cell,
					operation,
					fault: faultCases.find(({ name }) => name === cell.fault)!,
				}));
			}),
		),
};
