import { explainInstallFailure } from '../../tools/host/installFailure';
import { requireFreePort } from '../../tools/host/ports';
import { Problem } from '../../tools/host/problem';
import { CommandFailure } from '../../tools/host/processes';
import { readSettings } from '../../tools/host/settings';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

describe('readSettings', () => {
	it('returns defaults', () => {
		expect(readSettings([], {})).toEqual({ port: 5678, emulatorPort: 4010, once: false, gateway: undefined });
	});

	it('reads the command line and the environment', () => {
		const settings = readSettings(['--once', '--port', '8080', '--emulator-port=8081'], {
			GATEWAY_BASE_URL: 'https://gateway.example',
			GATEWAY_API_KEY: 'secret',
		});
		expect(settings).toEqual({
			port: 8080,
			emulatorPort: 8081,
			once: true,
			gateway: { baseUrl: 'https://gateway.example', apiKey: 'secret' },
		});
	});

	it.each<[string, string[], Record<string, string>, RegExp]>([
		['an unknown option', ['--prot', '1'], {}, /--prot/],
		['an invalid port', ['--port', 'x'], {}, /--port x is not a valid port/],
		['an address without a key', [], { GATEWAY_BASE_URL: 'https://a.example' }, /GATEWAY_API_KEY is not/],
		['a key without an address', [], { GATEWAY_API_KEY: 'secret' }, /GATEWAY_BASE_URL is not/],
		[
			'an invalid address',
			[],
			{ GATEWAY_BASE_URL: 'a.example', GATEWAY_API_KEY: 'x' },
			/not a valid web address/,
		],
	])('rejects %s', (_case, commandLine, environment, message) => {
		expect(() => readSettings(commandLine, environment)).toThrow(message);
	});
});

describe('requireFreePort', () => {
	it('reports a port in use and the option that selects another one', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await once(other, 'listening');
		const { port } = other.address() as AddressInfo;
		const attempt = requireFreePort(port, '--port', 'the editor');
		await expect(attempt).rejects.toThrow(`Port ${port}, which the editor needs, is in use`);
		await expect(attempt).rejects.toMatchObject({ hint: expect.stringContaining('--port') as string });
		other.close();
		await once(other, 'close');
		await requireFreePort(port, '--port', 'the editor');
	});
});

describe('explainInstallFailure', () => {
	const explain = (log: string) =>
		explainInstallFailure(new CommandFailure('npm ci', log, 'the-log')) as Problem;

	it.each([
		[
			'no network',
			'npm error code EAI_AGAIN\nnpm error request to the registry failed',
			/npm registry cannot be reached/,
		],
		['a refused connection', 'npm error code ECONNREFUSED', /npm registry cannot be reached/],
		['a full disk', 'npm error code ENOSPC\nnpm error nospc no space left on device, write', /disk is full/],
		[
			'a full disk while compiling',
			'cc1: error: No space left on device\ngyp ERR! build error',
			/disk is full/,
		],
		[
			'a missing compiler',
			'prebuild-install warn install ENOTFOUND\ngyp ERR! find Python',
			/neither downloaded nor built/,
		],
		[
			'a missing package',
			'npm error code ETARGET\nnpm error notarget No matching version',
			/does not provide/,
		],
		['an untrusted certificate', 'npm error code SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
		['a protected folder', 'npm error code EACCES\nnpm error syscall mkdir', /no permission to write/],
	])('explains %s', (_cause, log, message) => {
		const problem = explain(log);
		expect(problem).toBeInstanceOf(Problem);
		expect(problem.message).toMatch(message);
		expect(problem.hint).toContain('the-log');
	});

	it('includes the last lines of the log when the cause is unknown', () => {
		expect(explain('one\ntwo\nthree\nfour\nfive\nsix').message).toMatch(/\ntwo\nthree\nfour\nfive\nsix$/);
	});

	it('returns other failures unchanged', () => {
		const bug = new TypeError('a bug');
		expect(explainInstallFailure(bug)).toBe(bug);
	});
});
