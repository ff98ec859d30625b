import { PNG } from 'pngjs';
import { chatBody, contentsBody as contents, messagesBody, speechBody, useGateway } from './gateway';

/** The emulator is as strict as the interface document, and no stricter. */
const gateway = useGateway();
const messagesConfig = { headers: { 'msgapi-version': '2023-06-01' } };
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
	[
		'an unknown field inside another one',
		CHAT,
		chatBody('x', turn([{ type: 'image_url', image_url: { url: 'https://a.example/b', size: 1 } }])),
		true,
	],
	['a role of its own', CHAT, chatBody('x', { messages: [{ role: 'critic', content: 'x' }] }), false],
	['stream options without a stream', CHAT, chatBody('x', { stream_options: { include_usage: true } }), true],
	['0 tokens', CHAT, chatBody('x', { max_tokens: 0 }), false],
	['an unknown setting', CHAT, chatBody('x', { top_p: 5, n: 3 }), true],
	['an unknown block', MESSAGES, messagesBody(turn([{ type: 'text', text: 'x' }, { type: 'poem' }])), true],
	['a temperature above 2', GENERATE_CONTENT, config({ temperature: 5 }), false],
	['an unknown setting', GENERATE_CONTENT, config({ topP: 7 }), true],
	['a size that is not in the table', IMAGES, image({ size: '640x480' }), false],
	['a format that it does not name', SPEECH, speechBody('x', { response_format: 'flac' }), false],
	['a speed of 0', SPEECH, speechBody('x', { speed: 0 }), false],
	['a speed of 20', SPEECH, speechBody('x', { speed: 20 }), false],
	['a singer of an instrumental piece', MUSIC, music({ instrumental: true, vocal_gender: 'f' }), false],
	['more results than documents', RERANK, rerank({ top_n: 50 }), false],
	['0 results', RERANK, rerank({ top_n: 0 }), true],
	['an empty document', RERANK, rerank({ documents: ['A fox', ''] }), true],
	['1,001 documents', RERANK, rerank({ documents: Array.from({ length: 1001 }, () => 'hen') }), true],
	['an empty text', EMBEDDINGS, embeddings({ input: '' }), true],
	['a text of any length', EMBEDDINGS, embeddings({ input: 'hen '.repeat(9_000) }), true],
	['any number of dimensions', EMBEDDINGS, embeddings({ dimensions: 9_999 }), true],
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

	it('has no effect where it is not understood', async () => {
		const usual = await gateway.post(CHAT, chatBody('Hello', { max_tokens: 5 }));
		const more = await gateway.post(CHAT, chatBody('Hello', { max_tokens: 5, novelty: [1], top_p: 'x' }));
		expect(more.data.choices).toEqual(usual.data.choices);
	});

	it('does not limit speech: another format comes as MP3, and any speed can be heard', async () => {
		const flac = await gateway.post(SPEECH, speechBody('Hello', { response_format: 'flac' }));
		const mp3 = await gateway.post(SPEECH, speechBody('Hello'));
		expect([flac.headers['content-type'], flac.data]).toEqual(['audio/mpeg', mp3.data]);
		const fast = await gateway.post(SPEECH, speechBody('Hello', { speed: 9 }));
		expect(fast.data.length).toBeLessThan(mp3.data.length);
	});
});

/** Draws an image. */
async function drawn(body: object) {
	const { data } = await gateway.post(IMAGES, image(body));
	const file = await gateway.client.get(data.data[0].url, { responseType: 'arraybuffer' });
	return PNG.sync.read(file.data);
}

describe('Extra fields of an image', () => {
	it.each([
		{ aspect_ratio: 'wide' },
		{ aspect_ratio: 5, image_size: 'huge' },
		{ temperature: 'hot' },
		{ temperature: 99 },
		{ reference_images: 'https://a.example/b.png' },
		{ reference_images: [5, 'cat.png'] },
		{ novelty: 1 },
	])('that are invalid are ignored: %j', async (extra) => {
		expect(await drawn({ extra_fields: extra })).toMatchObject({ width: 512, height: 512 });
	});
});

