import type { Emulator, Rule } from '../../emulator';
import { earlier, measure, measureComplete, median, type Measurement, type Subject } from '../measure';
import type { Part } from '../report';
import { bareLoop, barest, httpRequest, openAi, ourChat } from '../subjects/chat';

const CHAT = 'POST /v1/chat/completions';
const ITEMS = 200;
const CAPACITY = 20;

/** A behavior of the gateway, and the subjects to measure with it. */
interface Setting {
	name: string;
	latencyMs: number | [number, number];
	surplus: 'queue' | 'refuse';
	rounds: number;
	subjects: Subject[];
}

const patient = bareLoop(CAPACITY, true);
const ours = ourChat(CAPACITY);

const SETTINGS: Setting[] = [
	{
		name: '200 ms each, surplus queued',
		latencyMs: 200,
		surplus: 'queue',
		rounds: 5,
		subjects: [ours, bareLoop(CAPACITY), httpRequest()],
	},
	{
		name: '200 ms each, surplus refused',
		latencyMs: 200,
		surplus: 'refuse',
		rounds: 5,
		subjects: [ours, patient, httpRequest(), httpRequest({ batchSize: 20, batchInterval: 200 })],
	},
	{
		name: '100 to 500 ms, surplus queued',
		latencyMs: [100, 500],
		surplus: 'queue',
		rounds: 5,
		subjects: [ours, bareLoop(CAPACITY), httpRequest()],
	},
	{
		name: '100 to 500 ms, surplus refused',
		latencyMs: [100, 500],
		surplus: 'refuse',
		rounds: 5,
		subjects: [ours, patient, httpRequest({ batchSize: 20, batchInterval: 200 })],
	},
	{ name: '200 ms each, surplus queued', latencyMs: 200, surplus: 'queue', rounds: 1, subjects: [openAi] },
];

/** 200 chat items at capacity 20, compared to n8n's own nodes. */
export async function measureChat(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const { name, latencyMs, surplus, rounds, subjects } of SETTINGS) {
		const rule: Rule = { latencyMs, capacity: { concurrent: CAPACITY, surplus } };
		const job = { rules: { [CHAT]: rule }, count: ITEMS, rounds, warmUp: 300 };
		const results = await measure(emulator, job, subjects);
		const mean = typeof latencyMs === 'number' ? latencyMs : (latencyMs[0] + latencyMs[1]) / 2;
		const idealMs = (ITEMS * mean) / CAPACITY;
		for (const [node, runs] of results) {
			const ratio = median(runs.map(({ tookMs }) => tookMs)) / idealMs;
			rows.push({
				gateway: name,
				node,
				'of the ideal time': `${ratio.toFixed(2)} ×`,
				...lossOf(runs, ITEMS),
			});
		}
	}
	return {
		title: '200 chat items at capacity 20',
		about: `The gateway processes ${CAPACITY} requests at once. Medians of interleaved runs (one run for the OpenAI node, which sends one request at a time).`,
		rows,
	};
}

/** 300 items under a limit of 20 requests a second. */
export async function measureLimit(emulator: Emulator): Promise<Part> {
	const count = 300;
	const rule: Rule = { latencyMs: 50, limit: { requests: 20, perMs: 1000, retryAfter: 'seconds' } };
	const subjects = [
		ourChat(10),
		bareLoop(10, true),
		httpRequest({ batchSize: 20, batchInterval: 1000 }),
		httpRequest(),
	];
	const results = await measure(emulator, { rules: { [CHAT]: rule }, count, rounds: 3 }, subjects);
	const rows = [...results].map(([node, runs]) => ({
		node,
		...lossOf(runs, count),
		'of the allowed rate': percent(count / 20 / (median(runs.map(({ tookMs }) => tookMs)) / 1000)),
		'surplus requests': percent(median(runs.map(({ requests }) => requests)) / count - 1),
	}));
	return {
		title: '300 chat items under 20 requests a second',
		about:
			'The gateway rejects requests above the limit with 429 and a Retry-After in whole seconds. Medians of three interleaved runs.',
		rows,
	};
}

/** The time per item, compared to the bare helper call with one expression. */
export async function measureOverhead(emulator: Emulator, hasEarlier: boolean): Promise<Part> {
	const [count, rounds] = [1000, 5];
	const rows: Part['rows'] = [];
	for (const concurrency of [1, 20]) {
		const [ours, bare] = [ourChat(concurrency), bareLoop(concurrency)];
		const trees = hasEarlier ? [ours, earlier(ours)] : [ours];
		// The HTTP Request node sends all at once.
		const others = concurrency === 1 ? [] : [httpRequest()];
		const subjects = [...trees, bare, barest(concurrency), ...others];
		const results = await measureComplete(emulator, { rules: {}, count, rounds, warmUp: 1000 }, subjects);
		const bareRuns = results.get(bare.name)!;
		for (const [node, runs] of results) {
			// Other load on the machine differs least between two consecutive runs.
			const ratios = runs.map(({ tookMs }, round) => tookMs / bareRuns[round].tookMs);
			const perItem = runs.map(({ tookMs }) => tookMs / count).sort((one, other) => one - other);
			rows.push({
				'at once': concurrency,
				node,
				'ms per item': median(perItem).toFixed(2),
				range: `${perItem[0].toFixed(2)} to ${perItem.at(-1)!.toFixed(2)}`,
				'of the bare loop': `${median(ratios).toFixed(2)} ×`,
				'processor, ms per item': median(runs.map(({ processorMs }) => processorMs / count)).toFixed(2),
			});
		}
	}
	return {
		title: 'Overhead per item',
		about: `${count} items without latency. The bare loop evaluates one expression per item, as the node does, in the engine of a server. Medians of ${rounds} interleaved runs; ratios are those of consecutive runs. The processor time is that of the whole process.`,
		rows,
	};
}

function lossOf(runs: Measurement[], count: number): Record<string, number> {
	return { 'items lost': Math.max(...runs.map(({ succeeded }) => count - succeeded)) };
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}
