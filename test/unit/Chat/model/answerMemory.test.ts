import type { CallPart, Turn } from '../../../../nodes/Chat/formats/conversation';
import { AnswerMemory } from '../../../../nodes/Chat/model/conversation';

const call: CallPart = { type: 'toolCall', id: 'call_0', name: 'look', arguments: { at: 'sky' } };
const answerWith = (id: string, length = 1): Turn => ({
	role: 'assistant',
	parts: [
		{ type: 'text', text: 'x'.repeat(length) },
		{ ...call, id },
	],
});

describe('Answers with tool calls', () => {
	it('are remembered however long the newest is, and the oldest go first', () => {
		const memory = new AnswerMemory();
		memory.keep('agent', answerWith('a', 300_000));
		memory.keep('agent', answerWith('b', 300_000));
		expect(['a', 'b'].map((id) => memory.has('agent', id))).toEqual([true, true]);
		memory.keep('agent', answerWith('c', 60_000_000));
		expect(['a', 'b', 'c'].map((id) => memory.has('agent', id))).toEqual([false, false, true]);
		memory.keep('agent', answerWith('d'));
		expect(['c', 'd'].map((id) => memory.has('agent', id))).toEqual([false, true]);
	});

	it('are remembered for all items, because an agent asks about them before it hands back a result', () => {
		const memory = new AnswerMemory();
		for (let item = 0; item < 3000; item++) memory.keep('agent', answerWith(`${item}`));
		expect(['0', '2999'].map((id) => memory.has('agent', id))).toEqual([true, true]);
	});
});

it('What a model thought is handed back only to the agent and the execution that asked', () => {
	const memory = new AnswerMemory();
	const answer = answerWith(call.id);
	memory.keep('execution 1', answer);
	expect([memory.find('execution 1', call), memory.find('execution 2', call)]).toEqual([answer, undefined]);
	const others = [{ name: 'ping' }, { arguments: { at: 'sea' } }, { arguments: { at: 'sky', id: 'x' } }];
	const found = others.map((other) => memory.find('execution 1', { ...call, ...other }));
	expect(found).toEqual([undefined, undefined, answer]);
	expect([memory.has('execution 1', 'call_0'), memory.has('execution 2', 'call_0')]).toEqual([true, false]);
	const newer = answerWith(call.id, 2);
	memory.keep('execution 1', newer);
	expect(memory.find('execution 1', call)).toBe(newer);
});
