import type { IBinaryData } from 'n8n-workflow';
import { wav } from '../VoiceModel/voiceSamples';
import { CHAT, EMBED, IMAGE, markOf, SPEECH, SUBMIT, type PaidCase } from './rows';

export const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
const chat = (text: string) => ({ model: chosen('aurora-4'), prompt: `={{ ${text} }}` });
const image = (text: string) => ({
	operation: 'generate',
	model: chosen('image-2'),
	prompt: `={{ ${text} }}`,
	size: '512',
	downloadImages: true,
});
const speech = (text: string) => ({
	operation: 'create',
	model: chosen('svc-tts'),
	voice: chosen('Anders'),
	text: `={{ ${text} }}`,
});
/** Two parts of 45 characters at most. */
const twoParts = (text: string) => speech(`${text} + ' ' + ${text}.replace('ran', 'sprang')`);
const music = (text: string) => ({
	operation: 'generate',
	model: chosen('music-v5'),
	prompt: `={{ ${text} }}`,
	files: [],
});
/** The songs of a gateway differ from each other and from those of another gateway. */
const SONG = /^(?:content|title|durationSeconds|bytes|tags|lyrics)$/;
const sample: IBinaryData = {
	data: wav({ seconds: 10.5, sampleRate: 4_000 }).toString('base64'),
	mimeType: 'audio/wav',
	fileName: 'sample.wav',
};

const chatCases: PaidCase[] = [
	{
		name: 'Chat, one at a time',
		node: 'chat',
		route: CHAT,
		parameters: (text) => ({ operation: 'chatCompletion', ...chat(text) }),
		options: { parallelRequests: 1 },
	},
	{
		name: 'Chat, five at once',
		node: 'chat',
		route: CHAT,
		parameters: (text) => ({ operation: 'chatCompletion', ...chat(text) }),
		options: { parallelRequests: 5 },
	},
	{
		name: 'Chat, streamed',
		node: 'chat',
		route: CHAT,
		parameters: (text) => ({ operation: 'chatCompletion', ...chat(text) }),
		options: { stream: true },
	},
	{
		name: 'Chat, messages',
		node: 'chat',
		route: 'POST /v1/messages',
		parameters: (text) => ({ operation: 'message', ...chat(text), simplify: false }),
	},
	{
		name: 'Chat, generate content',
		node: 'chat',
		route: 'POST /v1beta/models/*',
		parameters: (text) => ({ operation: 'generateContent', ...chat(text) }),
	},
];

const fileCases: PaidCase[] = [
	{ name: 'Image with a link', node: 'image', route: IMAGE, parameters: image },
	{
		name: 'Image without a link',
		node: 'image',
		route: IMAGE,
		parameters: image,
		rule: { images: { answerAs: 'b64_json' } },
	},
	{
		name: 'Image, three per row, not downloaded',
		node: 'image',
		route: IMAGE,
		parameters: (text) => ({ ...image(text), downloadImages: false }),
		rule: { images: { count: 3 } },
	},
	{ name: 'Speech', node: 'speech', route: SPEECH, parameters: speech },
	{
		name: 'Speech in two parts, joined',
		node: 'speech',
		route: SPEECH,
		parameters: twoParts,
		options: { partLength: 45 },
		perRow: 2,
		refusedText: (row) => `${markOf(row)}fox sprang`,
	},
	{
		name: 'Speech in two parts, an item each',
		node: 'speech',
		route: SPEECH,
		parameters: (text) => ({ ...twoParts(text), longText: 'items' }),
		options: { partLength: 45 },
	},
];

const batchCases: PaidCase[] = [
	{
		name: 'Embed, all rows in a request',
		node: 'embed',
		route: EMBED,
		parameters: (text) => ({
			operation: 'embedText',
			model: chosen('embedding-3-small'),
			text: `={{ ${text} }}`,
		}),
		options: { dimensions: 8 },
	},
	{
		name: 'Embed, two rows in a request',
		node: 'embed',
		route: EMBED,
		parameters: (text) => ({
			operation: 'embedText',
			model: chosen('embedding-3-small'),
			text: `={{ ${text} }}`,
			output: 'vector',
		}),
		options: { dimensions: 8, batchSize: 2 },
		refusals: 2,
	},
	{
		name: 'Rerank of the input items',
		node: 'rerank',
		route: 'POST /v1/rerank',
		parameters: (text) => ({
			operation: 'rerankInputItems',
			model: chosen('reranker-v2-m3'),
			query: 'Where is the fox?',
			text: `={{ ${text} }}`,
		}),
	},
	{
		name: 'Rerank of a list per row',
		node: 'rerank',
		route: 'POST /v1/rerank',
		parameters: (text) => ({
			operation: 'rerankList',
			model: chosen('reranker-v2-m3'),
			query: `={{ ${text} }}`,
			documents: '["The fox is on the hill","The moon"]',
		}),
	},
];

const otherCases: PaidCase[] = [
	{ name: 'Music', node: 'music', route: SUBMIT, parameters: music, chance: SONG },
	{
		name: 'Music with files',
		node: 'music',
		chance: SONG,
		route: SUBMIT,
		parameters: (text) => ({ ...music(text), files: ['audio'] }),
	},
	{
		name: 'Music without waiting',
		node: 'music',
		chance: SONG,
		route: SUBMIT,
		parameters: (text) => ({ ...music(text), waitForCompletion: false }),
	},
	{
		name: 'Voice Model',
		node: 'voiceModel',
		route: 'POST /v1/voice/model',
		parameters: (text) => ({
			operation: 'create',
			name: `={{ ${text} }}`,
			samples: {
				sample: ['A first text.', 'A second text.'].map((transcript) => ({
					binaryPropertyName: 'one',
					transcript,
				})),
			},
			public: true,
		}),
		binary: { one: sample },
	},
	{
		name: 'Utilities',
		node: 'utilities',
		route: 'GET /v2/apis/fanyi',
		parameters: (text) => ({
			operation: 'translate',
			text: `={{ ${text} }}`,
			to: { __rl: true, mode: 'list', value: 'fr' },
		}),
	},
];

/** Every kind of paid request that a retry must not repeat. */
export const paidCases: PaidCase[] = [...chatCases, ...fileCases, ...batchCases, ...otherCases];

/** The case with this name. */
export function paidCase(name: string): PaidCase {
	const found = paidCases.find((candidate) => candidate.name === name);
	if (!found) throw new Error(`There is no case "${name}".`);
	return found;
}
