import type { Emulator } from '../../../emulator';
import type { Dialect } from '../../../emulator/dialects';
import { withEmulators } from '../faults/emulators';
import { recordAnswers } from './sentAnswers';
import { fits, runDialect, type DialectCell } from './cell';
import { dialectOperations } from './operations';

/** How many cells run at once, each with an emulator of its own. */
const AT_ONCE = 12;

/** Runs every operation in the dialects that fit it. */
export async function runDialects(dialects: readonly Dialect[]): Promise<DialectCell[]> {
	const answers = recordAnswers();
	const run = async (dialect: Dialect, emulator: Emulator) => {
		const place = { emulator, answers };
		const cells: DialectCell[] = [];
		for (const operation of dialectOperations) {
			if (!(await fits(dialect, operation, place))) continue;
			const cell = await runDialect(operation, dialect, place);
			if (cell) cells.push(cell);
		}
		return cells;
	};
	const cells = await withEmulators(dialects, AT_ONCE, run);
	answers.stop();
	return cells.flat();
}
