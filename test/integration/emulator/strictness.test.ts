import { useGateway } from './gateway';

/** The emulator is as strict as the interface document, and no stricter. */
const gateway = useGateway();
const messagesConfig = { headers: { 'msgapi-version': '2023-06-01' } };
const chatBody = (text: string, more: object = {}) => ({
	model: 'aurora-4',
	messages: [{ role: 'user', content: text }],
	...more,
});
const messagesBody = (more: object = {}) => ({ ...chatBody('Hello'), max_tokens: 100, ...more });
const contents = (more: object = {}) => ({ contents: [{ parts: [{ text: 'Hello' }] }], ...more });
const speechBody = (input: string, more: object = {}) => ({
	model: 'svc-tts',
	input,
	voice: 'Sunny',
	...more,
});
const config = (generationConfig: object) => contents({ generationConfig });
const image = (more: object = {}) => ({ model: 'image-2', prompt: 'A fox', size: '512', ...more });
const rerank = (more: object = {}) => ({
	model: 'reranker-v2-m3',
	query: 'fox',
	documents: ['A fox', 'A hen'],
	...more,
});
const embeddings = (more: object = {}) => ({ model: 'embedding-3-small', input: 'fox', ...more });
const music = (more: object = {}) => ({ prompt: 'calm', ...more });

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const GENERATE_CONTENT = '/v1beta/models/aurora-4:generateContent';
const IMAGES = '/v1/images/generations';
const SPEECH = '/v1/audio/speech';
const MUSIC = '/v1/music/generations';
const RERANK = '/v1/rerank';
const EMBEDDINGS = '/v1/embeddings';

const imagePart = (url: string) => ({ type: 'image_url', image_url: { url } });
const turn = (content: unknown) => ({ messages: [{ role: 'user', content }] });

/** What the interface leaves open, and whether comparable services refuse it. */
const open: Array<[what: string, path: string, body: object, refusedElsewhere: boolean]> = [
	['an unknown field', CHAT, chatBody('x', { maxTokens: 5 }), true],
	['an unknown field', MESSAGES, messagesBody({ style: 'openai' }), true],
	['an unknown field', GENERATE_CONTENT, contents({ system: 'x' }), true],
	['an unknown field', IMAGES, image({ seed: 1 }), true],
	['an unknown field', SPEECH, speechBody('x', { pitch: 2 }), true],
	['an unknown field', MUSIC, music({ tempo: 90 }), true],
	['an unknown field', RERANK, rerank({ return_documents: true }), true],
	['an unknown field', EMBEDDINGS, embeddings({ truncate: 'END' }), true],
	['a role of its own', CHAT, chatBody('x', { messages: [{ role: 'critic', content: 'x' }] }), false],
	['a temperature above 2', GENERATE_CONTENT, config({ temperature: 5 }), false],
	['a size that is not in the table', IMAGES, image({ size: '640x480' }), false],
	['a format that it does not name', SPEECH, speechBody('x', { response_format: 'flac' }), false],
	['a speed of 20', SPEECH, speechBody('x', { speed: 20 }), false],
	['a singer of an instrumental piece', MUSIC, music({ instrumental: true, vocal_gender: 'f' }), false],
	['an empty document', RERANK, rerank({ documents: ['A fox', ''] }), true],
	['1,001 documents', RERANK, rerank({ documents: Array.from({ length: 1001 }, () => 'hen') }), true],
	['an empty text', EMBEDDINGS, embeddings({ input: '' }), true],
];

describe('What the interface leaves open', () => {
	it.each(open)('passes: %s in %s', async (_what, path, body) => {
		expect((await gateway.post(path, body, messagesConfig)).status).toBe(200);
	});

	it.each(open.filter(([, , , refusedElsewhere]) => refusedElsewhere))(
		'is refused like at comparable services if a rule says so: %s in %s',
		async (_what, path, body) => {
			gateway.emulator.behaviour.set('*', { checkUndocumented: true });
			expect((await gateway.post(path, body, messagesConfig)).status).toBe(400);
		},
	);
});

