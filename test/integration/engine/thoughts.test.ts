import { chosen } from './chosen';
import type { SdkContent, SdkMessage } from '../../../nodes/Chat/model/sdk';
import { type Model, TOOLS, user } from './fakeSdk';
import { runSubNode } from './runSubNode';
import { useEmulator } from './useEmulator';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('./fakeSdk'), { virtual: true });

const gateway = useEmulator();
let executions = 0;

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
			model: chosen('aurora-4'),
			format,
			options: { reasoningEffort: 'low', maxRetries: 0 },
		},
		async (model: Model) => {
			const bound = model.withTools(TOOLS);
			if (!streamed) return (await bound.generate(messages)).message.content;
			const content: SdkContent[] = [];
			for await (const chunk of bound.stream(messages)) {
				if (chunk.type !== 'tool-call-delta') continue;
				const { id, name, argumentsDelta: input } = chunk;
				content.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
			}
			return content;
		},
		{ credential: gateway.credential(), executionId },
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
	it.each(ways)(
		'hands the thoughts back, and calls in one message: $format, streamed: $streamed, $how',
		async (way) => {
			const executionId = `thoughts-${++executions}`;
			let conversation = [user('The weather and the clock in Paris, please.')];
			for (let round = 0; round < 3; round++) {
				const calls = await turn(way, conversation, executionId);
				expect(calls.map(({ toolName }) => toolName)).toEqual(['weather', 'clock']);
				conversation = [...conversation, ...handedBack(calls, way.how)];
				await turn(way, conversation, executionId);
				conversation = [...conversation, user(`The weather and the clock in city ${round}, please.`)];
			}
			const requests = gateway.emulator.journal.entries();
			expect(requests.map(({ status }) => status)).toEqual(Array(6).fill(200));
			const { messages } = requests[1].body as { messages: SentMessage[] };
			expect(messages.map(({ role }) => role)).toEqual(
				way.format === 'chat' ? ['user', 'assistant', 'tool', 'tool'] : ['user', 'assistant', 'user'],
			);
			// As the model gave them.
			expect(JSON.stringify(messages)).not.toMatch(/"id\\?":\s*\\?"[^"]*\\?",?\s*\}/);
		},
	);

	it('asks the same thing three times, in calls of their own', async () => {
		gateway.emulator.behaviour.set('*', { dialect: 'tools-answer-no-id' });
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
		const { messages } = gateway.emulator.journal.entries().at(-1)!.body as { messages: SentMessage[] };
		expect(messages.map(({ role }) => role)).toEqual([
			'user',
			...Array(3).fill(['assistant', 'tool']).flat(),
		]);
		const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
		expect(new Set(ids).size).toBe(3);
		expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
	});
});
