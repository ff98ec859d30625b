import { useFastClock } from '../faults/fastClock';
import { ECHOES, startEchoGateway, type EchoGateway } from './echoGateway';
import { echoedOperations, keyIn, nameOf } from './everyPlace';

useFastClock(40);

let gateway: EchoGateway;
beforeAll(async () => {
	gateway = await startEchoGateway();
});
afterAll(async () => await gateway.close());

/** Each operation with three of the ways, and each way with several operations. */
const SHARE = 4;
const pairs = echoedOperations.flatMap((operation, row) =>
	ECHOES.filter((_, column) => (row + column) % SHARE === 0).map(
		(echo) => [nameOf(operation), echo, operation] as const,
	),
);

describe('A gateway that repeats the key', () => {
	it.each(pairs)('to %s %s finds it nowhere', async (_name, echo, operation) => {
		expect(await keyIn(gateway, operation, echo)).toEqual([]);
	});
});
