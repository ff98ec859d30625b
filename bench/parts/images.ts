import type { Emulator, Rule } from '../../emulator';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { bareImages, GENERATE, openAiImages, ourImages } from '../subjects/images';

const ROUNDS = 5;
const [COUNT, CAPACITY, LATENCY_MS] = [200, 20, 200];

/** What is measured, how often, and with whom. */
const SETTINGS: Array<[string, number, Subject[]]> = [
	['addresses only', ROUNDS, [ourImages(CAPACITY, false), bareImages(CAPACITY, false)]],
	['downloaded', ROUNDS, [ourImages(CAPACITY, true), bareImages(CAPACITY, true)]],
	// Needs 40 s, and always the same.
	['addresses only', 1, [openAiImages(true)]],
];

/** Time of many images. */
export async function measureImages(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	const warmUp: Rule = { acceptUnknownFields: true };
	const rule: Rule = { ...warmUp, latencyMs: LATENCY_MS, capacity: { concurrent: CAPACITY } };
	for (const [images, rounds, subjects] of SETTINGS) {
		const job = {
			rules: { [GENERATE]: rule },
			warmUpRules: { [GENERATE]: warmUp },
			count: COUNT,
			rounds,
			warmUp: COUNT,
		};
		for (const [node, runs] of await measureComplete(emulator, job, subjects)) {
			const ratio = median(runs.map(({ tookMs }) => tookMs)) / ((COUNT * LATENCY_MS) / CAPACITY);
			rows.push({ images, node, 'of the ideal time': `${ratio.toFixed(2)} ×` });
		}
	}
	return {
		title: `${COUNT} images at capacity ${CAPACITY}`,
		about: `${LATENCY_MS} ms an image. Medians of ${ROUNDS} interleaved runs (one run of the OpenAI node, which makes one after another).`,
		rows,
	};
}
