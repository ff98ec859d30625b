import { runInThisContext } from 'node:vm';
import { useGateway } from './gateway';

const gateway = useGateway();
async function models(apiKey = gateway.emulator.apiKey) {
	const { GoogleGenAI } = await import('@google/genai');
	// The interface accepts the key only as a bearer token (section 5).
	const headers = { Authorization: `Bearer ${apiKey}` };
	const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.emulator.url, headers } });
	return client.models;
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
		const config = { temperature: 0.5, maxOutputTokens: 5, systemInstruction: 'Be brief.' };
		const response = await (await models()).generateContent({ ...question, config });
		expect(response.text).toHaveLength(20);
		expect(response.candidates?.[0].finishReason).toBe('MAX_TOKENS');
		expect(response.usageMetadata?.candidatesTokenCount).toBe(5);
		const [entry] = gateway.emulator.journal.entries('POST /v1beta/models/prisma-2-pro:generateContent');
		expect(entry).toMatchObject({ key: 'valid', headers: { authorization: 'valid' } });
	});

	it('streams content', async () => {
		const chunks: string[] = [];
		let total: number | undefined;
		for await (const chunk of await (await models()).generateContentStream(question)) {
			chunks.push(chunk.text ?? '');
			total = chunk.usageMetadata?.totalTokenCount ?? total;
		}
		const whole = await (await models()).generateContent(question);
		expect(chunks.length).toBeGreaterThan(1);
		expect(chunks.join('')).toBe(whole.text);
		expect(total).toBe(whole.usageMetadata?.totalTokenCount);
	});

	it('calls functions', async () => {
		const tools = [{ functionDeclarations: [{ name: 'get_weather', description: 'Weather of a city' }] }];
		const { generateContent } = await models();
		const asked = { ...question, config: { tools } };
		const response = await generateContent({ ...asked, contents: 'Weather in Oslo?' });
		expect(response.functionCalls).toEqual([expect.objectContaining({ name: 'get_weather' })]);
		const answer = await generateContent({
			...asked,
			contents: [
				{ role: 'user', parts: [{ text: 'Weather in Oslo?' }] },
				{ role: 'model', parts: [{ functionCall: { name: 'get_weather', args: {} } }] },
				{ role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { degrees: 4 } } }] },
			],
		});
		expect(answer.text).toContain('{"degrees":4}');
	});

	it('throws an error with the status', async () => {
		const expectStatus = async (answer: Promise<unknown>, status: number) =>
			await expect(answer).rejects.toMatchObject({ status });
		await expectStatus((await models('wrong')).generateContent(question), 401);
		await expectStatus((await models()).generateContent({ ...question, model: 'none' }), 400);
	});
});
