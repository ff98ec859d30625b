import { AnswerMemory, type RequestedCall } from '../../../../nodes/Chat/model/answerMemory';

it('What a model thought is handed back only to the agent and the execution that asked', () => {
	const memory = new AnswerMemory();
	const call: RequestedCall = { id: 'call_0', name: 'look', arguments: { at: 'sky' } };
	const answer = { text: '', calls: [call], thoughts: { model: 'm', parts: [], fields: {} } };
	memory.keep('execution 1', answer);
	expect([memory.find('execution 1', call), memory.find('execution 2', call)]).toEqual([answer, undefined]);
	expect([memory.has('execution 1', 'call_0'), memory.has('execution 2', 'call_0')]).toEqual([true, false]);
});
