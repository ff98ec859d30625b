import type { StructuredChunk } from 'n8n-workflow';
import { KEY, leaksIn } from '../../unit/shared/secrets/spellings';
import { runSubNode } from '../engine/runSubNode';
import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { leaksOf } from './everyString';

/** The exits of live answers; the unit tests split every spelling at every position. */

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../engine/fakeSdk'), {
	virtual: true,
});

/** The events of one answer in each format, with the texts as deltas. */
const FORMATS: Record<string, (texts: string[]) => unknown[]> = {
	chatCompletion: (texts) => [
		...texts.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
		{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
	],
	message: (texts) => [
		{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
		// Each text is a block of its own: the parts of an answer are joined as well.
		...texts.flatMap((text, index) => [
			{ type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
			{ type: 'content_block_stop', index },
		]),
		{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
		{ type: 'message_stop' },
	],
	generateContent: (texts) => [
		...texts.map((text) => ({ candidates: [{ index: 0, content: { parts: [{ text }] } }] })),
		{ candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] },
	],
};
/** Where two deltas split the key. */
const SPLITS = [1, 20, KEY.length - 1];
const split = (at: number) => [`It is ${KEY.slice(0, at)}`, `${KEY.slice(at)}, I think.`];
const CLEAN = 'It is [API key], I think.';
const failure = { type: 'error', error: { message: `Wrong key ${KEY}`, type: KEY, code: KEY } };
/** An answer that ends with an error. */
const failing = (format: string) => [
	...FORMATS[format](['It is ', KEY.slice(0, 20), KEY.slice(20), '.', '']).slice(0, -2),
	failure,
];

const gateway = useEmulator({ apiKey: KEY });
/** Lets the gateway stream these events. */
function streams(events: unknown[]): void {
	const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
	gateway.fail('/*', {
		kind: 'status',
		status: 200,
		contentType: 'text/event-stream',
		body,
		times: 'always',
	});
}

const common = {
	model: chosen('aurora-4'),
	options: { stream: true, maxRetries: 0 },
};

async function chat(operation: string, settings = {}) {
	const chunks: StructuredChunk[] = [];
	const result = await runWorkflow(oneNode('chat', { operation, prompt: 'Hello', ...common }, settings), {
		credential: gateway.credential(),
		onChunk: (chunk) => chunks.push(chunk),
	});
	return { ...result, live: chunks.map(({ content }) => content ?? '').join('') };
}

describe.each(Object.keys(FORMATS))('A stream in the format of %s', (format) => {
	it.each(SPLITS)('has no key split after %i characters, live and in the output', async (at) => {
		streams(FORMATS[format](split(at)));
		const { live, items, ...result } = await chat(format);
		expect([live, items[0].json.text]).toEqual([CLEAN, CLEAN]);
		expect(await leaksOf(result)).toEqual([]);
	});

	it.each(['continueRegularOutput', 'stopWorkflow'])(
		'has no key where it ends with an error (%s)',
		async (onError) => {
			streams(failing(format));
			const { live, items, error, ...result } = await chat(format, { onError });
			expect(leaksIn(live)).toEqual([]);
			expect(live).toContain('It is [API key]');
			expect(JSON.stringify(items[0] ?? error)).toContain('[API key]');
			expect(await leaksOf({ ...result, error })).toEqual([]);
		},
	);
});

/** The chat model of an agent, as the SDK of n8n gets it. */
interface Model {
	generate(messages: unknown[]): Promise<unknown>;
	stream(messages: unknown[]): AsyncIterable<{ delta?: string }>;
}

describe.each([
	['chatCompletion', 'generate'],
	['chatCompletion', 'stream'],
	['message', 'generate'],
	['message', 'stream'],
] as const)('The chat model of an agent with %s (%s)', (format, method) => {
	const ask = async () =>
		await runSubNode(
			'chatModel',
			{ ...common, format: format === 'message' ? 'messages' : 'chat' },
			async (model: Model) => {
				const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
				if (method === 'generate') return await model.generate(messages);
				const texts: unknown[] = [];
				for await (const { delta } of model.stream(messages)) texts.push(delta);
				return texts.join('');
			},
			{ credential: gateway.credential() },
		);

	it.each(SPLITS)('gives no key split after %i characters', async (at) => {
		streams(FORMATS[format](split(at)));
		const { value, saved } = await ask();
		expect(leaksIn(`${JSON.stringify(value)} ${saved}`)).toEqual([]);
		expect(JSON.stringify(value)).toContain('[API key]');
	});

	it('fails without the key', async () => {
		streams(failing(format));
		const { error, saved } = await ask();
		expect(error?.message).toBeDefined();
		expect(leaksIn(`${error?.message} ${error?.description} ${error?.stack} ${saved}`)).toEqual([]);
		expect(error?.description ?? '').not.toContain('@n8n/ai-node-sdk');
		expect(saved).toContain('[API key]');
	});
});
