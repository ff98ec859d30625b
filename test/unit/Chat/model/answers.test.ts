import { resultOf, sdkUsageOf, withUniqueCallIds, metadataOf } from '../../../../nodes/Chat/model/result';
import type { ChatAnswer } from '../../../../nodes/Chat/formats/answer';
import { completeAdapter } from '../../../../nodes/Chat/model/adapter';
import type { SdkCallOptions } from '../../../../nodes/Chat/sdk';

const answer = (fields: Partial<ChatAnswer>): ChatAnswer => ({
	...{ text: '', model: 'aurora-4', finishReason: 'stop', id: 'id' },
	...{ inputTokens: 3, outputTokens: 4, totalTokens: 7 },
	...fields,
});

describe('Answer for the SDK', () => {
	it('contains text, tool calls, usage, and the finish reason', () => {
		const call = (id: string, name: string, args = {}) => ({ id, name, arguments: args });
		const toolCalls = [call('', 'one'), call('x', 'two', { a: 1 }), call('x', 'three'), call('y', 'four')];
		const called = answer({ text: 'Well.', finishReason: 'tool_calls', toolCalls, reasoning: 'Hm.' });
		const result = resultOf(withUniqueCallIds(called, (id) => id === 'y'));
		const ownId = expect.stringMatching(/^call_[0-9a-f]{24}$/) as string;
		expect(result).toEqual({
			id: 'id',
			finishReason: 'tool-calls',
			usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
			message: {
				role: 'assistant',
				id: 'id',
				content: [
					{ type: 'text', text: 'Well.' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'one', input: '{}' },
					{ type: 'tool-call', toolCallId: 'x', toolName: 'two', input: '{"a":1}' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'three', input: '{}' },
					{ type: 'tool-call', toolCallId: ownId, toolName: 'four', input: '{}' },
				],
			},
			providerMetadata: { finish_reason: 'tool_calls', answeredBy: 'aurora-4', reasoning: 'Hm.' },
		});
	});

	it('contains the text of a refusal', () => {
		const { message, finishReason } = resultOf(answer({ finishReason: 'refusal', refusal: 'No.' }));
		expect(message.content).toEqual([{ type: 'text', text: 'No.' }]);
		expect(finishReason).toBe('content-filter');
		expect(resultOf(answer({ finishReason: 'empty' })).finishReason).toBe('stop');
		expect(resultOf(answer({ finishReason: 'OTHER', text: 'x' })).finishReason).toBe('other');
	});

	it.each([
		[{ finishReason: 'content_filter' }, 'withheld', 'Rephrase the prompt'],
		[{ finishReason: 'length' }, 'reached Max Tokens', 'Increase Max Tokens'],
		[{ finishReason: 'length', text: ' \n' }, 'reached Max Tokens', 'Increase Max Tokens'],
		[
			{ finishReason: 'length', toolCalls: [{ id: 'a', name: 'pay', arguments: '{"sum": 1' }] },
			'cut off while the model was calling the tool "pay"',
			'The tool was not run',
		],
		[
			{ finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'pay', arguments: 'soon' }] },
			'the arguments of the tool call "pay" are not a JSON object',
			'request ID',
		],
	])('is a failure that keeps the answer for %j', (fields, message, description) => {
		expect(() => resultOf(answer(fields))).toThrow(
			expect.objectContaining({
				kind: 'answer',
				message: expect.stringContaining(message),
				description: expect.stringContaining(description),
				facts: expect.objectContaining({
					partial: expect.objectContaining({ finishReason: fields.finishReason }),
				}),
			}) as Error,
		);
	});

	it('has no usage when the gateway reports none', () => {
		const usage = { promptTokens: 5, completionTokens: 0, totalTokens: 5 };
		expect(sdkUsageOf({ inputTokens: 5, outputTokens: null, totalTokens: null })).toEqual(usage);
		const sum = sdkUsageOf({ inputTokens: 5, outputTokens: 2, totalTokens: null })?.totalTokens;
		expect(sum).toBe(7);
	});
});

const COUNTS = { inputTokens: 30, outputTokens: 20, totalTokens: 50 };
const DETAILS = { cachedInputTokens: 10, cacheWriteTokens: 5, reasoningTokens: 8 };
const RUN = { promptTokens: 30, completionTokens: 20, totalTokens: 50 };
const METADATA = { input_tokens: 30, output_tokens: 20, total_tokens: 50 };
const answerWith = (fields: Partial<ChatAnswer>) => answer({ text: 'Hi', ...COUNTS, ...fields });

class Message {
	response_metadata: Record<string, unknown> = {};
	constructor(readonly content: unknown) {}
}

interface Generation {
	message: Message;
	generationInfo?: Record<string, unknown>;
}

/** As the SDK's adapter: what the model says about its answer is handed on only in part. */
class Adapter {
	readonly seen: unknown[] = [];
	readonly demanded: unknown[] = [];
	callbacks = [{ options: { tokensUsageParser: (run: object): object => run } }, 'other'];
	constructor(
		private readonly answer = answerWith({}),
		readonly tools: string[] = [],
	) {}

