import { asJson, useChat } from '../engine/useChat';

const chat = useChat(4e7);

describe('An answer in JSON', () => {
	const schema = {
		type: 'object',
		required: ['category', 'score'],
		properties: { category: { enum: ['praise', 'complaint'] }, score: { type: 'integer', maximum: 5 } },
	};

	it('fails for an answer without JSON or with a mismatch, and keeps the answer', async () => {
		const failing = async (text: string, ending?: 'length') => {
			chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: [text], ending } });
			const { items } = await chat.run(
				'chatCompletion',
				asJson(schema),
				{},
				{ onError: 'continueRegularOutput' },
			);
			return items[0].json as { error: string; details: { description: string; partial: object } };
		};
		const prose = await failing('It is a complaint.');
		expect(prose.error).toBe("The model's answer contains no JSON");
		expect(prose.details.partial).toEqual({
			text: 'It is a complaint.',
			model: 'aurora-4',
			finishReason: 'stop',
			inputTokens: expect.any(Number),
			outputTokens: expect.any(Number),
		});
		const mismatching = await failing('{"category":"complaint","score":9}');
		expect(mismatching.error).toContain('the value.score must be at most 5');
		const cut = await failing('{"category":"compl', 'length');
		expect(cut.details.description).toContain('Increase Max Tokens');
		expect(chat.emulator.journal.count()).toBe(3);
	});

	it('asks again for an answer that cannot be used when n8n retries the node', async () => {
		const content = 'It is a complaint.';
		const body = { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] };
		chat.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'status', status: 200, body, contentType: 'application/json' }],
			answer: { texts: ['{"category":"complaint","score":3}'] },
		});
		const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
		const { items } = await chat.run('chatCompletion', asJson(schema), {}, retries);
		expect(items[0].json.data).toEqual({ category: 'complaint', score: 3 });
		expect(chat.emulator.journal.count()).toBe(2);
	});

	it('names the keywords of the schema that are not checked, once for all items', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: ['[1]'] } });
		const { hints } = await chat.run('chatCompletion', asJson('{"type": "array", "minLenght": 2}'), {
			input: [{ json: {} }, { json: {} }],
		});
		expect(hints).toEqual([
			expect.stringContaining('not checked: minLenght'),
			expect.stringMatching(/^2 items in/),
		]);
	});
});
