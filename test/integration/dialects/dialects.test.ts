import { type Dialect, dialects } from '../../../emulator/dialects';
import { startEmulator, type Emulator } from '../../../emulator';
import { onePerReader, operationCase, operationCases, type OperationCase } from '../faults/operations';
import { useFastClock } from '../faults/fastClock';
import { expectMeaning } from './cell';

useFastClock(100);
let emulator: Emulator;
beforeAll(async () => (emulator = await startEmulator()));
afterAll(async () => await emulator.close());

const speech = operationCase('speech', 'create');

/** The operations, and some that need an answer of their own. */
const dialectOperations: OperationCase[] = [
	...operationCases,
	{ ...operationCase('image', 'generate'), variant: 'several', rule: { images: { count: 3 } } },
	{
		...operationCase('image', 'generate', 'image in the JSON'),
		variant: 'several in the JSON',
		rule: { images: { count: 3, answerAs: 'b64_json' } },
	},
	{ ...speech, variant: 'WAV', parameters: { ...speech.parameters, format: 'wav' } },
];

/** What any answer may look like is read in one place for each way of reading; the rest in those of its routes. */
const operationsFor = ({ routes }: Dialect) =>
	routes.some((route) => route === '*' || route === '/v1*') ? onePerReader : dialectOperations;

describe('An answer in the dialect', () => {
	it.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" is read, or refused with words',
		async (_name, dialect) => {
			let cells = 0;
			for (const operation of operationsFor(dialect)) {
				if (await expectMeaning(dialect, operation, emulator)) cells += 1;
			}
			expect(cells).toBeGreaterThan(0);
		},
	);
});
