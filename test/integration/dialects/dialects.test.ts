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
	it.each(dialects.map((dialect, index) => [dialect.name, index, dialect] as const))(
		'"%s" is read, or refused with words',
		async (_name, index, dialect) => {
			const operations = operationsFor(dialect);
			// Each dialect in one operation that gets such answers, and each operation in its turn.
			const first = index % operations.length;
			for (const operation of [...operations.slice(first), ...operations.slice(0, first)])
				if (await expectMeaning(dialect, operation, emulator)) return;
			throw new Error('No operation gets such an answer.');
		},
	);
});
