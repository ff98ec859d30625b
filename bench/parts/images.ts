import type { Emulator, Rule } from '../../emulator';
import { measureComplete, median, type Subject } from '../measure';
import type { Part } from '../report';
import { bareImages, GENERATE, openAiImages, ourImages } from '../subjects/images';

const ROUNDS = 5;
const [COUNT, CAPACITY, LATENCY_MS] = [200, 20, 200];

/** What is measured, the number of rounds, and the subjects. */
const SETTINGS: Array<[string, number, Subject[]]> = [
	['URLs only', ROUNDS, [ourImages(false, CAPACITY), bareImages(CAPACITY, false)]],
	['downloaded', ROUNDS, [ourImages(true, CAPACITY), bareImages(CAPACITY, true)]],
	// Takes 40 s, and the time hardly varies.
	['URLs only', 1, [openAiImages(true)]],
];

/** The time for many images. */
export async function measureImages(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	const rule: Rule = { latencyMs: LATENCY_MS, capacity: { concurrent: CAPACITY } };
	for (const [images, rounds, subjects] of SETTINGS) {
		const job = {
			rules: { [GENERATE]: rule },
			warmUpRules: { [GENERATE]: {} },
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
		about: `${LATENCY_MS} ms per image. Medians of ${ROUNDS} interleaved runs (one run for the OpenAI node, which generates one image at a time).`,
		rows,
	};
}
