import type { Emulator, Rule } from '../../emulator';
import { measureComplete } from '../measure';
import { peakMemory, type Part } from '../report';
import { bareImages, GENERATE, httpRequestImages, openAiImages, ourImages } from '../subjects/images';

const ROUNDS = 7;
const FILES = 20;
const FILE_BYTES = 8_000_000;
/** As many at once as by default. */
const CONCURRENCY = 5;

const [ours, bare] = [ourImages(CONCURRENCY, true), bareImages(CONCURRENCY, true)];

const SETTINGS = [
	{ answerAs: 'url', subjects: [ours, bare], fileBytes: FILES * FILE_BYTES },
	{ answerAs: 'b64_json', subjects: [ours, bare, openAiImages(false)], fileBytes: FILES * FILE_BYTES },
	// Leaves the base64 in its items.
	{ answerAs: 'b64_json', subjects: [httpRequestImages], fileBytes: 0 },
] as const;

/** Memory that large images take on their way into n8n's binary store. */
export async function measureImageMemory(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const { answerAs, subjects, fileBytes } of SETTINGS) {
		const rule = (bytes?: number): Rule => ({
			images: { answerAs, fileBytes: bytes },
			acceptUnknownFields: true,
		});
		const job = {
			rules: { [GENERATE]: rule(FILE_BYTES) },
			warmUpRules: { [GENERATE]: rule() },
			count: FILES,
			rounds: ROUNDS,
			isAboutMemory: true,
		};
		for (const [node, runs] of await measureComplete(emulator, job, [...subjects], fileBytes)) {
			rows.push({
				'answer as': answerAs,
				node,
				...peakMemory(runs),
			});
		}
	}
	return {
		title: `${FILES} images of ${FILE_BYTES / 1e6} MB`,
		about: `Peak memory above idle while they go into n8n's binary store (filesystem), ${CONCURRENCY} at a time; the OpenAI node takes one after another, the HTTP Request node all at once. Medians of ${ROUNDS} interleaved runs.`,
		rows,
	};
}
