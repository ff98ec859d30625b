import { dialectGroups } from '../../../emulator/dialects';
import { readPage, sectionOf } from '../../reliabilityPage';
import { useFastClock } from '../faults/fastClock';
import type { DialectCell } from './cell';
import { runDialects, smokeTasks } from './matrix';
import { faultOf } from './report';

/** `npm run reliability` runs each dialect with all operations. */
const ALL = Object.values(dialectGroups).flat();

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(smokeTasks());
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
		const section = sectionOf(readPage(), 'dialects') ?? '';
		expect(ALL.map(({ name }) => name).filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
	});
});
