import { operations, useChat } from '../engine/useChat';

const chat = useChat(4e7);

describe('Parse JSON Answer', () => {
	const schema = {
		type: 'object',
		required: ['category', 'score'],
		properties: { category: { enum: ['praise', 'complaint'] }, score: { type: 'integer', maximum: 5 } },
	};

	test.each(operations)('tells the model the schema and puts the object into data: %s', async (operation) => {
		const { items, error } = await chat.run(operation, {
			parseJson: true,
			jsonSchema: JSON.stringify(schema),
			prompt: 'Classify: "The delivery came 3 days late, a complaint."',
		});
		expect(error).toBeUndefined();
		expect(items[0].json.data).toEqual({ category: 'complaint', score: 3 });
		expect(Object.keys(items[0].json).slice(0, 2)).toEqual(['text', 'data']);
	});

	test('an answer that is no JSON, or does not fit, fails with its text kept', async () => {
		const failing = async (text: string, ending?: 'length') => {
			chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: [text], ending } });
			const { items } = await chat.run(
				'chatCompletion',
				{ parseJson: true, jsonSchema: schema },
				{},
				{ onError: 'continueRegularOutput' },
			);
			return items[0].json as { error: string; details: { description: string; partial: object } };
		};
		const prose = await failing('It is a complaint.');
		expect(prose.error).toBe("The model's answer holds no JSON");
		expect(prose.details.partial).toMatchObject({ text: 'It is a complaint.', finishReason: 'stop' });
		const unfit = await failing('{"category":"complaint","score":9}');
		expect(unfit.error).toContain('the value.score should be at most 5');
		const cut = await failing('{"category":"compl', 'length');
		expect(cut.details.description).toContain('raise Max Tokens');
		expect(chat.emulator.journal.count()).toBe(3);
	});

	test('words of the schema that are not checked are named once', async () => {
		chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: ['[1]'] } });
		const { hints } = await chat.run(
			'chatCompletion',
			{ parseJson: true, jsonSchema: '{"contains": {}}' },
			{ input: [{ json: {} }, { json: {} }] },
		);
		expect(hints).toEqual([expect.stringContaining('not checked: contains')]);
	});
});

test('an answer in no known format is a failure that keeps it', async () => {
	chat.emulator.behaviour.set('POST /v1/*', {
		faults: [{ kind: 'status', status: 200, body: { result: 'paid for' }, contentType: 'application/json' }],
	});
	const { error } = await chat.run('chatCompletion');
	expect(error?.message).toContain('none of the three chat formats');
	expect(error?.context.details).toMatchObject({ partial: { answer: { result: 'paid for' } } });
});
