import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator';

/**
 * An emulator for the tests of a file, with axios as a client that is independent of the nodes, follows no redirects and
 * accepts every status.
 */
export function useGateway(options: EmulatorOptions = {}) {
	let emulator: Emulator;
	let client: AxiosInstance;
	beforeAll(async () => {
		emulator = await startEmulator(options);
		client = axios.create({
			baseURL: emulator.url,
			headers: { Authorization: `Bearer ${emulator.apiKey}` },
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
		});
	});
	afterEach(() => {
		emulator.behaviour.reset();
		emulator.journal.clear();
	});
	afterAll(async () => await emulator.close());
	return {
		get emulator() {
			return emulator;
		},
		get client() {
			return client;
		},
		/** Sends a body with the key; `config` may add headers. */
		post: async (path: string, body: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse> =>
			await client.post(path, body, config),
		get: async (path: string, config?: AxiosRequestConfig): Promise<AxiosResponse> =>
			await client.get(path, config),
	};
}

/** A chat completion request with one user message. */
export function chatBody(text: string, more: object = {}): object {
	return { model: 'aurora-4', messages: [{ role: 'user', content: text }], ...more };
}

/** A request to the messages endpoint, with one user message. */
export function messagesBody(more: object = {}): object {
	return { ...chatBody('Hello'), max_tokens: 100, ...more };
}

/** A request to generate content. */
export function contentsBody(more: object = {}): object {
	return { contents: [{ parts: [{ text: 'Hello' }] }], ...more };
}

/** A speech request. */
export function speechBody(input: string, more: object = {}): object {
	return { model: 'svc-tts', input, voice: 'Sunny', ...more };
}
