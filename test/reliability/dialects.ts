import { dialectGroups } from '../../emulator/dialects';
import type { DialectCell } from '../integration/dialects/cell';
import { runDialects } from '../integration/dialects/matrix';
import { mixedTasks } from '../integration/dialects/mixes';
import { dialectOperations } from '../integration/dialects/operations';
import { faultOf, writeDialects } from '../integration/dialects/report';
import { runFaster } from '../integration/faults/fastClock';
import { titleOf } from '../integration/faults/report';
import { seededRandom } from '../unit/seededRandom';
import type { Part } from './part';

const DIALECTS = Object.values(dialectGroups).flat();

/** What a unit has found: a cell has names in place of its operation and its dialect. */
interface Found {
	operation: string;
	cells: Array<Omit<DialectCell, 'operation' | 'dialect'> & { dialect: string }>;
}

const operationOf = (title: string) => dialectOperations.find((one) => titleOf(one) === title)!;

/** Every operation in every dialect that fits it. */
export const dialects: Part<Found> = {
	name: 'dialects',
	title: 'Every operation in every dialect',
	units: () =>
		dialectOperations.map((one) => ({ name: titleOf(one), cells: DIALECTS.length, isAlone: true })),
	prepare: () => void runFaster(10),

	async run(unit) {
		const operations = [operationOf(unit)];
		const cells = await runDialects(DIALECTS.map((dialect) => ({ dialect, operations })));
		return {
			operation: unit,
			cells: cells.map(({ dialect, outcome, isRight, note }) => ({
				dialect: dialect.name,
				outcome,
				isRight,
				note,
			})),
		};
	},

	broken: (found) =>
		withObjects(found)
			.filter(({ isRight }) => !isRight)
			.map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`),

	report: (results) => writeDialects(results.flatMap(withObjects)),
};

function withObjects({ operation, cells }: Found): DialectCell[] {
	return cells.map((cell) => ({
		...cell,
		operation: operationOf(operation),
		dialect: DIALECTS.find(({ name }) => name === cell.dialect)!,
	}));
}

const MIXES = 1_500;
const MIXES_IN_UNIT = 250;
const SEED = 21;

/** Answers in several dialects at once, with the numbers of the first one and of the one after the last one as names. */
export const mixes: Part<string[]> = {
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
		const cells = await runDialects(mixedTasks(MIXES, seededRandom(SEED)).slice(first, end));
		return cells.filter(({ isRight }) => !isRight).map((cell) => `${cell.dialect.name}: ${faultOf(cell)}`);
	},

	broken: (found) => found,
};
