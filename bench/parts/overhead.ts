import type { Emulator } from '../../emulator';
import { measureComplete, median } from '../measure';
import type { Part } from '../report';
import { bareLoop, httpRequest, ourChat } from '../subjects/chat';

/** Measures the time per item, compared to the bare helper call with one expression. */
export async function measureOverhead(emulator: Emulator): Promise<Part> {
	const [count, rounds] = [1000, 5];
	const rows: Part['rows'] = [];
	for (const concurrency of [1, 20]) {
		const [ours, bare] = [ourChat(concurrency), bareLoop(concurrency)];
		// The HTTP Request node sends all requests at once, so it has no row for one at a time.
		const others = concurrency === 1 ? [] : [httpRequest];
		const subjects = [ours, bare, ...others];
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
