import { operationCase } from '../faults/operations';
import { wavSample } from '../VoiceModel/voiceSamples';
import { CHAT, EMBED, IMAGE, markOf, SPEECH, SUBMIT, type PaidCase } from './rows';

/** Returns a paid operation with the text of a row in one of its parameters. */
function paid(node: string, operation: string, field: string, more: object = {}) {
	const { parameters } = operationCase(node, operation);
	return {
		node,
		parameters: (text: string) => ({ ...parameters, operation, ...more, [field]: `={{ ${text} }}` }),
	};
}

const chat = paid('chat', 'chatCompletion', 'prompt');
const image = paid('image', 'generate', 'prompt', { downloadImages: true });
const speech = paid('speech', 'create', 'text');
/** An operation that speaks two parts of at most 45 characters. */
const inTwoParts = {
	...speech,
	parameters: (text: string) => speech.parameters(`${text} + ' ' + ${text}.replace('ran', 'sprang')`),
	options: { partLength: 45 },
};
const embed = paid('embed', 'embedText', 'text');
/** Fields of songs that differ from song to song, and from gateway to gateway. */
const SONG = /^(?:content|title|durationSeconds|bytes|tags|lyrics)$/;
const music = (more: object) => ({
	...paid('music', 'generate', 'prompt', { waitForCompletion: true, files: [], ...more }),
	route: SUBMIT,
	chance: SONG,
});
const sample = wavSample({ seconds: 10.5, sampleRate: 4_000 });
const recordingOf = (which: string) => ({ binaryPropertyName: which, transcript: `A ${which} text.` });

/** Every kind of paid request that a retry must not repeat. */
export const paidCases: PaidCase[] = [
	{ name: 'Chat, one at a time', ...chat, route: CHAT, options: { parallelRequests: 1 } },
	{ name: 'Chat, five at once', ...chat, route: CHAT, options: { parallelRequests: 5 } },
	{ name: 'Chat, streamed', ...chat, route: CHAT, options: { stream: true } },
	{
		name: 'Chat, messages',
		...paid('chat', 'message', 'prompt', { simplify: false }),
		route: 'POST /v1/messages',
	},
	{
		name: 'Chat, generate content',
		...paid('chat', 'generateContent', 'prompt'),
		route: 'POST /v1beta/models/*',
	},
	{ name: 'Image with a link', ...image, route: IMAGE },
	{ name: 'Image without a link', ...image, route: IMAGE, rule: { images: { answerAs: 'b64_json' } } },
	{
		name: 'Image, three per row, not downloaded',
		...paid('image', 'generate', 'prompt', { downloadImages: false }),
		route: IMAGE,
		rule: { images: { count: 3 } },
	},
	{ name: 'Speech', ...speech, route: SPEECH },
	{
		name: 'Speech in two parts, joined',
		...inTwoParts,
		route: SPEECH,
		perRow: 2,
		refusedText: (row) => `${markOf(row)}fox sprang`,
	},
	{
		name: 'Speech in two parts, an item each',
		...inTwoParts,
		route: SPEECH,
		parameters: (text) => ({ ...inTwoParts.parameters(text), longText: 'items' }),
	},
	{ name: 'Embed, all rows in a request', ...embed, route: EMBED, options: { dimensions: 8 } },
	{
		name: 'Embed, two rows in a request',
		...paid('embed', 'embedText', 'text', { output: 'vector' }),
		route: EMBED,
		options: { dimensions: 8, batchSize: 2 },
		refusals: 2,
	},
	{
		name: 'Rerank of the input items',
		...paid('rerank', 'rerankInputItems', 'text', { query: 'Where is the fox?' }),
		route: 'POST /v1/rerank',
	},
	{
		name: 'Rerank of a list per row',
		...paid('rerank', 'rerankList', 'query', { documents: '["The fox is on the hill","The moon"]' }),
		route: 'POST /v1/rerank',
	},
	{ name: 'Music', ...music({}) },
	{ name: 'Music with files', ...music({ files: ['audio'] }) },
	{ name: 'Music without waiting', ...music({ waitForCompletion: false }) },
	{
		name: 'Voice Model',
		...paid('voiceModel', 'create', 'name', { samples: { sample: ['first', 'second'].map(recordingOf) } }),
		route: 'POST /v1/voice/model',
		binary: { first: sample, second: sample },
	},
	{
		name: 'Utilities',
		...paid('utilities', 'translate', 'text', { to: { __rl: true, mode: 'list', value: 'fr' } }),
		route: 'GET /v2/apis/fanyi',
	},
];

/** Returns the case with this name. */
export function paidCase(name: string): PaidCase {
	const found = paidCases.find((candidate) => candidate.name === name);
	if (!found) throw new Error(`There is no case "${name}".`);
	return found;
}
