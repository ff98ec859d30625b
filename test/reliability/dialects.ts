import { dialectGroups } from '../../emulator/dialects';
import type { DialectCell } from '../integration/dialects/cell';
import { runDialects } from '../integration/dialects/matrix';
import { mixedTasks } from '../integration/dialects/mixes';
import { dialectOperations } from '../integration/dialects/operations';
import { faultOf } from '../integration/dialects/report';
import { runFaster } from '../integration/faults/fastClock';
import { titleOf } from '../integration/faults/operationCase';
import { seededRandom } from '../unit/seededRandom';
import type { Part } from './part';

const DIALECTS = Object.values(dialectGroups).flat();

const operationOf = (title: string) => dialectOperations.find((one) => titleOf(one) === title)!;

/** Every operation in every dialect that fits it. */
export const dialects: Part = {
	name: 'dialects',
	title: 'Every operation in every dialect',
	units: () =>
		dialectOperations.map((one) => ({ name: titleOf(one), cells: DIALECTS.length, isAlone: true })),
	prepare: () => void runFaster(10),

	async run(unit) {
		const operations = [operationOf(unit)];
		return faultsIn(await runDialects(DIALECTS.map((dialect) => ({ dialect, operations }))));
	},
};

function faultsIn(cells: DialectCell[]): string[] {
	return cells.filter(({ isRight }) => !isRight).map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`);
}

const MIXES = 1_500;
const MIXES_IN_UNIT = 250;
const SEED = 21;

/** Answers in several dialects at once, with the numbers of the first one and of the one after the last one as names. */
export const mixes: Part = {
	name: 'mixes',
	title: 'Several dialects at once',
	units: () =>
		Array.from({ length: MIXES / MIXES_IN_UNIT }, (_, index) => ({
			name: `${index * MIXES_IN_UNIT}-${(index + 1) * MIXES_IN_UNIT}`,
			cells: MIXES_IN_UNIT,
			isAlone: true,
		})),
	prepare: () => void runFaster(10),

	async run(unit) {
		const [first, end] = unit.split('-').map(Number);
		return faultsIn(await runDialects(mixedTasks(MIXES, seededRandom(SEED)).slice(first, end)));
	},
};
