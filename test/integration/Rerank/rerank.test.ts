import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { runWorkflow } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

const RERANK = 'POST /v1/rerank';
const QUERY = 'How do I reset my password?';
const gateway = useNode('rerank', { model: chosen('reranker-v2-m3'), query: QUERY });
const rerankItems = async (input: INodeExecutionData[], parameters: object = {}, settings: object = {}) =>
	await gateway.run({ operation: 'rerankInputItems', text: '={{ $json.text }}', ...parameters }, settings, {
		input,
	});
const rerankList = async (documents: unknown, parameters: object = {}, settings: object = {}) =>
	await gateway.run(
		{ operation: 'rerankList', documents: '={{ $json.documents }}', ...parameters },
		settings,
		{ input: [{ json: { documents } as IDataObject }] },
	);

const TO_ERRORS = { onError: 'continueErrorOutput' };
const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
const texts = (...all: unknown[]): INodeExecutionData[] =>
	all.map((text, id) => ({ json: { id, text } as IDataObject }));

describe('Rerank Input Items', () => {
	it('returns complete items with their fields, files, and the link to their source, and no earlier result', async () => {
		const rows = texts('The moon', 'Reset a password');
		const earlier = { relevanceScore: 7, error: 'Bad', details: { kind: 'request' } };
		const input = rows.map(({ json }, id) => ({
			json: { ...json, ...earlier },
			binary: { data: { data: 'aGk=', mimeType: 'text/plain', fileName: `${id}.txt` } },
		}));
		const { items } = await rerankItems(input);
		expect(items).toEqual([
			{
				json: { ...rows[1].json, relevanceScore: expect.any(Number) },
				binary: input[1].binary,
				pairedItem: { item: 1 },
			},
			{ json: { ...rows[0].json, relevanceScore: 0 }, binary: input[0].binary, pairedItem: { item: 0 } },
		]);
	});

	it('leaves empty documents out, which a hint says, and sends equal ones once', async () => {
		const input = texts('reset', '', 'password', 'reset', null, '  ');
		const { items, hints } = await rerankItems(input);
		expect(ids(items)).toEqual([0, 2, 3]);
		expect(gateway.emulator.journal.entries(RERANK)[0].body).toMatchObject({
			documents: ['reset', 'password'],
		});
		expect(hints).toEqual([
			'Empty documents were left out (3 of 6).',
			expect.stringMatching(/^6 items in .*: 6 done\. 1 request\./),
		]);
	});

	it('fails only items without a score, and what has the same text', async () => {
		const body = { results: [{ index: 0, relevance_score: 0.9 }, { index: 1 }] };
		gateway.fail(RERANK, { kind: 'status', status: 200, body });
		const { outputs } = await rerankItems(texts('moon', 'lamp', 'lamp'), {}, TO_ERRORS);
		expect(ids(outputs[0])).toEqual([0]);
		const failed = outputs[1].map(({ json, pairedItem }) => [json.error, pairedItem]);
		const error = expect.stringContaining('no score for this document');
		expect(failed).toEqual([1, 2].map((item) => [error, { item }]));
	});

	it('keeps what has at least Minimum Score, which may be 0', async () => {
		const results = [0.9, 0, -0.2].map((relevance_score, index) => ({ index, relevance_score }));
		gateway.fail(RERANK, { kind: 'status', status: 200, body: { results } });
		const { items } = await rerankItems(texts('moon', 'lamp', 'sun'), { options: { minimumScore: 0 } });
		expect(ids(items)).toEqual([0, 1]);
	});

	it('says when all scores are 0, whatever is left out', async () => {
		for (const parameters of [{}, { options: { minimumScore: 0.5 } }]) {
			const { hints } = await rerankItems(texts('The moon', 'A lamp'), parameters);
			expect(hints).toContainEqual(expect.stringContaining('gave every document the score 0'));
		}
		const { hints } = await rerankItems(texts('The moon', 'Reset a password'));
		expect(hints.join()).not.toContain('score 0');
	});

	it('fails when no item has text, and sends nothing', async () => {
		const { error } = await rerankItems(texts('', null));
		expect(error?.message).toBe('Text is empty in all 2 items (row 1 of 2)');
		expect((await rerankItems(texts(''))).error?.message).toBe('Text is empty');
		expect(gateway.emulator.journal.count()).toBe(0);
	});

	it('sends the headers of each item only with its own requests', async () => {
		const header = [{ name: 'X-Tag', value: '={{ $json.id }}' }];
		await rerankItems(texts('moon', 'password'), { options: { headers: { values: header } } });
		const tags = gateway.emulator.journal.entries(RERANK).map(({ headers, body }) => {
			return [headers['x-tag'], (body as { documents: string[] }).documents];
		});
		expect(tags.sort()).toEqual([
			['0', ['moon']],
			['1', ['password']],
		]);
	});

	it('ranks items with different queries separately', async () => {
		const input = texts('the moon', 'a password', 'moon', 'password').map(({ json }) => ({
			json: { ...json, query: Number(json.id) % 2 ? 'password' : 'moon' },
		}));
		const parameters = { query: '={{ $json.query }}', topN: 1, simplify: false };
		const { items, hints } = await rerankItems(input, parameters);
		expect(ids(items)).toEqual([2, 3]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 2 }, { item: 3 }]);
		expect(items.map(({ json }) => json.rerank)).toMatchObject([
			{ rank: 1, index: 2 },
			{ rank: 1, index: 3 },
		]);
		expect(hints[0]).toContain('2 different queries');
	});

	it('names items that could not be scored by their place among all', async () => {
		const input = texts('moon', 'password', 'lamp').map(({ json }, id) => ({
			json: { ...json, query: id ? 'password' : 'moon' },
		}));
		const body = { results: [{ index: 0, relevance_score: 0.9 }, { index: 1 }] };
		gateway.fail(RERANK, { kind: 'status', status: 200, body, when: 'lamp' });
		const { hints } = await rerankItems(input, { query: '={{ $json.query }}' }, TO_ERRORS);
		expect(hints.join()).toContain('missing from the ranking (1 of 2): index 2.');
	});
});