	async _generate(messages: unknown[], options?: SdkCallOptions) {
		const message = this.lastMessage([{ type: 'text', text: 'Hi' }], messages, options);
		message.response_metadata = { ...metadataOf(this.answer), model: 'aurora-4' };
		return { generations: [{ message } as Generation], llmOutput: { tokenUsage: METADATA as object } };
	}
	async *_streamResponseChunks(messages: unknown[], options?: SdkCallOptions) {
		for (const text of ['H', 'i']) yield { message: new Message([{ type: 'text', text }]) } as Generation;
		const message = this.lastMessage('', messages, options);
		message.response_metadata = { finish_reason: 'tool-calls' };
		yield { message, generationInfo: { finish_reason: 'tool-calls' } } as Generation;
	}
	private lastMessage(content: unknown, messages: unknown[], options?: SdkCallOptions): Message {
		this.seen.push(...messages);
		this.demanded.push(options?.tool_choice);
		options?.onAnswer?.(this.answer);
		return new Message(content);
	}
	/** As in the SDK, it adds to the tools that are there. */
	bindTools: (tools?: string[], options?: { tool_choice?: string }) => Adapter = (tools = []) =>
		new Adapter(this.answer, [...this.tools, ...tools]);
}

const adapterWith = (fields: Partial<ChatAnswer>) =>
	completeAdapter(new Adapter(answerWith(fields))).bindTools();
async function chunksOf(adapter: Adapter, messages: unknown[] = []) {
	const chunks: Generation[] = [];
	for await (const chunk of adapter._streamResponseChunks(messages)) chunks.push(chunk);
	return chunks;
}
/** As n8n shows a run in the execution. */
const shown = ({ callbacks: [handler] }: Adapter, run: object) =>
	(handler as { options: { tokensUsageParser(run: object): object } }).options.tokensUsageParser(run);

describe('Images of a completed adapter', () => {
	const url = 'data:image/png;base64,AAAA';
	const look = { type: 'text', text: 'Look' };
	const withImage = () =>
		new Message([look, ...[{ url }, url].map((image) => ({ type: 'image_url', image_url: image }))]);

	it('are converted to standard blocks, in copies of the messages', async () => {
		const adapter = completeAdapter(new Adapter());
		const message = withImage();
		const plain = new Message('Hello');
		await adapter._generate([message, plain]);
		const [sent, same] = adapter.seen as Message[];
		expect(sent).toBeInstanceOf(Message);
		expect(sent.content).toEqual([look, { type: 'image', url }, { type: 'image', url }]);
		expect(same).toBe(plain);
		expect(message.content).toEqual(withImage().content);
	});
});

describe('The text of a completed adapter', () => {
	it('is no list of blocks, which n8n does not read to fix the format of an answer', async () => {
		const adapter = completeAdapter(new Adapter());
		const { generations } = await adapter._generate([]);
		expect([...generations, ...(await chunksOf(adapter))].map(({ message }) => message.content)).toEqual([
			'Hi',
			...['H', 'i', ''],
		]);
	});
});

describe('A tool call that a completed adapter demands', () => {
	it('is demanded of the model with these tools, also if they are bound again', async () => {
		const adapter = completeAdapter(new Adapter());
		const bound = adapter.bindTools(['one'], { tool_choice: 'any' });
		const again = bound.bindTools(['one', 'two']);
		expect([bound.tools, again.tools]).toEqual([['one'], ['one', 'two']]);
		for (const one of [adapter, bound, again]) {
			await one._generate([]);
			await chunksOf(one);
		}
		await again._generate([], { tool_choice: 'none' });
		expect(adapter.demanded).toEqual([undefined, undefined]);
		expect(bound.demanded).toEqual(['any', 'any']);
		expect(again.demanded).toEqual(['any', 'any', 'none']);
	});
});

describe('Usage of a completed adapter', () => {
	const facts = { ...DETAILS, cost: 0.25, reasoning: 'Hm.' };

	it('is as detailed in a streamed answer as in a whole one', async () => {
		const adapter = adapterWith(facts);
		const whole = await adapter._generate([]);
		const [{ message }] = whole.generations;
		const metadata = { answeredBy: 'aurora-4', reasoning: 'Hm.', cost: 0.25 };
		expect(message.response_metadata).toEqual({ ...metadata, finish_reason: 'stop', model: 'aurora-4' });
		expect(shown(adapter, whole)).toEqual({ ...RUN, ...DETAILS, cost: 0.25 });

		const [first, second, last] = await chunksOf(adapter);
		// As texts, not as blocks: LangChain joins only texts.
		expect([first.message, second.message]).toEqual([new Message('H'), new Message('i')]);
		expect(last.message.response_metadata).toEqual({ ...metadata, finish_reason: 'tool-calls' });
		// LangChain leaves the message and the details out of what the handler of the run gets.
		const run = { generations: [[{ generationInfo: last.generationInfo }]], llmOutput: { tokenUsage: RUN } };
		expect(shown(adapter, run)).toEqual({ ...RUN, ...DETAILS, cost: 0.25 });
	});
});

describe('Token counts before a request', () => {
	it.each([
		['a text', 'twelve bytes', 3],
		['Chinese text', '今天天气很好', 5],
		[
			'blocks',
			['four', { type: 'text', text: 'more' }, { type: 'image', url: 'data:image/png;base64,AAAA' }],
			2,
		],
		['nothing', '', 0],
	])('are estimated for %s, without the tokenizer that LangChain downloads', async (_, content, tokens) => {
		const download = jest.fn().mockRejectedValue(new Error('no such host'));
		const model = completeAdapter({ getNumTokens: download as (content: unknown) => Promise<number> });
		expect(await model.getNumTokens(content)).toBe(tokens);
		expect(download).not.toHaveBeenCalled();
	});
});
