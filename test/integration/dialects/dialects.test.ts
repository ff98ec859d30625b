import { dialects } from '../../../emulator/dialects';
import { withEmulators } from '../faults/emulators';
import { useFastClock } from '../faults/fastClock';
import { titleOf } from '../faults/operationCase';
import { fits, runDialect, type DialectCell } from './cell';
import { dialectOperations } from './operations';

/** How many cells run at once, each with an emulator of its own. */
const AT_ONCE = 12;

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	const all = await withEmulators(dialects, AT_ONCE, async (dialect, emulator) => {
		const ofDialect: DialectCell[] = [];
		for (const operation of dialectOperations) {
			if (!(await fits(dialect, operation, emulator))) continue;
			const cell = await runDialect(operation, dialect, emulator);
			if (cell) ofDialect.push(cell);
		}
		return ofDialect;
	});
	cells = all.flat();
}, 3_600_000);

describe('An answer in the dialect', () => {
	it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" is read, or refused with words',
		(_name, dialect) => {
			const ofDialect = cells.filter((cell) => cell.dialect === dialect);
			expect(ofDialect).not.toEqual([]);
			const wrong = ofDialect.filter(({ isRight }) => !isRight);
			expect(
				wrong.map(({ operation, outcome, note }) => `${titleOf(operation)}: ${outcome} – ${note}`),
			).toEqual([]);
		},
	);
});
