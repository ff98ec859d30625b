import { chatBody, useGateway } from './gateway';

const gateway = useGateway();

async function ask(text: string, more: object = {}) {
	const { data } = await gateway.post('/v1/chat/completions', chatBody(text, more));
	return data;
}
const textOf = async (text: string, more: object = {}): Promise<string> =>
	(await ask(text, more)).choices[0].message.content;
const jsonOf = async (text: string, more: object = {}) => JSON.parse(await textOf(text, more));

describe('POST /v1/chat/completions', () => {
	it('returns the documented shape, with usage that follows the lengths of the texts', async () => {
		const answer = await ask('Why is the sky blue?');
		expect(answer).toEqual({
			id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
			object: 'chat.completion',
			created: expect.any(Number),
			model: 'aurora-4',
			choices: [
				{ index: 0, message: { role: 'assistant', content: expect.any(String) }, finish_reason: 'stop' },
			],
			usage: {
				prompt_tokens: 4 + Math.ceil('Why is the sky blue?'.length / 4),
				completion_tokens: Math.ceil(answer.choices[0].message.content.length / 4),
				total_tokens: answer.usage.prompt_tokens + answer.usage.completion_tokens,
			},
		});
	});

	it('stops at max_tokens and at stop sequences', async () => {
		const short = await ask('Why is the sky blue?', { max_tokens: 5 });
		expect(short.choices[0]).toMatchObject({
			finish_reason: 'length',
			message: { content: expect.any(String) },
		});
		expect(short.choices[0].message.content).toHaveLength(20);
		expect(short.usage.completion_tokens).toBe(5);
		const stopped = await ask('Why is the sky blue?', { stop: ['.', '?'] });
		expect(stopped.choices[0].finish_reason).toBe('stop');
		expect(stopped.choices[0].message.content).not.toMatch(/[.?]/);
	});
});

describe('JSON answer of POST /v1/chat/completions', () => {
	const schema = {
		type: 'object',
		properties: {
			city: { type: 'string' },
			days: { type: 'integer', minimum: 1, maximum: 7 },
			unit: { enum: ['celsius', 'fahrenheit'] },
			sights: { type: 'array', items: { type: 'string' } },
			rainy: { type: 'boolean' },
		},
		required: ['city'],
	};

	it('follows a schema', async () => {
		const format = { type: 'json_schema', json_schema: { name: 'trip', schema } };
		const value = await jsonOf('Plan 3 days in Lisbon, fahrenheit please.', { response_format: format });
		expect(value).toEqual({
			city: 'Lisbon',
			days: 3,
			unit: 'fahrenheit',
			sights: expect.arrayContaining([expect.any(String)]),
			rainy: true,
		});
	});

	it('is any object in JSON mode', async () => {
		expect(await jsonOf('Tell me about owls', { response_format: { type: 'json_object' } })).toMatchObject({
			summary: 'Tell me about owls',
		});
	});
});
