import { startEmulator, type Emulator } from '../../../emulator';
import { toolDialects } from '../../../emulator/dialects';
import type { SdkChunk, SdkMessage, SdkResult, SdkTool } from '../../../nodes/Chat/model/sdk';
import { runSubNode } from '../engine/runSubNode';

/** The part of n8n's SDK that the node needs. */
class BaseChatModel {
	tools: SdkTool[] = [];
	withTools(tools: SdkTool[]): this {
		return Object.assign(Object.create(Object.getPrototypeOf(this) as object) as this, this, { tools });
	}
}
let sdk: object = {};
jest.mock('@n8n/ai-node-sdk', () => sdk, { virtual: true });

interface Model extends BaseChatModel {
	generate(messages: SdkMessage[]): Promise<SdkResult>;
	stream(messages: SdkMessage[]): AsyncGenerator<SdkChunk>;
}

const weather: SdkTool = {
	type: 'function',
	name: 'weather',
	description: 'Tells the weather',
	inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const clock: SdkTool = { type: 'function', name: 'clock', description: 'Tells the time' };
const question: SdkMessage[] = [
	{ role: 'user', content: [{ type: 'text', text: 'The weather in Paris, and the clock, please.' }] },
];
const expected = ['weather {"city":"Paris"}', 'clock {}'];

let emulator: Emulator;
// The learned rate of a credential is kept, so each test uses a different credential.
let rate = 9_000;

beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	rate += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
	jest.resetModules();
	sdk = {
		BaseChatModel,
		supplyModel: (_context: object, model: object) => ({ response: model }),
		getParametersJsonSchema: ({ inputSchema }: SdkTool) => inputSchema,
	};
});

/** The calls of an answer, and whether they can be told apart. */
async function callsIn(dialect: (typeof toolDialects)[number]): Promise<{ calls: string[]; ids: number }> {
	const format = dialect.routes.some((route) => route.includes('messages')) ? 'messages' : 'chat';
	const { value, error } = await runSubNode<Model, Array<{ id: unknown; call: string }>>(
		'chatModel',
		{ model: { __rl: true, mode: 'id', value: 'aurora-4' }, format, options: {} },
		async (model) => {
			const bound = model.withTools([weather, clock]);
			if (!dialect.needsStream) {
				const { message } = await bound.generate(question);
				return message.content.flatMap((part) =>
					part.type === 'tool-call'
						? { id: part.toolCallId, call: [part.toolName, part.input].join(' ') }
						: [],
				);
			}
			const calls: Array<{ id: unknown; call: string }> = [];
			for await (const chunk of bound.stream(question)) {
				if (chunk.type !== 'tool-call-delta') continue;
				calls.push({ id: chunk.id, call: [chunk.name, chunk.argumentsDelta].join(' ') });
			}
			return calls;
		},
		{ credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: rate } },
	);
	if (!value) throw error ?? new Error('The model returned nothing.');
	return { calls: value.map(({ call }) => call), ids: new Set(value.map(({ id }) => id)).size };
}

describe('Tool calls in the dialect', () => {
	it.each(toolDialects.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" are told apart and complete',
		async (name, dialect) => {
			emulator.behaviour.set('*', { dialect: name });
			expect(await callsIn(dialect)).toEqual({ calls: expected, ids: expected.length });
			expect(emulator.journal.entries('POST /v1/*').map(({ dialects }) => dialects)).toEqual([[name]]);
		},
	);
});
