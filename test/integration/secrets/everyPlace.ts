import { KEY } from '../../unit/shared/secrets/spellings';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { operationCases, type OperationCase } from '../faults/operations';
import type { Echo, EchoGateway } from './echoGateway';
import { leaksOf, textsIn } from './everyString';

/** All ways to read answers; the other operations of Utilities differ only in their paths. */
export const echoedOperations: OperationCase[] = operationCases.filter(
	({ node, operation }) => node !== 'utilities' || /news|translat|qr|custom|hash/i.test(operation),
);
/** Operations whose output has no text of the gateway. */
const HAS_NO_TEXT = /create|joinItems|rerank|embed|only submitting|voiceModel getMany|worldNewsRss|qrCode/;

/** The name of an operation in tests. */
export function nameOf({ node, operation, variant }: OperationCase): string {
	return [node, operation, variant].filter(Boolean).join(' ');
}

let rate = 50_000;

/** Runs an operation against a gateway that repeats the key. @returns where the key was found, in words */
export async function keyIn(gateway: EchoGateway, operation: OperationCase, echo: Echo): Promise<string[]> {
	gateway.echo = echo;
	gateway.asked = [];
	const simple = await run(gateway, operation, { simplify: true }, { onError: 'continueRegularOutput' });
	const complete = await run(gateway, operation, { simplify: false });
	const isExpected =
		echo === 'in an error 400' || (echo === 'in every value' && !HAS_NO_TEXT.test(nameOf(operation)));
	const isReplaced = textsIn([complete.outputs, complete.error]).includes('[API key]');
	return [
		...(await leaksOf(simple)),
		...(await leaksOf(complete)),
		...gateway.asked.map((request) => `asked for ${request}`),
		...(isExpected && !isReplaced ? ['nothing was replaced'] : []),
	];
}

async function run(
	gateway: EchoGateway,
	operation: OperationCase,
	output: object,
	settings = {},
): Promise<RunResult> {
	const { node, operation: name, parameters, input } = operation;
	const options = { maxRetries: 0, ...(parameters.options as object | undefined) };
	const workflow = oneNode(node, { ...parameters, operation: name, ...output, options }, settings);
	rate += 1;
	return await runWorkflow(workflow, {
		credential: { baseUrl: gateway.url, apiKey: KEY, requestsPerMinute: rate },
		input: input?.(gateway.emulator),
	});
}