describe('What the interface limits', () => {
	it.each<[string, string, object]>([
		['format A: no model', CHAT, { ...chatBody('x'), model: undefined }],
		['format A: an unknown model', CHAT, chatBody('x', { model: 'aurora-5' })],
		['format A: a model that cannot chat', CHAT, chatBody('x', { model: 'image-2' })],
		['format A: no messages', CHAT, { model: 'aurora-4' }],
		['format A: a message without a role', CHAT, chatBody('x', { messages: [{ content: 'x' }] })],
		['format A: an image that is no address', CHAT, chatBody('x', turn([imagePart('cat.png')]))],
		['format A: tokens as text', CHAT, chatBody('x', { max_tokens: '5' })],
		['format A: a temperature above 2', CHAT, chatBody('x', { temperature: 2.01 })],
		['format A: a style that it does not list', CHAT, chatBody('x', { style: 'haiku' })],
		['format A: a message without content', CHAT, chatBody('x', { messages: [{ role: 'assistant' }] })],
		['messages: no limit of tokens', MESSAGES, messagesBody({ max_tokens: undefined })],
		['messages: a temperature above 1', MESSAGES, messagesBody({ temperature: 1.01 })],
		['messages: another role', MESSAGES, messagesBody({ messages: [{ role: 'critic', content: 'x' }] })],
		['messages: a text block without text', MESSAGES, messagesBody(turn([{ type: 'text' }]))],
		['generate content: no contents', GENERATE_CONTENT, {}],
		['generate content: no parts', GENERATE_CONTENT, contents({ contents: [{ parts: [] }] })],
		['generate content: a fraction of a token', GENERATE_CONTENT, config({ maxOutputTokens: 1.5 })],
		['generate content: tools that are no objects', GENERATE_CONTENT, contents({ tools: ['search'] })],
		['images: no size', IMAGES, image({ size: undefined })],
		['images: an empty prompt', IMAGES, image({ prompt: ' ' })],
		['images: extra fields that are no object', IMAGES, image({ extra_fields: '16:9' })],
		['speech: no input', SPEECH, speechBody('x', { input: undefined })],
		['speech: an unknown voice', SPEECH, speechBody('x', { voice: 'sunny' })],
		['speech: 4,097 characters', SPEECH, speechBody('a'.repeat(4_097))],
		['speech: a speed that is text', SPEECH, speechBody('x', { speed: 'fast' })],
		['music: no prompt', MUSIC, music({ prompt: undefined })],
		['music: custom mode without a title', MUSIC, music({ custom_mode: true, style: 'folk' })],
		['music: a switch that is text', MUSIC, music({ instrumental: 'true' })],
		['music: a voice that it does not list', MUSIC, music({ vocal_gender: 'x' })],
		['rerank: no query', RERANK, rerank({ query: undefined })],
		['rerank: no documents', RERANK, rerank({ documents: [] })],
		['rerank: a document that is no text', RERANK, rerank({ documents: [{ text: 'A fox' }] })],
		['rerank: a fraction of a result', RERANK, rerank({ top_n: 1.5 })],
		['embeddings: no input', EMBEDDINGS, embeddings({ input: undefined })],
	])('is refused: %s', async (_what, path, body) => {
		const { status, data } = await gateway.post(path, body, messagesConfig);
		expect([status, data.error.code]).toEqual([400, 'invalid_request_error']);
		expect(gateway.emulator.journal.entries()[0].carriedOut).toBe(false);
	});

	it('includes the version of the messages endpoint, whichever of its names the header has', async () => {
		const status = async (headers: Record<string, string>) =>
			(await gateway.post(MESSAGES, messagesBody(), { headers })).status;
		expect(await status({ 'anthropic-version': '2023-06-01' })).toBe(200);
		expect(await status({ 'anthropic-version': '2024-01-01' })).toBe(400);
		expect(await status({})).toBe(400);
	});
});
