import { seededRandom } from '../../unit/seededRandom';
import { useFastClock } from '../faults/fastClock';
import type { DialectCell } from './cell';
import { runDialects } from './matrix';
import { mixedTasks } from './mixes';
import { faultOf } from './report';

/** `npm run reliability` tries more of them. */
const COUNT = 200;

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(mixedTasks(COUNT, seededRandom(21)));
}, 3_600_000);

describe('An answer in several dialects at once', () => {
	it('means what it means without them', () => {
		expect(cells.length).toBeGreaterThan(30);
		const wrong = cells.filter(({ isRight }) => !isRight);
		expect(wrong.map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`)).toEqual([]);
	});
});
