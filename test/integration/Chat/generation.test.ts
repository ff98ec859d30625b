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

const STOPS = ['END', '\n\n'];
/** Each option, and what it adds to the requests of Message a Model, of the messages format, and to `generationConfig`. */
const OPTIONS: Array<[option: object, chat: object, messages: object, config: object]> = [
	[{ maxTokens: 500 }, { max_tokens: 500 }, { max_tokens: 500 }, { maxOutputTokens: 500 }],
	[{ temperature: 0.4 }, { temperature: 0.4 }, { temperature: 0.4 }, { temperature: 0.4 }],
	[{ topP: 0.9 }, { top_p: 0.9 }, { top_p: 0.9 }, { topP: 0.9 }],
	[{ stopSequences: [...STOPS, ''] }, { stop: STOPS }, { stop_sequences: STOPS }, { stopSequences: STOPS }],
	// The messages format has no seed.
	[{ seed: -7 }, { seed: -7 }, {}, { seed: -7 }],
	[
		{ reasoningEffort: 'low' },
		{ reasoning_effort: 'low' },
		{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
		{ thinkingConfig: { thinkingLevel: 'low' } },
	],
	[
		{ reasoningEffort: 'none' },
		{ reasoning_effort: 'none' },
		{ thinking: { type: 'disabled' } },
		{ thinkingConfig: { thinkingBudget: 0 } },
	],
	[
		{ thinkingBudget: 2048 },
		{ reasoning: { max_tokens: 2048 } },
		// The tokens for thinking come on top of those for the answer.
		{ max_tokens: 4096 + 2048, thinking: { type: 'enabled', budget_tokens: 2048 } },
		{ thinkingConfig: { thinkingBudget: 2048 } },
	],
];

describe.each(operations)('A request of %s', (operation) => {
	it('has none of the fields whose options are not set', async () => {
		expect(await fieldsFor(operation, {})).toEqual(operation === 'message' ? { max_tokens: 4096 } : {});
	});

	it.each(OPTIONS)('has exactly the field of %j', async (options, ofChat, ofMessages, generationConfig) => {
		const fields: Record<Operation, object> = {
			chatCompletion: ofChat,
			message: { max_tokens: 4096, ...ofMessages },
			generateContent: { generationConfig },
		};
		expect(await fieldsFor(operation, options)).toEqual(fields[operation]);
	});

	it('says that an effort and a budget exclude each other, and sends nothing', async () => {
		const { error } = await chat.run(operation, {
			options: { reasoningEffort: 'high', thinkingBudget: 2000 },
		});
		expect(error?.message).toContain('Thinking Budget (Tokens) is set together with Reasoning Effort');
		expect(chat.emulator.journal.count()).toBe(0);
	});
});

it('Extra Body Fields are merged, also inside generationConfig', async () => {
	const options = { temperature: 0.2, extraBodyFields: '{"generationConfig":{"topK":3}}' };
	expect(await fieldsFor('generateContent', options)).toEqual({
		generationConfig: { temperature: 0.2, topK: 3 },
	});
});

describe('Prompt Caching', () => {
	it.each([
		['5m', { type: 'ephemeral' }],
		['1h', { type: 'ephemeral', ttl: '1h' }],
	])('marks the system prompt and the last message for %s', async (promptCaching, mark) => {
		await chat.run('message', { systemPrompt: 'You are brief.', options: { promptCaching } });
		const marked = (text: string) => [{ type: 'text', text, cache_control: mark }];
		expect(chat.sentBody()).toMatchObject({
			system: marked('You are brief.'),
			messages: [{ content: marked('Why is the sky blue?') }],
		});
	});
});