describe('The size of an image', () => {
	const mapped = '1024x1024';
	it.each<[string, object, number[]]>([
		['is that of the table', { size: '1024x1792' }, [1024, 1792]],
		['ignores an aspect ratio alone', { size: mapped, extra_fields: { aspect_ratio: '16:9' } }, [1024, 1024]],
		[
			'obeys an aspect ratio with an image size',
			{ size: mapped, extra_fields: { aspect_ratio: '1:1', image_size: '512' } },
			[512, 512],
		],
		['is the default if it is not in the table', { size: '640x480' }, [2048, 2048]],
		['is shaped if it is a native one', { extra_fields: { aspect_ratio: '1:4' } }, [256, 1024]],
	])('%s', async (_rule, sent, [width, height]) => {
		expect(await drawn(sent)).toMatchObject({ width, height });
	});
});

describe('What the interface limits', () => {
	it.each<[string, string, object]>([
		['format A: no model', CHAT, { ...chatBody('x'), model: undefined }],
		['format A: an unknown model', CHAT, chatBody('x', { model: 'aurora-5' })],
		['format A: a model in the wrong case', CHAT, chatBody('x', { model: 'Aurora-4' })],
		['format A: a model that cannot chat', CHAT, chatBody('x', { model: 'image-2' })],
		['format A: no messages', CHAT, { model: 'aurora-4' }],
		['format A: a message without a role', CHAT, chatBody('x', { messages: [{ content: 'x' }] })],
		['format A: an image that is no address', CHAT, chatBody('x', turn([imagePart('cat.png')]))],
		['format A: tokens as text', CHAT, chatBody('x', { max_tokens: '5' })],
		['format A: a stream as text', CHAT, chatBody('x', { stream: 'true' })],
		['format A: a temperature below 0', CHAT, chatBody('x', { temperature: -0.1 })],
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
		['images: no prompt', IMAGES, image({ prompt: undefined })],
		['images: an empty prompt', IMAGES, image({ prompt: ' ' })],
		['images: a model in the wrong case', IMAGES, image({ model: 'Image-2' })],
		['images: a model that cannot draw', IMAGES, image({ model: 'aurora-4' })],
		['images: extra fields that are no object', IMAGES, image({ extra_fields: '16:9' })],
		['speech: no input', SPEECH, speechBody('x', { input: undefined })],
		['speech: an unknown voice', SPEECH, speechBody('x', { voice: 'sunny' })],
		['speech: a model that cannot speak', SPEECH, speechBody('x', { model: 'aurora-4' })],
		['speech: 4,097 characters', SPEECH, speechBody('a'.repeat(4_097))],
		['speech: a speed that is text', SPEECH, speechBody('x', { speed: 'fast' })],
		['music: no prompt', MUSIC, music({ prompt: undefined })],
		['music: custom mode without a title', MUSIC, music({ custom_mode: true, style: 'folk' })],
		['music: custom mode without a style', MUSIC, music({ custom_mode: true, title: 'Snow' })],
		['music: a model that cannot sing', MUSIC, music({ model: 'svc-tts' })],
		['music: a switch that is text', MUSIC, music({ instrumental: 'true' })],
		['music: a voice that it does not list', MUSIC, music({ vocal_gender: 'x' })],
		['rerank: no query', RERANK, rerank({ query: undefined })],
		['rerank: no documents', RERANK, rerank({ documents: [] })],
		['rerank: a model that cannot rank', RERANK, rerank({ model: 'aurora-4' })],
		['rerank: a document that is no text', RERANK, rerank({ documents: [{ text: 'A fox' }] })],
		['rerank: a fraction of a result', RERANK, rerank({ top_n: 1.5 })],
		['embeddings: no input', EMBEDDINGS, embeddings({ input: undefined })],
		['embeddings: a model that cannot embed', EMBEDDINGS, embeddings({ model: 'aurora-4' })],
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

describe('A chat completion', () => {
	it('needs the call of a tool before its result', async () => {
		gateway.emulator.behaviour.set('*', { checkUndocumented: true });
		const lost = { role: 'tool', tool_call_id: 'call_x', content: '21 degrees' };
		const { data } = await gateway.post(CHAT, chatBody('', { messages: [lost] }));
		expect(data.error.message).toContain('messages[0].tool_call_id');
	});
});
