import type { IDataObject } from 'n8n-workflow';
import type { Emulator } from '../../emulator';
import { measureComplete, median, type Measurement, type Subject } from '../measure';
import type { Part } from '../report';
import { ourNode, picked, task } from '../task';

const ITEMS = 1000;
const ROUNDS = 15;
const MEMORY_ROUNDS = 7;

/** A node that keeps what is paid for, and the same one that need not, because n8n cannot run it again. */
interface Pair {
	name: string;
	keeping: Subject;
	plain: Subject;
}

const prompts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ prompt: `Row ${index}: ${'word '.repeat(200)}` }));

function pairOf(name: string, node: string, parameters: IDataObject): Pair {
	const subject = (suffix: string, onError: 'stopWorkflow' | 'continueRegularOutput'): Subject => ({
		name: `${name}, ${suffix}`,
		task: (gateway, count) => task(gateway, { ...ourNode(node, parameters), onError }, prompts(count)),
	});
	return {
		name,
		keeping: subject('kept', 'stopWorkflow'),
		plain: subject('not kept', 'continueRegularOutput'),
	};
}

const prompt = '={{ $json.prompt }}';
const PAIRS = [
	pairOf('Chat', 'chat', {
		operation: 'chatCompletion',
		model: picked('aurora-4-mini'),
		prompt,
		limits: { parallelRequests: 20 },
	}),
	pairOf('Embed, batches of 100', 'embed', {
		operation: 'embedText',
		model: picked('embedding-3-small'),
		text: prompt,
		output: 'vector',
		options: {},
	}),
];

/** What it costs to keep paid results until the run has succeeded. */
export async function measureRemembering(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const { name, keeping, plain } of PAIRS) {
		const run = async (rounds: number, isAboutMemory: boolean) => {
			const job = { rules: {}, count: ITEMS, rounds, warmUp: ITEMS, isAboutMemory };
			const results = await measureComplete(emulator, job, [keeping, plain]);
			return [results.get(keeping.name)!, results.get(plain.name)!] as const;
		};
		const [kept, notKept] = await run(ROUNDS, false);
		const [keptMemory, plainMemory] = await run(MEMORY_ROUNDS, true);
		// The least disturbed runs: the difference is smaller than what other work on the machine causes.
		const processor = (runs: Measurement[]) => Math.min(...runs.map(({ processorMs }) => processorMs));
		const peak = (runs: Measurement[]) => median(runs.map(({ peakBytes }) => peakBytes));
		rows.push({
			node: name,
			'ms of processor per item, kept': (processor(kept) / ITEMS).toFixed(3),
			'not kept': (processor(notKept) / ITEMS).toFixed(3),
			difference: ((processor(kept) - processor(notKept)) / ITEMS).toFixed(3),
			'peak memory': `${(peak(keptMemory) / peak(plainMemory)).toFixed(2)} ×`,
		});
	}
	return {
		title: 'Keeping paid results',
		about: `${ITEMS} items of about 1,000 characters. "Kept" is a node that stops at a failure, so that its results are kept for a retry until the run has succeeded; "not kept" is the same node that continues on failure. The least of ${ROUNDS} interleaved runs; for memory, the medians of ${MEMORY_ROUNDS}.`,
		rows,
	};
}
