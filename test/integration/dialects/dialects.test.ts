import { dialectGroups } from '../../../emulator/dialects';
import { readPage, sectionOf } from '../../reliabilityPage';
import { useFastClock } from '../faults/fastClock';
import type { DialectCell } from './cell';
import { dialectTasks, runDialects } from './matrix';
import { faultOf, writeDialects } from './report';

/** `npm run reliability` runs all; the other runs leave out most of the cells in which every operation fails alike. */
const IS_COMPLETE = process.env.npm_lifecycle_event === 'reliability';
const ALL = Object.values(dialectGroups).flat();

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(dialectTasks(IS_COMPLETE));
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

	it('appears in docs/reliability.md', () => {
		if (IS_COMPLETE) writeDialects(cells);
		const section = sectionOf(readPage(), 'dialects') ?? '';
		expect(ALL.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
	});
});
