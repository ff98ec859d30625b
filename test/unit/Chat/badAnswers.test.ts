import { badAnswers } from '../../../bench/subjects/badJson/badAnswers';
import { answerSchema } from '../../../nodes/Chat/json/jsonSchema';
import { parseJsonAnswer } from '../../../nodes/Chat/json/parseJsonAnswer';
import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';

const REFUSED = Symbol('refused');

describe('1,000 bad JSON answers', () => {
	const answers = badAnswers();
	const schemas = new Map(answers.map(({ schema }) => [schema, answerSchema(schema)]));
	const faults = [...new Set(answers.map(({ fault }) => fault))];

	it('are of at least 20 kinds', () => {
		expect(answers).toHaveLength(1000);
		expect(faults.length).toBeGreaterThanOrEqual(20);
	});

	it.each(faults)('%s: the value that was meant, or none', async (fault) => {
		for (const { text, schema, meant } of answers.filter((answer) => answer.fault === fault)) {
			const answer = { text, finishReason: 'stop' } as ChatAnswer;
			const value = await parseJsonAnswer(answer, { schema: schemas.get(schema) }).catch(() => REFUSED);
			expect([text, value]).toEqual([text, meant ?? REFUSED]);
		}
	});
});
