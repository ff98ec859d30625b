import type { IDataObject } from 'n8n-workflow';
import type { Emulator } from '../../emulator';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { bareNode, httpRequestNode, ourNode, picked, task } from '../task';

const ITEMS = 1000;
const ROUNDS = 5;
const LATENCY_MS = 50;
const EMBEDDINGS = '/v1/embeddings';
const text = '={{ $json.prompt }}';

const texts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, id) => ({
		id,
		prompt: `Row ${id}: how to reset password ${id % 7} of the ${id % 13} accounts`,
	}));

const embed = (name: string, options: IDataObject = {}): Subject => ({
	name: `Unified AI Embed, ${name}`,
	task: (gateway, count) =>
		task(
			gateway,
			ourNode('embed', {
				operation: 'embedText',
				model: picked('embedding-3-small'),
				text,
				output: 'item',
				vectorField: 'embedding',
				options,
			}),
			texts(count),
		),
});

const rerank = (batchSize: number): Subject => ({
	name: `Unified AI Rerank, batches of ${batchSize}`,
	task: (gateway, count) =>
		task(
			gateway,
			ourNode('rerank', {
				operation: 'rerankInputItems',
				model: picked('reranker-v2-m3'),
				query: 'How do I reset my password?',
				text,
				topN: 0,
				simplify: true,
				limits: { batchSize },
			}),
			texts(count),
		),
});

const bare: Subject = {
	name: 'Bare helper loop, one text per request, 5 at once',
	task: (gateway, count) => task(gateway, bareNode(gateway, EMBEDDINGS, 'embedding', 5, text), texts(count)),
};

const httpRequest: Subject = {
	name: 'HTTP Request node, one text per request, all at once',
	task: (gateway, count) =>
		task(
			gateway,
			httpRequestNode(
				gateway,
				EMBEDDINGS,
				'={{ JSON.stringify({ model: "embedding-3-small", input: $json.prompt }) }}',
			),
			texts(count),
		),
};

const SUBJECTS = [
	embed('batches of 100, float'),
	embed('batches of 100, base64', { extraBodyFields: '{"encoding_format":"base64"}' }),
	embed('one text per request', { batchSize: 1 }),
	bare,
	httpRequest,
	rerank(200),
	rerank(1000),
];

/** The time for many texts in batches. */
export async function measureBatches(emulator: Emulator): Promise<Part> {
	const job = { rules: { '*': { latencyMs: LATENCY_MS } }, count: ITEMS, rounds: ROUNDS, warmUp: 200 };
	const results = await measureComplete(emulator, job, SUBJECTS);
	return {
		title: 'Texts in batches',
		about: `${ITEMS} texts to embed or rank, ${LATENCY_MS} ms per request. Our nodes find out how many requests at once suit the gateway, which is their default. Medians of ${ROUNDS} interleaved runs.`,
		rows: [...results].map(([node, runs]) => ({
			node,
			ms: Math.round(median(runs.map(({ tookMs }) => tookMs))),
			requests: median(runs.map(({ requests }) => requests)),
		})),
	};
}
