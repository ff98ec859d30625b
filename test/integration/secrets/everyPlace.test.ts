import { KEY } from '../../unit/shared/secrets/spellings';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { useFastClock } from '../faults/fastClock';
import { operationCases, type OperationCase } from '../faults/operations';
import { ECHOES, startEchoGateway, type EchoGateway } from './echoGateway';
import { leaksOf, textsIn } from './everyString';

useFastClock(200);

/** All ways to read answers; the other operations of Utilities differ only in their paths. */
const operations = operationCases
	.filter(
		({ node, operation, sharesReader }) =>
			node !== 'utilities' || !sharesReader || /news|translat|qr|custom|hash/i.test(operation),
	)
	.map(
		(operation) => [[operation.node, operation.operation, operation.variant].join(' '), operation] as const,
	);
/** Operations whose output has no text of the gateway. */
const HAS_NO_TEXT = /create|rerank|embed|only submitting|voiceModel getMany|worldNewsRss|qrCode/;

let gateway: EchoGateway;
let rate = 50_000;

beforeAll(async () => {
	gateway = await startEchoGateway();
	gateway.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
});
afterAll(async () => await gateway.close());
beforeEach(() => {
	gateway.asked = [];
});

async function run(operation: OperationCase, output: object, settings = {}): Promise<RunResult> {
	const { node, resource, operation: name, parameters, input, connections = {} } = operation;
	const options = { maxRetries: 0, ...(parameters.options as object | undefined) };
	const selected = { ...(resource ? { resource } : {}), ...(name ? { operation: name } : {}) };
	const workflow = oneNode(node, { ...parameters, ...selected, ...output, options }, settings);
	rate += 1;
	return await runWorkflow(
		{ ...workflow, connections },
		{
			credential: { baseUrl: gateway.url, apiKey: KEY, requestsPerMinute: rate },
			input: input?.(gateway.emulator),
		},
	);
}

describe.each(operations)('A gateway that repeats the key to %s', (title, operation) => {
	it.each(ECHOES)('%s finds it nowhere', async (echo) => {
		gateway.echo = echo;
		const simple = await run(operation, { simplify: true }, { onError: 'continueRegularOutput' });
		const complete = await run(operation, { simplify: false });
		expect([...(await leaksOf(simple)), ...(await leaksOf(complete))]).toEqual([]);
		expect(gateway.asked).toEqual([]);
		if (echo === 'in an error 400' || (echo === 'in every value' && !HAS_NO_TEXT.test(title))) {
			expect(textsIn([complete.outputs, complete.error])).toContain('[API key]');
		}
	});
});
