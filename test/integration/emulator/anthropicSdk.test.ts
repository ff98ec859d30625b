import Anthropic from '@anthropic-ai/sdk';
import { useGateway } from './gateway';

const gateway = useGateway();
/** The client sends a newer version by itself. */
const defaultHeaders = { 'msgapi-version': '2023-06-01' };
const client = (apiKey = gateway.emulator.apiKey) =>
	new Anthropic({ apiKey, baseURL: gateway.emulator.url, maxRetries: 0, defaultHeaders });
const question = {
	model: 'sonata-3-large',
	max_tokens: 300,
	system: 'Be brief.',
	messages: [{ role: 'user' as const, content: 'Why is the sky blue?' }],
};

describe('Anthropic SDK against the emulator', () => {
	it('sends a message', async () => {
		const message = await client().messages.create(question);
		expect(message.content[0]).toEqual({ type: 'text', text: expect.stringContaining('Be brief.') });
		expect(message.stop_reason).toBe('end_turn');
	});

	it('streams a message', async () => {
		const stream = client().messages.stream(question);
		const deltas: string[] = [];
		stream.on('text', (delta) => deltas.push(delta));
		const message = await stream.finalMessage();
		const whole = await client().messages.create(question);
		expect(deltas.length).toBeGreaterThan(5);
		expect(message.content).toEqual(whole.content);
		expect(message.usage).toMatchObject(whole.usage);
		expect(message.stop_reason).toBe('end_turn');
	});

	it('calls tools, also in streams', async () => {
		const tools = [
			{
				name: 'get_weather',
				description: 'Weather of a city',
				input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
			},
		];
		const asked = { role: 'user' as const, content: 'Weather in Oslo?' };
		const call = await client()
			.messages.stream({ ...question, messages: [asked], tools })
			.finalMessage();
		expect(call.stop_reason).toBe('tool_use');
		const [block] = call.content;
		if (block.type !== 'tool_use') throw new Error('The answer is not a tool call.');
		expect(block).toMatchObject({ name: 'get_weather', input: { city: 'Oslo' } });
		const message = await client().messages.create({
			...question,
			tools,
			messages: [
				asked,
				{ role: 'assistant', content: call.content },
				{ role: 'user', content: [{ type: 'tool_result', tool_use_id: block.id, content: '4 degrees' }] },
			],
		});
		expect(message.content[0]).toMatchObject({
			text: expect.stringContaining('get_weather reports: 4 degrees'),
		});
	});

	it('throws the error class of the status', async () => {
		await expect(client('wrong').messages.create(question)).rejects.toBeInstanceOf(
			Anthropic.AuthenticationError,
		);
		await expect(client().messages.create({ ...question, model: 'none' })).rejects.toBeInstanceOf(
			Anthropic.BadRequestError,
		);
	});
});
