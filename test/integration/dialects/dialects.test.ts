import { type Dialect, dialects } from '../../../emulator/dialects';
import { startEmulator, type Emulator } from '../../../emulator';
import { onePerReader, titleOf } from '../faults/operations';
import { useFastClock } from '../faults/fastClock';
import { wrongIn } from './cell';
import { dialectOperations } from './operations';

useFastClock(100);
let emulator: Emulator;
beforeAll(async () => (emulator = await startEmulator()));
afterAll(async () => await emulator.close());

/** What any answer may look like is read in one place for each way of reading; the rest in those of its routes. */
const operationsFor = ({ routes }: Dialect) =>
	routes.some((route) => route === '*' || route === '/v1*') ? onePerReader : dialectOperations;

describe('An answer in the dialect', () => {
	it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" is read, or refused with words',
		async (_name, dialect) => {
			const wrong: string[] = [];
			let cells = 0;
			for (const operation of operationsFor(dialect)) {
				const found = await wrongIn(dialect, operation, emulator);
				if (!found) continue;
				cells += 1;
				wrong.push(...found.map((what) => `${titleOf(operation)}: ${what}`));
			}
			expect(wrong).toEqual([]);
			expect(cells).toBeGreaterThan(0);
		},
	);
});
