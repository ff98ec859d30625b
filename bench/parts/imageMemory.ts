import type { Emulator, Rule } from '../../emulator';
import { measureComplete } from '../measure';
import { peakMemory, type Part } from '../report';
import { bareImages, GENERATE, httpRequestImages, openAiImages, ourImages } from '../subjects/images';

const ROUNDS = 7;
const FILES = 20;
const FILE_BYTES = 8_000_000;
const CONCURRENCY = 5;

const bare = bareImages(CONCURRENCY);
const ours = ourImages(CONCURRENCY);
const automatic = { ...ourImages(), name: `${ours.name}, Automatic` };

const SETTINGS = [
	{ answerAs: 'url', subjects: [ours, automatic, bare], fileBytes: FILES * FILE_BYTES },
	{
		answerAs: 'b64_json',
		subjects: [ours, automatic, bare, openAiImages],
		fileBytes: FILES * FILE_BYTES,
	},
	// Keeps the base64 data in its items.
	{ answerAs: 'b64_json', subjects: [httpRequestImages], fileBytes: 0 },
] as const;

/** The memory that large images need on their way into n8n's binary store. */
export async function measureImageMemory(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const { answerAs, subjects, fileBytes } of SETTINGS) {
		const rule = (bytes?: number): Rule => ({ images: { answerAs, fileBytes: bytes } });
		const job = {
			rules: { [GENERATE]: rule(FILE_BYTES) },
			warmUpRules: { [GENERATE]: rule() },
			count: FILES,
			rounds: ROUNDS,
			isAboutMemory: true,
		};
		for (const [node, runs] of await measureComplete(emulator, job, [...subjects], fileBytes)) {
			rows.push({
				'response format': answerAs,
				node,
				...peakMemory(runs),
			});
		}
	}
	return {
		title: `${FILES} images of ${FILE_BYTES / 1e6} MB`,
		about: `Peak memory above idle while the images are saved in n8n's binary store (filesystem), ${CONCURRENCY} at a time, or as many as the gateway can handle (Automatic); the OpenAI node processes one at a time, the HTTP Request node all at once. Medians of ${ROUNDS} interleaved runs.`,
		rows,
	};
}
