import { startEmulator, type Emulator } from '../../../emulator';
import type { Dialect } from '../../../emulator/dialects';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { startFaultServers } from '../faults/faultServers';
import type { OperationCase } from '../faults/operations';
import { recordAnswers } from '../faults/sentAnswers';
import { fits, runDialect, type DialectCell } from './cell';

/** Each cell uses an emulator of its own while it runs. */
const EMULATORS = 16;

/** Runs every operation in every dialect that fits it. */
export async function runDialects(
	operations: readonly OperationCase[],
	dialects: readonly Dialect[],
): Promise<DialectCell[]> {
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
	const tasks = operations.flatMap((operation) => dialects.map((dialect) => ({ operation, dialect })));
	await runPool(
		tasks,
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
