import { startEmulator, type Emulator } from '../../../emulator';
import { searchList } from '../engine/listSearch';
import { runSubNode } from '../engine/runSubNode';
import { chosen } from '../engine/chosen';
import { nodeTypes } from '../engine/runWorkflow';
import { startConnectionServer } from './connectionFaults';

let second: Emulator;
beforeAll(async () => {
	second = await startEmulator({ v1Only: true });
});
afterEach(() => second.journal.clear());
afterAll(async () => await second.close());

/** A credential at whose first address nothing listens. */
async function credential() {
	const closed = await startConnectionServer({}, null);
	await closed.close();
	return { baseUrl: closed.url, alternateBaseUrl: second.url, apiKey: second.apiKey };
}

const searches = Object.entries(nodeTypes).flatMap(([type, node]) =>
	Object.keys(node.methods?.listSearch ?? {}).map((method) => [type, method] as const),
);
const isOfV1 = ([, method]: readonly [string, string]) => /models|voices/i.test(method);

describe('Without a connection to the base address', () => {
	it.each(searches.filter(isOfV1))(
		'a list in the editor is that of the other address (%s, %s)',
		async (...search) => {
			const [type, method] = search;
			const { results } = await searchList(nodeTypes[type], method, await credential());
			expect(results.length).toBeGreaterThan(0);
		},
	);

	it.each(searches.filter((search) => !isOfV1(search)))(
		'a list says so if the other address does not have it (%s, %s)',
		async (type, method) => {
			await expect(searchList(nodeTypes[type], method, await credential())).rejects.toThrow(
				'Alternate Base URL was not tried, because it has only the paths under /v1.',
			);
			expect(second.journal.entries()).toEqual([]);
		},
	);

	it('a sub-node asks the other one', async () => {
		const { value } = await runSubNode(
			'embeddingsModel',
			{ model: chosen('embedding-3-small'), options: { maxRetries: 0 } },
			async (model: { embedQuery(text: string): Promise<number[]> }) => await model.embedQuery('Why?'),
			{ credential: await credential() },
		);
		expect(value?.length).toBeGreaterThan(0);
		expect(second.journal.count('POST /v1/embeddings')).toBe(1);
	});
});
