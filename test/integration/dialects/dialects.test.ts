import { dialectGroups } from '../../../emulator/dialects';
import { seededRandom } from '../../unit/seededRandom';
import { useFastClock } from '../faults/fastClock';
import type { DialectCell } from './cell';
import { runDialects, smokeTasks } from './matrix';
import { mixedTasks } from './mixes';
import { faultOf } from './report';

/** `npm run reliability` runs each dialect with all operations. */
const ALL = Object.values(dialectGroups).flat();
/** Answers in several dialects at once; `npm run reliability` tries more of them. */
const MIXES = 120;

useFastClock(10);
let cells: DialectCell[];
let mixed: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(smokeTasks());
	mixed = await runDialects(mixedTasks(MIXES, seededRandom(21)));
}, 3_600_000);

describe('An answer in the dialect', () => {
	it.each(ALL.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" is read, or refused with words',
		(_name, dialect) => {
			const ofDialect = cells.filter((cell) => cell.dialect === dialect);
			expect(ofDialect).not.toEqual([]);
			expect(ofDialect.filter(({ isRight }) => !isRight).map(faultOf)).toEqual([]);
		},
	);
});

describe('An answer in several dialects at once', () => {
	it('means what it means without them', () => {
		expect(mixed.length).toBeGreaterThan(20);
		const wrong = mixed.filter(({ isRight }) => !isRight);
		expect(wrong.map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`)).toEqual([]);
	});
});
