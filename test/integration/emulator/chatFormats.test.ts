import { chatBody, useGateway } from './gateway';

const gateway = useGateway();
/** Also what comparable services refuse. */
beforeEach(() => gateway.emulator.behaviour.set('*', { checkUndocumented: true }));

async function ask(text: string, more: object = {}) {
	const { data } = await gateway.post('/v1/chat/completions', chatBody(text, more));
	return data;
}

describe('Tools of POST /v1/chat/completions', () => {
	const tools = ['get_weather', 'send_mail'].map((name) => ({ type: 'function', function: { name } }));
	const asked = { role: 'user', content: 'Weather in Paris?' };

	it('follow tool_choice', async () => {
		const choose = async (choice: unknown) =>
			(await ask('Tell me a joke', { tools, tool_choice: choice })).choices[0];
		expect((await choose('none')).finish_reason).toBe('stop');
		expect((await choose('required')).finish_reason).toBe('tool_calls');
		const [, forced] = tools;
		expect((await choose(forced)).message.tool_calls[0].function.name).toBe('send_mail');
		const unknown = { type: 'function', function: { name: 'other' } };
		expect(await ask('x', { tools, tool_choice: unknown })).toHaveProperty('error');
	});

	it('need their call before their result', async () => {
		const lost = [asked, { role: 'tool', tool_call_id: 'call_x', content: '21 degrees' }];
		expect((await ask('', { tools, messages: lost })).error.message).toContain('messages[1].tool_call_id');
	});
});

describe('Prompt cache of POST /v1/messages', () => {
	const mark = { cache_control: { type: 'ephemeral' } };
	const send = async (more: object) => {
		const body = { model: 'aurora-4', max_tokens: 100, ...more };
		const headers = { 'msgapi-version': '2023-06-01' };
		return (await gateway.post('/v1/messages', body, { headers })).data;
	};
	const system = (marked: object) => [
		{ type: 'text', text: 'You are a patient teacher. '.repeat(20), ...marked },
	];
	const words = (text: string, marked: object = {}) => ({
		role: 'user',
		content: [{ type: 'text', text, ...marked }],
	});

	it('is used by requests with marks, and counts its tokens by themselves', async () => {
		const plain = await send({ system: system({}), messages: [words('Why is snow white?')] });
		expect(Object.keys(plain.usage)).toEqual(['input_tokens', 'output_tokens']);
		const first = await send({ system: system(mark), messages: [words('Why is snow white?', mark)] });
		expect(first.usage).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 0 });
		expect(first.usage.cache_creation_input_tokens).toBe(plain.usage.input_tokens);
		const more = [
			words('Why is snow white?'),
			{ role: 'assistant', content: 'Light.' },
			words('And ice?', mark),
		];
		const { usage } = await send({ system: system(mark), messages: more });
		expect(usage.cache_read_input_tokens).toBeGreaterThan(100);
		expect(usage.cache_creation_input_tokens).toBeGreaterThan(0);
		const other = await send({ system: system({}), messages: [words('Something else', mark)] });
		expect(other.usage.cache_read_input_tokens).toBeGreaterThan(100);
	});
});

describe('Styles of POST /v1/chat/completions', () => {
	const question = 'Why is the sky blue?';

	it.each([
		[
			'messages-format',
			{ type: 'message', role: 'assistant', content: [{ type: 'text' }] },
			'anthropic',
			'claude',
		],
		['generate-content-format', { candidates: [{ finishReason: 'STOP' }] }, 'gemini'],
		['chat-format', { object: 'chat.completion', choices: [{ finish_reason: 'stop' }] }, 'openai'],
	])("include %s, also under the vendor's name for it", async (style, shape, ...names) => {
		const withoutId = (answer: Record<string, unknown>) => ({
			...answer,
			id: '',
			responseId: '',
			created: 0,
		});
		const answer = await ask(question, { style });
		expect(answer).toMatchObject(shape);
		for (const name of names)
			expect(withoutId(await ask(question, { style: name }))).toEqual(withoutId(answer));
	});
});
