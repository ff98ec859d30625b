import type { Emulator, Rule } from '../../emulator';
import { measureComplete, median, type Measurement, type Subject } from '../measure';
import { megabytes, type Part } from '../report';
import { bareNode, httpRequestNode, openAiNode, ourNode, picked, rows, task } from '../task';

const PATH = '/v1/images/generations';
const GENERATE = `POST ${PATH}`;
const ROUNDS = 5;

/** As many at once as the node's default. */
const CONCURRENCY = 5;
const FILES = 20;
const FILE_BYTES = 8_000_000;

const ours = (maxConcurrency: number, downloadImages: boolean): Subject => ({
	name: 'Unified AI Image',
	task: (gateway, count) =>
		task(
			gateway,
			ourNode('image', {
				operation: 'generate',
				model: picked('image-2'),
				prompt: '={{ $json.prompt }}',
				size: '512',
				downloadImages,
				binaryPropertyName: 'data',
				simplify: true,
				options: { maxConcurrency },
			}),
			rows(count),
		),
});

const bare = (concurrency: number, isDownload: boolean): Subject => ({
	name: 'Bare helper loop',
	task: (gateway, count) =>
		task(
			gateway,
			bareNode(gateway, PATH, isDownload ? 'imageFile' : 'imageAddress', concurrency),
			rows(count),
		),
});

const openAi = (returnImageUrls: boolean): Subject => ({
	name: "n8n's OpenAI node",
	task: (gateway, count) =>
		task(
			gateway,
			openAiNode({
				resource: 'image',
				operation: 'generate',
				model: 'image-2',
				prompt: '={{ $json.prompt }}',
				options: { size: '512', returnImageUrls },
			}),
			rows(count),
		),
});

const httpRequest: Subject = {
	name: 'HTTP Request node, base64 left in the item',
	task: (gateway, count) =>
		task(
			gateway,
			httpRequestNode(
				gateway,
				PATH,
				'={{ JSON.stringify({ model: "image-2", prompt: $json.prompt, size: "512" }) }}',
			),
			rows(count),
		),
};

/** 200 images of 200 ms at capacity 20: time, as a multiple of the ideal. */
async function timeRows(emulator: Emulator): Promise<Part['rows']> {
	const [count, capacity, latencyMs] = [200, 20, 200];
	const rules = { [GENERATE]: { latencyMs, capacity: { concurrent: capacity }, acceptUnknownFields: true } };
	// The OpenAI node needs 40 s and always the same.
	const settings: Array<[string, number, Subject[]]> = [
		['addresses only', ROUNDS, [ours(capacity, false), bare(capacity, false)]],
		['downloaded', ROUNDS, [ours(capacity, true), bare(capacity, true)]],
		['addresses only', 1, [openAi(true)]],
	];
	const table: Part['rows'] = [];
	for (const [what, rounds, subjects] of settings) {
		const job = { rules, warmUpRules: { [GENERATE]: { acceptUnknownFields: true } }, count, rounds };
		const results = await measureComplete(emulator, job, subjects, {});
		for (const [node, runs] of results) {
			const ratio = median(runs.map(({ tookMs }) => tookMs)) / ((count * latencyMs) / capacity);
			table.push({ images: `200, ${what}`, node, 'of the ideal time': `${ratio.toFixed(2)} ×` });
		}
	}
	return table;
}

/** Peak memory of 20 images of 8 MB. */
async function memoryRows(emulator: Emulator): Promise<Part['rows']> {
	const table: Part['rows'] = [];
	for (const answerAs of ['url', 'b64_json'] as const) {
		const rule: Rule = { images: { answerAs }, acceptUnknownFields: true };
		const job = {
			rules: { [GENERATE]: { ...rule, images: { answerAs, fileBytes: FILE_BYTES } } },
			warmUpRules: { [GENERATE]: rule },
			count: FILES,
			rounds: ROUNDS,
		};
		const expected = { fileBytes: FILES * FILE_BYTES };
		const results = await measureComplete(
			emulator,
			job,
			[ours(CONCURRENCY, true), bare(CONCURRENCY, true), ...(answerAs === 'url' ? [] : [openAi(false)])],
			expected,
		);
		if (answerAs === 'b64_json') {
			for (const [name, runs] of await measureComplete(emulator, job, [httpRequest], {})) results.set(name, runs);
		}
		table.push(
			...[...results].map(([node, runs]) => ({
				images: `${FILES} of 8 MB as ${answerAs}`,
				node,
				'peak memory': megabytes(peakOf(runs)),
			})),
		);
	}
	return table;
}

const peakOf = (runs: Measurement[]) => median(runs.map(({ peakBytes }) => peakBytes));

/** Time of many images, and the memory that large ones take. */
export async function measureImages(emulator: Emulator): Promise<Part> {
	return {
		title: 'Images',
		about: `200 images of 200 ms at capacity 20; the OpenAI node makes one after another and was run once. Peak memory above idle while 20 images of 8 MB go into n8n's binary store (filesystem), ${CONCURRENCY} at a time; HTTP Request sends all at once and the OpenAI node one after another. Medians of ${ROUNDS} interleaved runs.`,
		rows: [...(await timeRows(emulator)), ...(await memoryRows(emulator))],
	};
}
