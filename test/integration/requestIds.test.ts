import type { IDataObject } from 'n8n-workflow';
import { runWorkflow } from './engine/runWorkflow';
import { useEmulator } from './engine/useEmulator';
import { useFastClock } from './faults/fastClock';
import { type OperationCase, operationCases, titleOf, workflowOf } from './faults/operations';

const gateway = useEmulator();
useFastClock(100);

/** The operations whose advice names the ID: with the first answer, and not of utilities, which say more themselves. */
const CASES = operationCases.filter(({ node, route }) => route === undefined && node !== 'utilities');

/** Answers without what was asked for, some of which are read only after their request has ended. */
const ANSWERS = [{}, { data: [{}] }, { results: [{}] }, { choices: [{ message: { tool_calls: [null] } }] }];
const ADVICE = /send the request ID/;

async function detailsWith(body: object, operation: OperationCase): Promise<IDataObject[]> {
	gateway.reset();
	const input = operation.input?.(gateway.emulator);
	gateway.fail('/*', { kind: 'status', status: 200, body, times: 'always' });
	const workflow = workflowOf(operation, {}, { onError: 'continueRegularOutput' });
	const { items } = await runWorkflow(workflow, { credential: gateway.credential(), input });
	return items.map(({ json }) => (json.details ?? {}) as IDataObject);
}

it('Whoever is to send the request ID to the operator of the gateway finds it in the details', async () => {
	const advised = new Set<string>();
	const without: string[] = [];
	for (const operation of CASES) {
		for (const body of ANSWERS) {
			for (const { description, requestId } of await detailsWith(body, operation)) {
				if (!ADVICE.test(description as string)) continue;
				advised.add(operation.node);
				if (!/^req_/.test((requestId as string | undefined) ?? '')) without.push(titleOf(operation));
			}
		}
	}
	expect([...new Set(without)]).toEqual([]);
	expect([...advised].sort()).toEqual([
		'account',
		'chat',
		'embed',
		'image',
		'music',
		'rerank',
		'speech',
		'voiceModel',
	]);
});
