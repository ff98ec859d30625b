import { KEY } from '../../unit/shared/secrets/spellings';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { useFastClock } from '../faults/fastClock';
import { titleOf } from '../faults/operationCase';
import { operationCases, type OperationCase } from '../faults/operations';
import { type Echo, ECHOES, startEchoGateway, type EchoGateway } from './echoGateway';
import { leaksOf, textsIn } from './everyString';

useFastClock(40);

let gateway: EchoGateway;
let rate = 50_000;
beforeAll(async () => {
	gateway = await startEchoGateway();
});
afterAll(async () => await gateway.close());

/** All ways to read answers; the other operations of Utilities differ only in their paths. */
const operations = operationCases.filter(
	({ node, operation }) => node !== 'utilities' || /news|translat|qr|custom|hash/i.test(operation),
);
/** Operations whose output has no text of the gateway. */
const HAS_NO_TEXT = /create|joinItems|rerank|embed|only submitting|voiceModel getMany|worldNewsRss|qrCode/;
/** Each operation with some of the ways, each way with several operations, and files with every operation that has one. */
const SHARE = 4;
const HAS_FILES = /audio|image|track/;
const isPair = ({ reader }: OperationCase, row: number, echo: Echo) =>
	echo === 'in files' ? HAS_FILES.test(reader ?? '') : (row + ECHOES.indexOf(echo)) % SHARE === 0;
const pairs = operations.flatMap((operation, row) =>
	ECHOES.filter((echo) => isPair(operation, row, echo)).map(
		(echo) => [titleOf(operation), echo, operation] as const,
	),
);

async function run(operation: OperationCase, output: object, settings = {}): Promise<RunResult> {
	const { node, operation: name, parameters, input } = operation;
	const options = { maxRetries: 0, ...(parameters.options as object | undefined) };
	const workflow = oneNode(node, { ...parameters, operation: name, ...output, options }, settings);
	rate += 1;
	return await runWorkflow(workflow, {
		credential: { baseUrl: gateway.url, apiKey: KEY, requestsPerMinute: rate },
		input: input?.(gateway.emulator),
	});
}

describe('A gateway that repeats the key', () => {
	it.each(pairs)('to %s %s finds it nowhere', async (title, echo, operation) => {
		gateway.echo = echo;
		gateway.asked = [];
		const simple = await run(operation, { simplify: true }, { onError: 'continueRegularOutput' });
		const complete = await run(operation, { simplify: false });
		expect([...(await leaksOf(simple)), ...(await leaksOf(complete))]).toEqual([]);
		expect(gateway.asked).toEqual([]);
		if (echo === 'in an error 400' || (echo === 'in every value' && !HAS_NO_TEXT.test(title))) {
			expect(textsIn([complete.outputs, complete.error])).toContain('[API key]');
		}
	});
});
