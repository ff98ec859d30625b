import type { IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import type { BatchOperation } from '../../../nodes/shared/run/operation';
import { runOperations } from '../../../nodes/shared/run/runOperations';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { FakeContext } from './fakeContext';

it('Of the items that fail together, those say so that were charged for before', async () => {
	const base = { name: 'Embed', value: 'embed', action: 'Embed', description: '', fields: [] };
	const operation: BatchOperation = {
		...base,
		async runAll(calls) {
			const request = { endpoint: endpoints.embeddings, json: {}, maxRetries: 0 };
			await calls[1].pay(request, async () => 'paid');
			return calls.map(({ itemIndex: from }) => ({
				from,
				failure: new GatewayFailure('request', 'Bad', ''),
			}));
		},
	};
	const items = [{ json: {} }, { json: {} }, { json: {} }];
	const context = new FakeContext({ items, parameters: { operation: 'embed' }, continueOnFail: true });
	const [output] = await runOperations(context.execute, [operation], true);
	const charges = output.map(({ json }) => (json.details as IDataObject).charge);
	expect(charges).toEqual([undefined, 'certain', undefined]);
});
