import type { Emulator, Rule } from '../../emulator';
import { measureComplete, type Subject } from '../measure';
import { peakMemory, type Part } from '../report';
import { bareNode, httpRequestNode, openAiNode, ourNode, picked } from '../task';

const ROUNDS = 7;
const FILES = 20;
const FILE_BYTES = 8_000_000;
const CONCURRENCY = 5;

const PATH = '/v1/images/generations';
const ROUTE = `POST ${PATH}`;

/** Our node. @param parallelRequests undefined for as many as the gateway can handle */
const ourImages = (name: string, parallelRequests?: number): Subject => ({
	name,
	node: () =>
		ourNode('image', {
			operation: 'generate',
			model: picked('image-2'),
			prompt: '={{ $json.prompt }}',
			size: '512',
			downloadImages: true,
			binaryPropertyName: 'data',
			simplify: true,
			limits: { parallelRequests },
		}),
});
const ours = ourImages('Unified AI Image', CONCURRENCY);
const automatic = ourImages('Unified AI Image, Automatic');

const bare: Subject = {
	name: 'Bare helper loop',
	node: (gateway) => bareNode(gateway, PATH, 'imageFile', CONCURRENCY),
};

const openAi: Subject = {
	name: "n8n's OpenAI node",
	node: () =>
		openAiNode({
			resource: 'image',
			operation: 'generate',
			model: 'image-2',
			prompt: '={{ $json.prompt }}',
			options: { returnImageUrls: false },
		}),
	// The node sends a size only for OpenAI's own models.
	extraBody: { size: '512' },
};

const httpRequest: Subject = {
	name: 'HTTP Request node, base64 left in the item',
	node: (gateway) =>
		httpRequestNode(
			gateway,
			PATH,
			'={{ JSON.stringify({ model: "image-2", prompt: $json.prompt, size: "512" }) }}',
		),
};

const SETTINGS = [
	{ answerAs: 'url', subjects: [ours, automatic, bare], fileBytes: FILES * FILE_BYTES },
	{
		answerAs: 'b64_json',
		subjects: [ours, automatic, bare, openAi],
		fileBytes: FILES * FILE_BYTES,
	},
	// This node keeps the base64 data in its items.
	{ answerAs: 'b64_json', subjects: [httpRequest], fileBytes: 0 },
] as const;

/** Measures the memory that large images need on their way into n8n's binary store. */
export async function measureImageMemory(emulator: Emulator): Promise<Part> {
	const rows: Part['rows'] = [];
	for (const { answerAs, subjects, fileBytes } of SETTINGS) {
		const rule = (bytes?: number): Rule => ({ images: { answerAs, fileBytes: bytes } });
		const job = {
			rules: { [ROUTE]: rule(FILE_BYTES) },
			warmUpRules: { [ROUTE]: rule() },
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
