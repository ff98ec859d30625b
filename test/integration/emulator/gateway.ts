import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator';

/** An emulator with axios as a client that is independent of the nodes, follows no redirects and accepts every status. */
export interface Gateway {
	emulator: Emulator;
	client: AxiosInstance;
	/** Sends a body with the key; `config` may add headers. */
	post(path: string, body: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse>;
	get(path: string, config?: AxiosRequestConfig): Promise<AxiosResponse>;
}

/** Starts an emulator before the tests of a file and resets it after each of them. */
export function useGateway(options: EmulatorOptions = {}): Gateway {
	const parts: { emulator?: Emulator; client?: AxiosInstance } = {};
	beforeAll(async () => {
		parts.emulator = await startEmulator(options);
		parts.client = axios.create({
			baseURL: parts.emulator.url,
			headers: { Authorization: `Bearer ${parts.emulator.apiKey}` },
			maxRedirects: 0,
			proxy: false,
			validateStatus: () => true,
		});
	});
	afterEach(() => {
		parts.emulator?.behaviour.reset();
		parts.emulator?.journal.clear();
	});
	afterAll(() => parts.emulator?.close());
	const started = <Part>(part: Part | undefined): Part => {
		if (part === undefined) throw new Error('The emulator starts before the first test, not earlier.');
		return part;
	};
	return {
		get emulator() {
			return started(parts.emulator);
		},
		get client() {
			return started(parts.client);
		},
		post: (path, body, config) => started(parts.client).post(path, body, config),
		get: (path, config) => started(parts.client).get(path, config),
	};
}

/** A chat completion request with one user message. */
export function chatBody(text: string, more: object = {}): object {
	return { model: 'aurora-4', messages: [{ role: 'user', content: text }], ...more };
}

/** A speech request. */
export function speechBody(input: string, more: object = {}): object {
	return { model: 'svc-tts', input, voice: 'Sunny', ...more };
}
