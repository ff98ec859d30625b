import { runInThisContext } from 'node:vm';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { useGateway } from './gateway';

const gateway = useGateway();
const QUESTION = 'Why is the sky blue?';
const messages = [{ role: 'user' as const, content: QUESTION }];
const parameters = { type: 'object' as const, properties: { city: { type: 'string' } } };
const weather = { name: 'get_weather', description: 'Weather of a city' };
const WEATHER = 'Weather in Oslo?';

interface Answer {
	text: string | null | undefined;
	outputTokens: number | undefined;
}

/** What each SDK is asked for. The key is right unless another one is given. */
interface Sdk {
	whole(key?: string): Promise<Answer>;
	streamed(): Promise<Answer>;
	/** The name and the arguments of the tool that the model calls. */
	toolCall(): Promise<unknown[]>;
}

const openai = (apiKey = gateway.emulator.apiKey) =>
	new OpenAI({ apiKey, baseURL: `${gateway.emulator.url}/v1`, maxRetries: 0 }).chat.completions;

const ofOpenai: Sdk = {
	async whole(key) {
		const { choices, usage } = await openai(key).create({ model: 'aurora-4', messages });
		return { text: choices[0].message.content, outputTokens: usage?.completion_tokens };
	},
	async streamed() {
		const stream = openai().stream({
			model: 'aurora-4',
			messages,
			stream_options: { include_usage: true },
		});
		const { choices, usage } = await stream.finalChatCompletion();
		return { text: choices[0].message.content, outputTokens: usage?.completion_tokens };
	},
	async toolCall() {
		const stream = openai().stream({
			model: 'aurora-4',
			messages: [{ role: 'user', content: WEATHER }],
			tools: [{ type: 'function', function: { ...weather, parameters } }],
		});
		const [{ message }] = (await stream.finalChatCompletion()).choices;
		const [call] = message.tool_calls ?? [];
		return 'function' in call ? [call.function.name, JSON.parse(call.function.arguments)] : [];
	},
};

const anthropic = (apiKey = gateway.emulator.apiKey) => {
	// The client sends a newer version by itself.
	const defaultHeaders = { 'msgapi-version': '2023-06-01' };
	return new Anthropic({ apiKey, baseURL: gateway.emulator.url, maxRetries: 0, defaultHeaders }).messages;
};
const answerOf = ({ content: [block], usage }: Anthropic.Message): Answer => ({
	text: block.type === 'text' ? block.text : undefined,
	outputTokens: usage.output_tokens,
});
const asked = { model: 'sonata-3-large', max_tokens: 300, messages };

const ofAnthropic: Sdk = {
	whole: async (key) => answerOf(await anthropic(key).create(asked)),
	streamed: async () => answerOf(await anthropic().stream(asked).finalMessage()),
	async toolCall() {
		const tools = [{ ...weather, input_schema: parameters }];
		const question = [{ role: 'user' as const, content: WEATHER }];
		const stream = anthropic().stream({ ...asked, messages: question, tools });
		const [block] = (await stream.finalMessage()).content;
		return block.type === 'tool_use' ? [block.name, block.input] : [];
	},
};

const genai = async (apiKey = gateway.emulator.apiKey) => {
	const { GoogleGenAI } = await import('@google/genai');
	// The interface accepts the key only as a bearer token (section 5).
	const headers = { Authorization: `Bearer ${apiKey}` };
	return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.emulator.url, headers } }).models;
};
const content = { model: 'prisma-2-pro', contents: QUESTION };

const ofGenai: Sdk = {
	async whole(key) {
		const { text, usageMetadata } = await (await genai(key)).generateContent(content);
		return { text, outputTokens: usageMetadata?.candidatesTokenCount };
	},
	async streamed() {
		const answer = { text: '', outputTokens: undefined as number | undefined };
		for await (const { text = '', usageMetadata } of await (await genai()).generateContentStream(content)) {
			answer.text += text;
			answer.outputTokens = usageMetadata?.candidatesTokenCount ?? answer.outputTokens;
		}
		return answer;
	},
	async toolCall() {
		const config = { tools: [{ functionDeclarations: [{ ...weather, parametersJsonSchema: parameters }] }] };
		const { functionCalls } = await (
			await genai()
		).generateContent({ ...content, contents: WEATHER, config });
		return [functionCalls?.[0].name, functionCalls?.[0].args];
	},
};

beforeAll(async () => {
	// Google's client looks for Node's dispatcher in the global object, but Jest gives tests their own global object.
	await fetch(gateway.emulator.url);
	const dispatcher = Symbol.for('undici.globalDispatcher.1');
	Object.defineProperty(globalThis, dispatcher, { value: runInThisContext('globalThis')[dispatcher] });
});

describe.each([
	['OpenAI', ofOpenai],
	['Anthropic', ofAnthropic],
	['Google', ofGenai],
])("The emulator's answers for the SDK of %s", (_vendor, sdk) => {
	it('are the same whole and streamed, with the usage', async () => {
		const whole = await sdk.whole();
		expect(whole).toEqual({ text: expect.stringContaining(QUESTION), outputTokens: expect.any(Number) });
		expect(await sdk.streamed()).toEqual(whole);
	});

	it('may be a call of a tool', async () => {
		expect(await sdk.toolCall()).toEqual(['get_weather', { city: 'Oslo' }]);
	});

	it('are errors with their status', async () => {
		await expect(sdk.whole('wrong')).rejects.toMatchObject({ status: 401 });
	});
});
