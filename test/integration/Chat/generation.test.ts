import { operations, useChat, type Operation } from '../engine/useChat';

const chat = useChat(2.6e7);

const ask = async (operation: Operation, options: object) => {
	const { error } = await chat.run(operation, { options });
	expect(error).toBeUndefined();
	return chat.sentBody();
};

/** The fields of the request besides those that every request has. */
async function fieldsFor(operation: Operation, options: object): Promise<object> {
	const always = ['model', 'messages', 'contents'];
	return Object.fromEntries(
		Object.entries(await ask(operation, options)).filter(([name]) => !always.includes(name)),
	);
}

/** Each option with its field of the request in each format; undefined where the format has none. */
const OPTIONS: Array<[string, object, Record<Operation, object | undefined>]> = [
	[
		'Max Tokens',
		{ maxTokens: 500 },
		{
			chatCompletion: { max_tokens: 500 },
			message: { max_tokens: 500 },
			generateContent: { generationConfig: { maxOutputTokens: 500 } },
		},
	],
	[
		'Temperature',
		{ temperature: 0.4 },
		{
			chatCompletion: { temperature: 0.4 },
			message: { temperature: 0.4 },
			generateContent: { generationConfig: { temperature: 0.4 } },
		},
	],
	[
		'Top P',
		{ topP: 0.9 },
		{
			chatCompletion: { top_p: 0.9 },
			message: { top_p: 0.9 },
			generateContent: { generationConfig: { topP: 0.9 } },
		},
	],
	[
		'Stop Sequences',
		{ stopSequences: ['END', '\n\n', ''] },
		{
			chatCompletion: { stop: ['END', '\n\n'] },
			message: { stop_sequences: ['END', '\n\n'] },
			generateContent: { generationConfig: { stopSequences: ['END', '\n\n'] } },
		},
	],
	[
		'Seed',
		{ seed: -7 },
		{ chatCompletion: { seed: -7 }, message: undefined, generateContent: { generationConfig: { seed: -7 } } },
	],
	[
		'Reasoning Effort',
		{ reasoningEffort: 'low' },
		{
			chatCompletion: { reasoning_effort: 'low' },
			message: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
			generateContent: { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } },
		},
	],
	[
		'Reasoning Effort with None',
		{ reasoningEffort: 'none' },
		{
			chatCompletion: { reasoning_effort: 'none' },
			message: { thinking: { type: 'disabled' } },
			generateContent: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
		},
	],
	[
		'Thinking Budget (Tokens)',
		{ thinkingBudget: 2048 },
		{
			chatCompletion: { reasoning: { max_tokens: 2048 } },
			// The tokens for thinking come on top of those for the answer.
			message: { max_tokens: 4096 + 2048, thinking: { type: 'enabled', budget_tokens: 2048 } },
			generateContent: { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } },
		},
	],
];

describe.each(operations)('A request of %s', (operation) => {
	it('has none of the fields whose options are not set', async () => {
		expect(await fieldsFor(operation, {})).toEqual(operation === 'message' ? { max_tokens: 4096 } : {});
	});

	it.each(OPTIONS)('has exactly the field of %s', async (_name, options, fields) => {
		const always = operation === 'message' ? { max_tokens: 4096 } : {};
		expect(await fieldsFor(operation, options)).toEqual({ ...always, ...fields[operation] });
	});

	it('says that an effort and a budget exclude each other, and sends nothing', async () => {
		const { error } = await chat.run(operation, {
			options: { reasoningEffort: 'high', thinkingBudget: 2000 },
		});
		expect(error?.message).toContain('Thinking Budget (Tokens) is set together with Reasoning Effort');
		expect(chat.emulator.journal.count()).toBe(0);
	});
});

describe('Prompt Caching', () => {
	const mark = { type: 'ephemeral' };

	it('marks the system prompt and the last message', async () => {
		const { error } = await chat.run('message', {
			systemPrompt: 'You are brief.',
			options: { promptCaching: '5m' },
		});
		expect(error).toBeUndefined();
		expect(chat.sentBody()).toMatchObject({
			system: [{ type: 'text', text: 'You are brief.', cache_control: mark }],
			messages: [{ content: [{ type: 'text', text: 'Why is the sky blue?', cache_control: mark }] }],
		});
	});

	it('keeps them for an hour if that is chosen', async () => {
		const { messages } = await ask('message', { promptCaching: '1h' });
		expect(messages).toEqual([
			{
				role: 'user',
				content: [{ type: 'text', text: 'Why is the sky blue?', cache_control: { ...mark, ttl: '1h' } }],
			},
		]);
	});

	it.each([{}, { promptCaching: '' }])('is off with %j', async (options) => {
		expect((await ask('message', options)).messages).toEqual([
			{ role: 'user', content: 'Why is the sky blue?' },
		]);
	});
});

describe('A gateway that refuses an option', () => {
	it('is quoted', async () => {
		chat.emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [
				{
					kind: 'status',
					status: 400,
					body: { error: { message: 'Unsupported parameter: reasoning_effort' } },
					times: 'always',
				},
			],
		});
		const { error } = await chat.run('chatCompletion', { options: { reasoningEffort: 'low' } });
		expect(error?.message).toContain('Unsupported parameter: reasoning_effort');
	});

	it('is merged with Extra Body Fields, also inside generationConfig', async () => {
		const options = { temperature: 0.2, extraBodyFields: '{"generationConfig":{"topK":3}}' };
		expect(await fieldsFor('generateContent', options)).toEqual({
			generationConfig: { temperature: 0.2, topK: 3 },
		});
	});
});
