import type { INode, INodeExecutionData } from 'n8n-workflow';
import { inputFailure } from '../../../nodes/shared/errors/errorMessages';
import { deliver } from '../../../nodes/shared/runtime/deliver';
import { markedAsFailed } from '../../../nodes/shared/olderEngines';
import { Redactor } from '../../../nodes/shared/secrets/redactor';
import { FakeContext } from './fakeContext';

const failedItem = (): INodeExecutionData => ({
	json: { error: 'No', details: { taskId: 't1' } },
	pairedItem: { item: 0 },
});

/** How n8n 2.0.0 to 2.35.2 sort the items of a node into its outputs, and what they do with them afterwards. */
function sortedByOldEngine(item: INodeExecutionData, row?: object): INodeExecutionData {
	const errorData = item.error ? item.error : undefined;
	expect(errorData).toBe('No');
	const moved = row ? { ...item, json: { ...row, ...item.json } } : item;
	if (moved.error !== undefined) moved.json = { error: moved.error.message };
	return moved;
}

describe('A failed item in older versions of n8n', () => {
	it('is moved to the error output with its row and its details', () => {
		expect(sortedByOldEngine(markedAsFailed(failedItem()), { name: 'Two' })).toEqual({
			json: { name: 'Two', error: 'No', details: { taskId: 't1' } },
			pairedItem: { item: 0 },
		});
	});

	it('keeps its details in the first node, too, where there is no row', () => {
		expect(sortedByOldEngine(markedAsFailed(failedItem())).json).toEqual(failedItem().json);
	});

	it('is saved without the mark', () => {
		const marked = markedAsFailed(failedItem());
		expect(JSON.parse(JSON.stringify(marked))).toEqual(failedItem());
		expect({ ...marked }).toEqual(failedItem());
	});

	it('is marked only if it goes to the error output, and nothing else is', async () => {
		const marksFor = async (type: string, onError: INode['onError']) => {
			const { execute: context } = new FakeContext({ node: { type, onError }, continueOnFail: true });
			const failure = inputFailure({ displayName: 'Text' }, 'is empty', 'Enter one.');
			const results = [
				{ from: 0, result: { json: { a: 1 } } },
				{ from: 1, failure },
			];
			const items = await deliver({ context, redactor: new Redactor([]) }, results);
			return items.map(({ error }) => error !== undefined);
		};
		expect(await marksFor('x.image', 'continueErrorOutput')).toEqual([false, true]);
		expect(await marksFor('x.image', 'continueRegularOutput')).toEqual([false, false]);
		expect(await marksFor('x.imageTool', 'continueErrorOutput')).toEqual([false, false]);
	});
});
