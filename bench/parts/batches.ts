import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../emulator';
import { oneNode, runWorkflow } from '../../test/integration/engine/runWorkflow';
import type { Part } from '../report';

const ITEMS = 1000;
const RUNS = 5;
const model = (value: string) => ({ __rl: true, mode: 'id', value });
const text = '={{ $json.text }}';
let runs = 0;

const input: INodeExecutionData[] = Array.from({ length: ITEMS }, (_, id) => ({
	json: { id, text: `Row ${id}: how to reset password ${id % 7} of the ${id % 13} accounts` },
}));

/** Median time in milliseconds and requests of one run of a node over all items. */
async function measure(emulator: Emulator, type: 'embed' | 'rerank', parameters: INodeParameters) {
	const times: number[] = [];
	for (let run = 0; run < RUNS; run++) {
		emulator.journal.clear();
		const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 1e7 + runs++ };
		const result = await runWorkflow(oneNode(type, parameters), { credential, input });
		if (result.error || result.items.length !== ITEMS) throw new Error('Not every item came through.');
		times.push(result.tookMs);
	}
	const ms = times.sort((one, other) => one - other)[Math.floor(RUNS / 2)];
	return { ms, requests: emulator.journal.count() };
}

const embed = (options: object): INodeParameters => ({
	operation: 'embedText',
	model: model('embedding-3-small'),
	text,
	output: 'item',
	vectorField: 'embedding',
	options: options as INodeParameters,
});

const rerank = (batchSize: number): INodeParameters => ({
	operation: 'rerankInputItems',
	model: model('reranker-v2-m3'),
	query: 'How do I reset my password?',
	text,
	topN: 0,
	simplify: true,
	options: { batchSize },
});

/** Time of many texts that share requests. */
export async function measureBatches(): Promise<Part> {
	const emulator = await startEmulator({ latencyMs: 50 });
	await measure(emulator, 'rerank', rerank(200));
	const cases: Array<[string, 'embed' | 'rerank', INodeParameters]> = [
		['rerank, one request', 'rerank', rerank(1000)],
		['rerank, batches of 200', 'rerank', rerank(200)],
		['embed, one text a request', 'embed', embed({ batchSize: 1 })],
		['embed, batches of 100, float', 'embed', embed({ encodingFormat: 'float' })],
		['embed, batches of 100, base64', 'embed', embed({ encodingFormat: 'base64' })],
	];
	const figures = [];
	for (const [what, type, parameters] of cases) {
		const { ms, requests } = await measure(emulator, type, parameters);
		figures.push({ what, ms: Math.round(ms), requests });
	}
	await emulator.close();
	return {
		title: 'Texts in batches',
		about: `${ITEMS} items in n8n's engine, 50 ms latency, all in one process.`,
		rows: figures,
	};
}
