import { dialects } from '../../../emulator/dialects';
import { useFastClock } from '../faults/fastClock';
import { titleOf } from '../faults/operationCase';
import type { DialectCell } from './cell';
import { runDialects } from './matrix';

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(dialects);
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
