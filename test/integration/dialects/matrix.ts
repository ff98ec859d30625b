import { startEmulator, type Emulator } from '../../../emulator';
import { dialectGroups, type Dialect } from '../../../emulator/dialects';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { startFaultServers } from '../faults/faultServers';
import type { OperationCase } from '../faults/operations';
import { recordAnswers } from '../faults/sentAnswers';
import { fits, runDialect, type DialectCell } from './cell';
import { dialectOperations } from './operations';

/** What a cell is before it has run. */
export type DialectTask = Pick<DialectCell, 'operation' | 'dialect'>;

/** Each cell uses an emulator of its own while it runs. */
const EMULATORS = 16;
/** Of the refusals, which one place in the code reads for all operations, a short run has one in so many cells. */
const SHARE = 4;

/** The cells, whether or not their dialects fit. */
export function dialectTasks(
	isComplete: boolean,
	operations: readonly OperationCase[] = dialectOperations,
	dialects: readonly Dialect[] = Object.values(dialectGroups).flat(),
): DialectTask[] {
	return operations.flatMap((operation, row) =>
		dialects
			.map((dialect, column) => ({ operation, dialect, isShort: (row + column) % SHARE === 0 }))
			.filter(
				({ dialect, isShort }) => isComplete || isShort || dialect.carriedOut || dialect.routes[0] !== '*',
			),
	);
}

/** Runs every operation in every dialect that fits it. */
export async function runDialects(tasks: readonly DialectTask[]): Promise<DialectCell[]> {
	const servers = await startFaultServers();
	const answers = recordAnswers();
	const emulators: Emulator[] = await Promise.all(
		Array.from(
			{ length: EMULATORS },
			async (_, index) => await startEmulator({ apiKey: `canary-key-${index}-0123456789` }),
		),
	);
	const all = [...emulators];
	const cells: DialectCell[] = [];
	await runPool(
		[...tasks],
		async ({ operation, dialect }) => {
			const emulator = emulators.pop()!;
			const place = { emulator, servers, answers };
			try {
				if (!(await fits(dialect, operation, place))) return;
				const cell = await runDialect(operation, dialect, place);
				if (cell) cells.push(cell);
			} finally {
				emulators.push(emulator);
			}
		},
		{ concurrency: EMULATORS },
	);
	answers.stop();
	await Promise.all(all.map(async (emulator) => await emulator.close()));
	await servers.close();
	return cells;
}
