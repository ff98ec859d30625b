import type { Emulator } from '../../../emulator';
import { dialectGroups, type Dialect } from '../../../emulator/dialects';
import { withEmulators } from '../faults/emulators';
import { startFaultServers } from '../faults/faultServers';
import type { OperationCase } from '../faults/operations';
import { recordAnswers } from '../faults/sentAnswers';
import { fits, runDialect, type DialectCell } from './cell';
import { dialectOperations } from './operations';

/** A dialect and the operations that are tried in it. */
export interface DialectTask {
	dialect: Dialect;
	operations: readonly OperationCase[];
	/** Whether one operation that the dialect fits is enough. */
	oneIsEnough?: boolean;
}

/** How many cells run at once, each with an emulator of its own. */
const AT_ONCE = 12;

/** Each dialect in one of the operations that it fits, for every run of the tests. */
export function smokeTasks(): DialectTask[] {
	return Object.values(dialectGroups)
		.flat()
		.map((dialect, index) => {
			const first = index % dialectOperations.length;
			const operations = [...dialectOperations.slice(first), ...dialectOperations.slice(0, first)];
			return { dialect, operations, oneIsEnough: true };
		});
}

/** Runs operations in the dialects that fit them. */
export async function runDialects(tasks: readonly DialectTask[]): Promise<DialectCell[]> {
	const servers = await startFaultServers();
	const answers = recordAnswers();
	const run = async ({ dialect, operations, oneIsEnough = false }: DialectTask, emulator: Emulator) => {
		const place = { emulator, servers, answers };
		const cells: DialectCell[] = [];
		for (const operation of operations) {
			if (!(await fits(dialect, operation, place))) continue;
			const cell = await runDialect(operation, dialect, place);
			if (cell) cells.push(cell);
			if (oneIsEnough && cells.length > 0) break;
		}
		return cells;
	};
	const cells = await withEmulators(tasks, AT_ONCE, run);
	answers.stop();
	await servers.close();
	return cells.flat();
}
