import { runInThisContext } from 'node:vm';
import { useGateway } from './gateway';

const gateway = useGateway();
async function client(apiKey = gateway.emulator.apiKey) {
	const { GoogleGenAI } = await import('@google/genai');
	// The interface accepts the key only as a bearer token (section 5).
	const headers = { Authorization: `Bearer ${apiKey}` };
	return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.emulator.url, headers } });
}
const question = { model: 'prisma-2-pro', contents: 'Why is the sky blue?' };

beforeAll(async () => {
	// The client looks for Node's dispatcher in the global object, but Jest gives tests their own global object.
	await fetch(gateway.emulator.url);
	const dispatcher = Symbol.for('undici.globalDispatcher.1');
	Object.defineProperty(globalThis, dispatcher, { value: runInThisContext('globalThis')[dispatcher] });
});

describe('Google Gen AI SDK against the emulator', () => {
	it('generates content', async () => {
		const response = await (
			await client()
		).models.generateContent({
			...question,
			config: { temperature: 0.5, maxOutputTokens: 5, systemInstruction: 'Be brief.' },
		});
		expect(response.text).toHaveLength(20);
		expect(response.candidates?.[0].finishReason).toBe('MAX_TOKENS');
		expect(response.usageMetadata?.candidatesTokenCount).toBe(5);
		const [entry] = gateway.emulator.journal.entries('POST /v1beta/models/prisma-2-pro:generateContent');
		expect(entry).toMatchObject({ key: 'valid', headers: { authorization: 'valid' } });
	});

	it('streams content', async () => {
		const chunks: string[] = [];
		let total: number | undefined;
		for await (const chunk of await (await client()).models.generateContentStream(question)) {
			chunks.push(chunk.text ?? '');
			total = chunk.usageMetadata?.totalTokenCount ?? total;
		}
		const whole = await (await client()).models.generateContent(question);
		expect(chunks.length).toBeGreaterThan(1);
		expect(chunks.join('')).toBe(whole.text);
		expect(total).toBe(whole.usageMetadata?.totalTokenCount);
	});

	it('calls functions', async () => {
		const tools = [{ functionDeclarations: [{ name: 'get_weather', description: 'Weather of a city' }] }];
		const response = await (
			await client()
		).models.generateContent({ ...question, contents: 'Weather in Oslo?', config: { tools } });
		expect(response.functionCalls).toEqual([expect.objectContaining({ name: 'get_weather' })]);
		const answer = await (
			await client()
		).models.generateContent({
			...question,
			contents: [
				{ role: 'user', parts: [{ text: 'Weather in Oslo?' }] },
				{ role: 'model', parts: [{ functionCall: { name: 'get_weather', args: {} } }] },
				{ role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { degrees: 4 } } }] },
			],
			config: { tools },
		});
		expect(answer.text).toContain('{"degrees":4}');
	});

	it('throws an error with the status', async () => {
		await expect((await client('wrong')).models.generateContent(question)).rejects.toMatchObject({
			status: 401,
		});
		await expect(
			(await client()).models.generateContent({ ...question, model: 'none' }),
		).rejects.toMatchObject({ status: 400 });
	});
});
