import { seededRandom } from '../../unit/seededRandom';
import { useFastClock } from '../faults/fastClock';
import type { DialectCell } from './cell';
import { runDialects } from './matrix';
import { mixedTasks } from './mixes';
import { faultOf } from './report';

const IS_COMPLETE = process.env.npm_lifecycle_event === 'reliability';
const SEED = 21;

useFastClock(10);
let cells: DialectCell[];

beforeAll(async () => {
	cells = await runDialects(mixedTasks(IS_COMPLETE ? 1_500 : 200, seededRandom(SEED)));
}, 3_600_000);

describe('An answer in several dialects at once', () => {
	it('means what it means without them', () => {
		expect(cells.length).toBeGreaterThan(30);
		const wrong = cells.filter(({ isRight }) => !isRight);
		expect(wrong.map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`)).toEqual([]);
	});
});
