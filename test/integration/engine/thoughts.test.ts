import type { Emulator } from '../../../emulator';
import type { SdkChunk, SdkContent, SdkMessage, SdkResult, SdkTool } from '../../../nodes/Chat/model/sdk';
import { runSubNode } from './runSubNode';
import { startStrictEmulator } from './strictEmulator';

class BaseChatModel {
	tools: SdkTool[] = [];
	withTools(tools: SdkTool[]): this {
		return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as object, this, {
			tools,
		});
	}
}
jest.mock('@n8n/ai-node-sdk', () => mockSdk(), { virtual: true });
function mockSdk(): object {
	return {
		BaseChatModel,
		supplyModel: (_context: object, model: object) => ({ response: model }),
		getParametersJsonSchema: ({ inputSchema }: SdkTool) => inputSchema,
	};
}

interface Model extends BaseChatModel {
	generate(messages: SdkMessage[], options?: object): Promise<SdkResult>;
	stream(messages: SdkMessage[], options?: object): AsyncGenerator<SdkChunk>;
}

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools: SdkTool[] = [
	{ type: 'function', name: 'weather', description: 'Tells the weather', inputSchema: schema },
	{ type: 'function', name: 'clock', description: 'Tells the time', inputSchema: schema },
];
const user = (text: string): SdkMessage => ({ role: 'user', content: [{ type: 'text', text }] });

let emulator: Emulator;
let rate = 8_000;
let executions = 0;
beforeAll(async () => (emulator = await startStrictEmulator()));
afterAll(async () => await emulator.close());
beforeEach(() => {
	rate += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
});

interface SentMessage {
	role: string;
	tool_calls?: Array<{ id: string }>;
	tool_call_id?: string;
}

interface Way {
	format: 'chat' | 'messages';
	streamed: boolean;
	/** How the agent hands the calls of an answer back. */
	how: 'together' | 'one by one';
}
const ways: Way[] = (['chat', 'messages'] as const).flatMap((format) =>
	[false, true].flatMap((streamed) =>
		(['together', 'one by one'] as const).map((how) => ({ format, streamed, how })),
	),
);

/** One turn of an agent, which creates its model anew for each of them. */
async function turn(
	{ format, streamed }: Way,
	messages: SdkMessage[],
	executionId: string,
): Promise<SdkContent[]> {
	const { value, error } = await runSubNode(
		'chatModel',
		{
			model: { __rl: true, mode: 'id', value: 'aurora-4' },
			format,
			options: { reasoningEffort: 'low', maxRetries: 0 },
		},
		async (model: Model) => {
			const bound = model.withTools(tools);
			if (!streamed) return (await bound.generate(messages)).message.content;
			const content: SdkContent[] = [];
			for await (const chunk of bound.stream(messages)) {
				if (chunk.type !== 'tool-call-delta') continue;
				const { id, name, argumentsDelta: input } = chunk;
				content.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
			}
			return content;
		},
		{ credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate }, executionId },
	);
	if (error) throw error;
	return value!.filter(({ type }) => type === 'tool-call');
}

/** What n8n's Agent makes of an answer and the results: its thoughts are gone, and its arguments have more fields. */
function handedBack(calls: SdkContent[], how: Way['how']): SdkMessage[] {
	const changed = calls.map((call) => ({
		...call,
		input: JSON.stringify({ ...JSON.parse(call.input as string), id: call.toolCallId }),
	}));
	const resultOf = ({ toolCallId, toolName }: SdkContent): SdkMessage => ({
		role: 'tool',
		name: toolName as string,
		content: [{ type: 'tool-result', toolCallId, result: 'Sunny' }],
	});
	if (how === 'together') return [{ role: 'assistant', content: changed }, ...changed.map(resultOf)];
	return changed.flatMap((call): SdkMessage[] => [{ role: 'assistant', content: [call] }, resultOf(call)]);
}

describe('An agent whose model thinks before it calls tools', () => {
	it.each(ways)('hands the thoughts back: $format, streamed: $streamed, $how', async (way) => {
		const executionId = `thoughts-${++executions}`;
		let conversation = [user('The weather and the clock in Paris, please.')];
		for (let round = 0; round < 3; round++) {
			const calls = await turn(way, conversation, executionId);
			expect(calls.map(({ toolName }) => toolName)).toEqual(['weather', 'clock']);
			conversation = [...conversation, ...handedBack(calls, way.how)];
			await turn(way, conversation, executionId);
			conversation = [...conversation, user(`The weather and the clock in city ${round}, please.`)];
		}
		expect(emulator.journal.entries().map(({ status }) => status)).toEqual(Array(6).fill(200));
	});

	it.each(ways)('has the calls of one answer in one message: $format, $streamed, $how', async (way) => {
		const executionId = `thoughts-${++executions}`;
		const question = user('The weather and the clock in Paris, please.');
		const calls = await turn(way, [question], executionId);
		await turn(way, [question, ...handedBack(calls, way.how)], executionId);
		const { messages } = emulator.journal.entries().at(-1)!.body as { messages: Array<{ role: string }> };
		expect(messages.map(({ role }) => role)).toEqual(
			way.format === 'chat' ? ['user', 'assistant', 'tool', 'tool'] : ['user', 'assistant', 'user'],
		);
		// As the model gave them.
		expect(JSON.stringify(messages)).not.toMatch(/"id\\?":\s*\\?"[^"]*\\?",?\s*\}/);
	});

	it.each(ways)('is refused by the gateway in another execution: $format, $streamed, $how', async (way) => {
		const question = user('The weather and the clock in Paris, please.');
		const calls = await turn(way, [question], `thoughts-${++executions}`);
		const other = turn(way, [question, ...handedBack(calls, way.how)], `thoughts-${++executions}`);
		await expect(other).rejects.toMatchObject({
			message: expect.stringMatching(/reasoning_content|thinking/),
		});
	});

	it('asks the same thing three times, in calls of their own', async () => {
		emulator.behaviour.set('*', { dialect: 'tools-answer-no-id' });
		const way: Way = { format: 'chat', streamed: false, how: 'together' };
		const executionId = `thoughts-${++executions}`;
		let conversation = [user('The weather in Paris, then the weather in Paris, then the weather in Paris.')];
		for (let round = 0; round < 3; round++) {
			const calls = await turn(way, conversation, executionId);
			expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual([
				['weather', '{"city":"Paris"}'],
			]);
			conversation = [...conversation, ...handedBack(calls, way.how)];
		}
		expect(await turn(way, conversation, executionId)).toEqual([]);
		const { messages } = emulator.journal.entries().at(-1)!.body as { messages: SentMessage[] };
		expect(messages.map(({ role }) => role)).toEqual([
			'user',
			...Array(3).fill(['assistant', 'tool']).flat(),
		]);
		const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
		expect(new Set(ids).size).toBe(3);
		expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
	});
});
