import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import fc from 'fast-check';
import { rawItem, rawItems, toItem } from '../../../nodes/shared/run/operation';
import { loggedRun, supplySubNode } from '../../../nodes/shared/run/subNode';
import { FakeContext, failureOf } from './fakeContext';
import { toolAnswerOf } from '../../../nodes/shared/run/deliver';

const TEXT = { displayName: 'Prompt', name: 'prompt' };

describe('A sub-node', () => {
	it('gives what it creates from its parameters for an item to the node that uses it', async () => {
		const parameters = {
			prompt: (index: number) => `Prompt ${index}`,
			limits: { parallelRequests: 2 },
		};
		const { supply } = new FakeContext({ parameters });
		const { response } = await supplySubNode(supply, 3, (call) => ({
			text: call.text(TEXT),
			most: call.client.lanes.width,
			base: call.client.addresses.base,
		}));
		expect(response).toEqual({ text: 'Prompt 3', most: 2, base: 'https://gateway.example' });
	});

	it('shows what is wrong with a parameter, or with the credential, on itself', async () => {
		const { supply } = new FakeContext();
		const failure = await failureOf(supplySubNode(supply, 0, (call) => call.requiredText(TEXT)));
		expect(failure).toMatchObject({ message: 'Prompt is empty', functionality: 'configuration-node' });
		const faulty = supplySubNode(supply, 0, () => {
			throw new Error('secret-key-123');
		});
		expect((await failureOf(faulty)).message).toBe('The node itself has failed (Error: [API key])');
		const unusable = new FakeContext({ credential: { baseUrl: '' } });
		expect(await failureOf(supplySubNode(unusable.supply, 0, () => ({})))).toMatchObject({
			message: 'Base URL is missing in the credential',
			functionality: 'configuration-node',
		});
	});

	it('shows each piece of work as a run, without the key', async () => {
		const context = new FakeContext();
		const { supply } = context;
		const run = async (work: () => Promise<{ value: number; output: IDataObject }>) => {
			const { response } = await supplySubNode(supply, 0, async (call) => {
				return await loggedRun(call, 'ai_embedding', { texts: 'of secret-key-123' }, work);
			});
			return await (response as Promise<number>);
		};
		expect(await run(async () => ({ value: 7, output: { said: 'secret-key-123' } }))).toBe(7);
		const failure = await failureOf(run(async () => await Promise.reject(new Error('secret-key-123'))));
		expect(failure).toMatchObject({
			message: 'The node itself has failed (Error: [API key])',
			functionality: 'configuration-node',
		});
		const input = ['input of ai_embedding', [[{ json: { texts: 'of [API key]' } }]]];
		expect(context.logged).toEqual([
			input,
			['output 1 of ai_embedding', [[{ json: { said: '[API key]' } }]]],
			input,
			['output 3 of ai_embedding', failure],
		]);
	});
});

describe('An item as the gateway sent it', () => {
	const long = { text: 'x'.repeat(10_001) };

	it.each<[unknown, unknown]>([
		[toItem({ a: 1 }), { a: 1 }],
		[toItem([1]), { value: [1] }],
		[rawItem({ a: 1 }, {}), { a: 1 }],
		[rawItem(1, { id: 7 }), { value: 1, response: { id: 7 } }],
		[rawItem({ response: 1 }, { id: 7 }), { response: 1, wholeResponse: { id: 7 } }],
		[rawItems([1, 2], { id: 7 }), [1, 2].map((value) => ({ value, response: { id: 7 } }))],
		[rawItems([1, 2, 3], long), [{ value: 1, response: long }, { value: 2 }, { value: 3 }]],
	])('is %j', (item, expected) => expect(item).toEqual(expected));
});

/** What a model gets from a tool. */
function answer(items: INodeExecutionData[], maxAnswerLength = 10_000, type = 'x.speechTool'): IDataObject[] {
	const { execute } = new FakeContext({ node: { name: 'speaker', type } });
	return toolAnswerOf(items, execute.getNode(), maxAnswerLength).map(({ json }) => json);
}

/** The only item that a model gets of one that is too long. */
const shortened = (json: IDataObject, maxLength: number) => {
	const [only, ...others] = answer([{ json }], maxLength);
	expect(others).toEqual([]);
	return only;
};

describe('What a model gets from a tool', () => {
	it('says how many items are left out if they are too long together', () => {
		const items = Array.from({ length: 50 }, (_, index) => ({
			json: { title: `Story ${index}`, rank: index },
		}));
		const given = answer(items, 500);
		expect(JSON.stringify(given).length).toBeLessThanOrEqual(500);
		expect(given.length).toBeGreaterThan(10);
		expect(given[0]).toEqual(items[0].json);
		expect(given.at(-1)).toEqual({
			leftOut: `${50 - given.length + 1} of 50 items, because the answer would be too long`,
		});
		const all = items.map(({ json }) => json);
		const { length } = JSON.stringify(all);
		const isWhole = [length, 0, length - 1].map((most) => answer(items, most).length === 50);
		expect(isWhole).toEqual([true, true, false]);
		expect(answer(items, 500, 'x.speech')).toEqual(all);
	});

	it('has the beginnings of long texts and lists, and all other fields', () => {
		const text = 'word '.repeat(1000);
		const short = shortened({ date: '2026-11-23', text, link: 'https://a.example/1', items: [1, 2] }, 600);
		expect(short).toMatchObject({ date: '2026-11-23', link: 'https://a.example/1', items: [1, 2] });
		expect(short.text).toMatch(/^word word .*…$/);
		const news = Array.from({ length: 90 }, () => 'Something happened');
		const list = shortened({ day: 'Monday', news }, 500).news as string[];
		expect(list.length).toBeGreaterThan(5);
		expect([list[0], list.at(-1)]).toEqual([news[0], '…']);
	});

	it('says so if nothing of it fits', () => {
		const names = Array.from({ length: 500 }, (_, index) => [`field ${index}`, 'x']);
		const leftOut = 'all fields, because the answer would be too long';
		expect(shortened(Object.fromEntries(names) as IDataObject, 1000)).toEqual({ leftOut });
	});

	it('fits, whatever it is', () => {
		const items = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), { minLength: 1 });
		fc.assert(
			fc.property(items, fc.integer({ min: 200, max: 2000 }), (list, limit) => {
				const given = answer(
					list.map((json) => ({ json: json })),
					limit,
				);
				expect(JSON.stringify(given).length).toBeLessThanOrEqual(limit);
			}),
			{ numRuns: 500 },
		);
		expect(JSON.stringify(shortened({ text: '"😀\u0001'.repeat(900) }, 300)).length).toBeLessThanOrEqual(300);
	});

	it('says so if there are no items', () => {
		expect(answer([])).toEqual([{ empty: true, message: 'Nothing was found.' }]);
		expect(answer([], 0)).toHaveLength(1);
		expect(answer([], 0, 'x.speech')).toEqual([]);
	});

	it('names the files, which no model gets, and where they are', () => {
		const about = { mimeType: 'audio/mpeg', fileName: 'a.mp3', fileSize: '5 B' };
		const items = [
			{ json: { characters: 5 }, binary: { data: { data: 'aGVsbG8=', ...about } as IBinaryData } },
		];
		expect(answer(items)).toEqual([
			{
				characters: 5,
				files: [{ field: 'data', ...about }],
				aboutFiles:
					'The files are in the output of "speaker" in this execution, unless an MCP client has asked, or AI Agent is older than version 3. You cannot open them.',
			},
		]);
	});
});
