import { chosen } from '../engine/chosen';
import { toolDialects } from '../../../emulator/dialects';
import { type Model, TOOLS, user } from '../engine/fakeSdk';
import { runSubNode } from '../engine/runSubNode';
import { useEmulator } from '../engine/useEmulator';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../engine/fakeSdk'), { virtual: true });

const gateway = useEmulator();
const question = [user('The weather in Paris, and the clock, please.')];
const expected = ['weather {"city":"Paris"}', 'clock {}'];

/** The calls of an answer, and whether they can be told apart. */
async function callsIn(dialect: (typeof toolDialects)[number]): Promise<{ calls: string[]; ids: number }> {
	const format = dialect.routes.some((route) => route.includes('messages')) ? 'messages' : 'chat';
	const { value, error } = await runSubNode<Model, Array<{ id: unknown; call: string }>>(
		'chatModel',
		{ model: chosen('aurora-4'), format, options: {} },
		async (model) => {
			const bound = model.withTools(TOOLS);
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
		{ credential: gateway.credential() },
	);
	if (!value) throw error ?? new Error('The model returned nothing.');
	return { calls: value.map(({ call }) => call), ids: new Set(value.map(({ id }) => id)).size };
}

describe('Tool calls in the dialect', () => {
	it.each(toolDialects.map((dialect) => [dialect.name, dialect] as const))(
		'"%s" are told apart and complete',
		async (name, dialect) => {
			gateway.emulator.behaviour.set('*', { dialect: name });
			expect(await callsIn(dialect)).toEqual({ calls: expected, ids: expected.length });
			expect(gateway.emulator.journal.entries('POST /v1/*').map(({ dialects }) => dialects)).toEqual([
				[name],
			]);
		},
	);
});
