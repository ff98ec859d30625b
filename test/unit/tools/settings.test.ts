import { readSettings } from '../../../tools/host/settings';

describe('Settings of npm start', () => {
	it('returns defaults', () => {
		expect(readSettings([], {})).toEqual({ language: 'en', once: false });
	});

	it('reads the command line and the environment', () => {
		const settings = readSettings(['--once', '--port', '8080', '--emulator-port=8081', '--language', 'zh'], {
			GATEWAY_BASE_URL: 'https://gateway.example',
			GATEWAY_API_KEY: 'secret',
		});
		expect(settings).toEqual({
			port: 8080,
			emulatorPort: 8081,
			language: 'zh',
			once: true,
			gateway: { baseUrl: 'https://gateway.example', apiKey: 'secret' },
		});
	});

	it.each<[string, string[], Record<string, string>, RegExp]>([
		['an unknown option', ['--prot', '1'], {}, /--prot/],
		['an invalid port', ['--port', 'x'], {}, /--port x is not a valid port/],
		['an unknown language', ['--language', 'fr'], {}, /--language fr is not/],
		['an address without a key', [], { GATEWAY_BASE_URL: 'https://a.example' }, /GATEWAY_API_KEY is not/],
		['a key without an address', [], { GATEWAY_API_KEY: 'secret' }, /GATEWAY_BASE_URL is not/],
		['a bad address', [], { GATEWAY_BASE_URL: 'a.example', GATEWAY_API_KEY: 'x' }, /valid web address/],
	])('rejects %s', (_case, commandLine, environment, message) => {
		expect(() => readSettings(commandLine, environment)).toThrow(message);
	});
});
