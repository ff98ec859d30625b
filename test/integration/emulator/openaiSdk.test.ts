import OpenAI from 'openai';
import { secondsOf } from '../../audioTools';
import { useGateway } from './gateway';

const gateway = useGateway();
const client = (apiKey = gateway.emulator.apiKey) =>
	new OpenAI({ apiKey, baseURL: `${gateway.emulator.url}/v1`, maxRetries: 0 });
const question = {
	model: 'aurora-4',
	messages: [{ role: 'user' as const, content: 'Why is the sky blue?' }],
};

describe('OpenAI SDK against the emulator', () => {
	it('lists models', async () => {
		const ids: string[] = [];
		for await (const model of client().models.list()) ids.push(model.id);
		expect(ids).toContain('svc-tts');
	});

	it('creates a chat completion', async () => {
		const completion = await client().chat.completions.create(question);
		expect(completion.choices[0].message.content).toContain('Why is the sky blue?');
		expect(completion.usage?.total_tokens).toBeGreaterThan(10);
	});

	it('streams a chat completion with usage', async () => {
		const stream = await client().chat.completions.create({
			...question,
			stream: true,
			stream_options: { include_usage: true },
		});
		let text = '';
		let total: number | undefined;
		for await (const chunk of stream) {
			text += chunk.choices[0]?.delta.content ?? '';
			total = chunk.usage?.total_tokens ?? total;
		}
		const whole = await client().chat.completions.create(question);
		expect(text).toBe(whole.choices[0].message.content);
		expect(total).toBe(whole.usage?.total_tokens);
	});

	it('streams tool calls', async () => {
		const stream = client().chat.completions.stream({
			model: 'aurora-4',
			messages: [{ role: 'user', content: 'Weather in Oslo?' }],
			tools: [
				{
					type: 'function',
					function: {
						name: 'get_weather',
						parameters: { type: 'object', properties: { city: { type: 'string' } } },
					},
				},
			],
		});
		const completion = await stream.finalChatCompletion();
		expect(completion.choices[0].finish_reason).toBe('tool_calls');
		expect(completion.choices[0].message.tool_calls?.[0]).toMatchObject({
			function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
		});
	});

	it('creates speech', async () => {
		const response = await client().audio.speech.create({
			model: 'svc-tts',
			voice: 'Vera',
			input: 'Good evening.',
		});
		expect(secondsOf(Buffer.from(await response.arrayBuffer()))).toBeCloseTo(13 / 14, 0);
	});

	it('throws the error class of the status', async () => {
		await expect(client('wrong').models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
		await expect(client().chat.completions.create({ ...question, model: 'none' })).rejects.toMatchObject({
			status: 400,
			code: 'invalid_request_error',
		});
		gateway.emulator.behaviour.set('*', { limit: { requests: 0, perMs: 1_000 } });
		await expect(client().models.list()).rejects.toBeInstanceOf(OpenAI.RateLimitError);
	});

	it('throws on an error inside a stream', async () => {
		gateway.emulator.behaviour.set('*', { faults: [{ kind: 'errorInStream' }] });
		const stream = await client().chat.completions.create({ ...question, stream: true });
		const read = async () => {
			for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
		};
		await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
	});
});
