import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { type Emulator, startEmulator } from '../../../emulator';

/**
 * Starts an emulator for the tests of a file, with axios as a client that is independent of the nodes. The client
 * follows no redirects and accepts every status.
 */
export function useGateway() {
	let emulator: Emulator;
	let client: AxiosInstance;
	beforeAll(async () => {
		emulator = await startEmulator();
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
		post: async (path: string, body: unknown, config?: AxiosRequestConfig): Promise<AxiosResponse> =>
			await client.post(path, body, config),
		get: async (path: string, config?: AxiosRequestConfig): Promise<AxiosResponse> =>
			await client.get(path, config),
	};
}