describe('Rerank List', () => {
	const DOCUMENTS = ['The moon', 'Reset a password', 'Opening hours', 'How do I reset my password?'];

	it('returns an item for each document, linked to the input item', async () => {
		const { items } = await rerankList(DOCUMENTS, { topN: 2 });
		expect(items).toEqual(
			[3, 1].map((index) => ({
				json: { document: DOCUMENTS[index], relevanceScore: expect.any(Number), index },
				pairedItem: { item: 0 },
			})),
		);
		expect(gateway.emulator.journal.entries(RERANK)[0].body).toEqual({
			model: 'reranker-v2-m3',
			query: QUERY,
			documents: DOCUMENTS,
			top_n: 2,
		});
	});

	it('returns one item with all documents', async () => {
		gateway.emulator.behaviour.set(RERANK, { rerank: { usage: true } });
		const { items } = await rerankList(DOCUMENTS.join('\n'), { output: 'list', topN: 1 });
		expect(items[0].json).toEqual({
			results: [{ document: DOCUMENTS[3], relevanceScore: expect.any(Number), index: 3 }],
			inputTokens: expect.any(Number),
			totalTokens: expect.any(Number),
		});
		// The tokens of several requests are summed up.
		const parts = await rerankList(DOCUMENTS, { output: 'list', options: { batchSize: 1 } });
		const used = gateway.emulator.journal.entries(RERANK).slice(1);
		expect(used).toHaveLength(4);
		expect(parts.items[0].json.totalTokens).toBe(items[0].json.totalTokens);
		const raw = { output: 'list', simplify: false, options: { batchSize: 2 } };
		const { items: full } = await rerankList(DOCUMENTS, raw);
		expect(full[0].json).toMatchObject({
			responses: [1, 2].map(() => ({ usage: { total_tokens: expect.any(Number) } })),
			rerank: { model: 'reranker-v2-m3', query: QUERY, requests: 2, indexes: [3, 1, 0, 2] },
		});
	});

	it('expects as many results as Extra Body Fields ask for', async () => {
		const results = [0.9, 0.1].map((score, index) => ({ index, relevance_score: score }));
		gateway.fail(RERANK, { kind: 'status', status: 200, body: { results } });
		const { items, hints } = await rerankList(DOCUMENTS, { options: { extraBodyFields: { top_n: 2 } } });
		expect(items.map(({ json }) => json.index)).toEqual([0, 1]);
		expect(hints).toEqual([]);
		gateway.fail(RERANK, { kind: 'status', status: 200, body: { results } });
		const fewer = await rerankList(DOCUMENTS);
		expect(fewer.hints.join()).toContain('The gateway returned only 2 of 4 results.');
	});

	it('leaves out documents without a score, and says so', async () => {
		const body = { results: [{ index: 0, relevance_score: 0.9 }, { index: 1 }] };
		gateway.fail(RERANK, { kind: 'status', status: 200, body });
		const { items, hints } = await rerankList(['moon', 'lamp', 'lamp']);
		expect(items.map(({ json }) => json.index)).toEqual([0]);
		expect(hints.join()).toContain('missing from the ranking (2 of 3): index 1, 2.');
	});

	it('has a whole document and a long rest of the response, whichever documents are left out', async () => {
		const results = [0.1, 0.9].map((score, index) => ({ index, relevance_score: score }));
		gateway.fail(RERANK, { kind: 'status', status: 200, body: { log: 'x'.repeat(20_000), results } });
		const documents = ['a', 'b'].map((body) => ({ body, text: 'Another' }));
		const options = { textField: 'body' };
		const { items } = await rerankList(documents, { simplify: false, topN: 1, options });
		expect(items.map(({ json }) => json.rerank)).toMatchObject([
			{ rank: 1, index: 1, document: documents[1] },
		]);
		expect(JSON.stringify(items[0].json)).toContain('x'.repeat(20_000));
	});

	it('fails as a document does that may be charged for, if there is one, and blames no document for it', async () => {
		const faults = [
			{ kind: 'status', status: 400, when: 'one', times: 'always' },
			{ kind: 'resetBeforeHeaders', when: 'two', times: 'always' },
		] as const;
		gateway.emulator.behaviour.set(RERANK, { faults: [...faults] });
		const { outputs } = await rerankList(['one', 'two'], { options: { batchSize: 1 } }, TO_ERRORS);
		expect(outputs[1][0].json.details).toMatchObject({ charge: 'possible' });
		expect(outputs[1][0].json.details).not.toHaveProperty('partial');
	});

	it('says that the details contain what arrived only if they do: Retry On Fail keeps no part of it', async () => {
		const arrived = async (settings: object) => {
			gateway.reset();
			gateway.fail(RERANK, { kind: 'status', status: 200, body: '{"results":[{"index":0' });
			const { error } = await rerankList(['one', 'two'], {}, settings);
			expect(gateway.emulator.journal.count(RERANK)).toBe(1);
			return [error?.description?.includes('contain what arrived'), error?.context.data];
		};
		const withPartial = { partial: expect.anything() };
		expect(await arrived({})).toEqual([true, expect.objectContaining(withPartial)]);
		const retryOnFail = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		expect(await arrived(retryOnFail)).toEqual([false, expect.not.objectContaining(withPartial)]);
	});

	it('asks in a retry only about documents that no response has ranked', async () => {
		const results = [{ index: 0, relevance_score: 0.9 }, { index: 1 }];
		gateway.emulator.behaviour.set(RERANK, {
			faults: [
				{ kind: 'status', status: 200, body: { results } },
				{ kind: 'status', status: 400, when: 'hours', times: 2 },
			],
		});
		const options = { batchSize: 2, parallelRequests: 1 };
		const usual = { operation: 'rerankList', documents: DOCUMENTS.join('\n'), options };
		const list = (changes: object) => gateway.workflow({ ...usual, ...changes });
		const run = { credential: gateway.credential() };
		const failed = await runWorkflow(list({}), { ...run, input: [{ json: {} }] });
		await retryRun(list({}), failed, run);
		const asked = (index: number) =>
			gateway.sent(RERANK).filter(({ documents }) => (documents as string[]).includes(DOCUMENTS[index]))
				.length;
		expect([0, 1].map(asked)).toEqual([1, 1]);
		// With other parameters, it asks about all.
		const extra = { ...options, extraBodyFields: { top_n: 2 } };
		for (const [index, changes] of [{ query: 'Moon?' }, { topN: 1 }, { options: extra }].entries()) {
			await retryRun(list(changes), failed, run);
			expect(asked(0)).toBe(index + 2);
		}
	});

	it.each([
		[
			'ranks a changed list with Top N anew',
			{ topN: 1 },
			'={{ $json.documents.slice(-1) }}',
			['x'],
			[['x'], ['hours']],
		],
		[
			'ranks a changed list with top_n in Extra Body Fields anew',
			{ options: { extraBodyFields: { top_n: 1 } } },
			'={{ $json.documents.slice(-1) }}',
			['x'],
			[['x'], ['hours']],
		],
		['still leaves out a document without a score', {}, '={{ $json.documents }}', ['reset'], [['hours']]],
	])('%s in a retry', async (_what, parameters, documents, expected, asked) => {
		const best = { results: [{ index: 0, relevance_score: 0.9 }] };
		const answer = { kind: 'status', status: 200, when: 'x', body: best } as const;
		const refusal = { kind: 'status', status: 400, when: 'hours', times: 2 } as const;
		gateway.emulator.behaviour.set(RERANK, { faults: [answer, refusal] });
		const list = (changes: object) =>
			gateway.workflow({ operation: 'rerankList', ...parameters, ...changes });
		const input = [['reset', 'x'], ['hours']].map((texts) => ({ json: { documents: texts } }));
		const run = { credential: gateway.credential() };
		const failed = await runWorkflow(list({ documents: '={{ $json.documents }}' }), { ...run, input });
		expect(failed.error?.message).toContain('row 2 of 2');
		gateway.emulator.behaviour.set(RERANK, { faults: [answer] });
		const { items, error } = await retryRun(list({ documents }), failed, run);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.document)).toEqual([...expected, 'hours']);
		expect(
			gateway
				.sent(RERANK)
				.slice(2)
				.map(({ documents: sent }) => sent),
		).toEqual(asked);
	});

	it('fails when a document cannot be scored, and keeps the other scores', async () => {
		const options = { batchSize: 2, parallelRequests: 1, maxRetries: 0 };
		gateway.fail(RERANK, { kind: 'status', status: 400, when: 'moon', times: 'always' });
		const first = await rerankList(DOCUMENTS, { options }, TO_ERRORS);
		expect(first.outputs[1][0].json.details).toMatchObject({ partial: { failedDocument: { index: 0 } } });
		gateway.emulator.behaviour.replace({});
		gateway.fail(RERANK, { kind: 'status', status: 400, when: 'hours', times: 'always' });
		const { outputs } = await rerankList(DOCUMENTS, { options }, TO_ERRORS);
		expect(outputs[1][0].json.error).toMatch(/ \(Document 3: “Opening hours”\)$/);
		expect(outputs[1][0].json.details).toMatchObject({
			partial: {
				failedDocument: { index: 2, text: 'Opening hours' },
				results: [{ index: 1 }, { index: 0 }],
			},
		});
		const body = { note: 'None' };
		gateway.emulator.behaviour.set(RERANK, {
			faults: [{ kind: 'status', status: 200, when: 'hours', body }],
		});
		const odd = await rerankList(DOCUMENTS, { options: { batchSize: 2, parallelRequests: 1 } }, TO_ERRORS);
		expect(odd.outputs[1][0].json.details).toMatchObject({ partial: { answer: body, results: [{}, {}] } });
	});
});
