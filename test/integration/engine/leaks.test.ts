import { Logger } from '@n8n/backend-common';
import axios from 'axios';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchForLeaks } from './leaks';

const KEY = 'canary+key/0123456789=';
let server: Server;
let url: string;

beforeAll(async () => {
	server = createServer((_request, response) => response.end('ok'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const watch = (baseUrl = url) => watchForLeaks({ apiKey: KEY, baseUrl });
const authorized = { headers: { authorization: `Bearer ${KEY}` } };
const withHiddenKey = () =>
	Object.defineProperty(new Error('no'), 'config', { value: { authorized }, enumerable: false });

describe('The watch for leaks', () => {
	it('allows the key at the host of the credential and nowhere else', async () => {
		const own = watch();
		await axios.get(`${url}/v1/models`, authorized);
		expect(() => own.check({})).not.toThrow();

		const foreign = watch('http://gateway.example');
		await axios.get(`${url}/v1/models`, authorized);
		expect(() => foreign.check({})).toThrow(`the headers of a request to ${url}`);

		const inPath = watch();
		await axios.get(`${url}/v1/models?key=${encodeURIComponent(KEY)}`);
		expect(() => inPath.check({})).toThrow(`the path of a request to ${url}`);
	});

	it.each([
		['a text', `Bearer ${KEY}`],
		['an encoded text', encodeURIComponent(KEY)],
		['Base64', Buffer.from(KEY).toString('base64')],
		['a file', Buffer.from(`\0${KEY}`)],
		['a nested value', { one: [{ two: KEY }] }],
		['a hidden property of an error', withHiddenKey()],
		['the cause of an error', new Error('no', { cause: withHiddenKey() })],
	])('finds the key in %s', (_name, value) => {
		expect(() => watch().check({ 'the output': value })).toThrow('The API key leaked into the output');
	});

	it.each<[string, (text: string) => void]>([
		['the console', (text) => console.log(text)],
		['the output', (text) => process.stderr.write(text)],
		['the log', (text) => new Logger({ logging: { level: 'silent' } } as never, {} as never).debug(text)],
	])('finds the key in %s', (_name, say) => {
		const silenced = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
		const quiet = jest.spyOn(console, 'log').mockReturnValue();
		const one = watch();
		const other = watch();
		say(`sent ${KEY}`);
		expect(() => one.check({})).toThrow('the output of the process');
		expect(() => other.check({})).toThrow('the output of the process');
		say(`sent ${KEY} again`);
		const later = watch();
		expect(() => later.check({})).not.toThrow();
		silenced.mockRestore();
		quiet.mockRestore();
	});

	it('ignores a placeholder instead of a key', () => {
		expect(() => watchForLeaks({ apiKey: 'none', baseUrl: url }).check({ text: 'none' })).not.toThrow();
	});
});
