import { readFileSync } from 'node:fs';
import path from 'node:path';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readSettings } from '../../../tools/host/settings';
import { folders } from '../../../tools/host/folders';
import { demoFiles } from '../../../tools/host/language';
import { onceLines, runningLines } from '../../../tools/host/closing';
import { readState } from '../../../tools/host/state';
import { explainInstallFailure } from '../../../tools/host/installFailure';
import { Problem } from '../../../tools/host/problem';
import { CommandFailure } from '../../../tools/host/processes';
import { claimPort, findFreePort, openPort } from '../../../tools/host/ports';

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

const files = ['agents.json', 'morning-show.json', 'morning-show.zh-CN.json', 'songs.json'];

describe('Examples of the demo', () => {
	it('are the English ones by default, the morning show first', () => {
		expect(demoFiles(files, 'en')).toEqual(['morning-show.json', 'agents.json', 'songs.json']);
	});

	it('are the Chinese ones where there are any, the morning show first', () => {
		expect(demoFiles(files, 'zh')).toEqual(['morning-show.zh-CN.json', 'agents.json', 'songs.json']);
	});

	it.each([
		['README.md', 'npm ci && npm start\n'],
		['docs/zh-CN/README.md', 'npm ci && npm start -- --language zh\n'],
	])('speak the language of %s', (readme, command) => {
		expect(readFileSync(path.join(folders.project, readme), 'utf8')).toContain(command);
	});
});

const owner = { email: 'demo@n8n.example', password: 'secret' };
const audio = 'demo/output/morning-show.mp3';
const logFile = 'demo/.state/logs/n8n.log';
const all = { succeeded: ['Morning show', 'Classify rows'], failed: [] };
const url = 'http://127.0.0.1:5679/workflow/abc';
const execution = `${url}/executions/7`;

describe('The last lines of a demo that runs', () => {
	it('are the addresses of the show and its results, its audio, the sign-in, and one next step', () => {
		expect(runningLines(all, { url, execution, audio }, owner, true, 42_000)).toBe(
			`All 2 examples succeeded after 42 s.

  Show      http://127.0.0.1:5679/workflow/abc
  Results   http://127.0.0.1:5679/workflow/abc/executions/7
  Audio     demo/output/morning-show.mp3
  Sign in   demo@n8n.example
  Password  secret

Next step: open the address of the show, sign in, and click Execute workflow. Ctrl-C stops the demo.`,
		);
	});
});

describe('The last lines of --once', () => {
	it('say how it went and that nothing runs any more', () => {
		expect(onceLines(all, audio, logFile, true, 42_000)).toBe(
			`All 2 examples succeeded in 42 s; the audio of the show is demo/output/morning-show.mp3.
n8n and the emulator have stopped; npm start keeps them running.`,
		);
	});
});

describe('State of the demo', () => {
	it.each([
		['a complete file', '{"pid": 7}', { pid: 7 }],
		['an empty file', '', undefined],
		['a file that was cut off', '{"pid": ', undefined],
	])('is read from %s', async (_, content, expected) => {
		const file = path.join(await mkdtemp(path.join(tmpdir(), 'state-')), 'state.json');
		await writeFile(file, content);
		expect(await readState(file)).toEqual(expected);
	});

	it('is empty without a file', async () => {
		expect(await readState(path.join(tmpdir(), 'none', 'state.json'))).toBeUndefined();
	});
});

describe('explainInstallFailure', () => {
	const explain = (log: string) =>
		explainInstallFailure(new CommandFailure('npm ci', log, 'the-log')) as Problem;

	it.each([
		['no network', 'npm error code EAI_AGAIN\nnpm error request failed', /registry cannot be reached/],
		['a full disk', 'npm error code ENOSPC\nnpm error nospc no space left on device, write', /disk is full/],
		['a missing compiler', 'prebuild-install warn ENOTFOUND\ngyp ERR! find Python', /neither downloaded nor/],
		['an untrusted certificate', 'npm error code SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
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

const need = { preferred: 5678, flag: '--port', purpose: "n8n's editor" };

/** Opens the ports that are in no list; the others fail as on this machine. */
function machine(inUse: number[], reserved: number[] = []) {
	return async (port: number) => {
		if (inUse.includes(port)) throw Object.assign(new Error('listen'), { code: 'EADDRINUSE' });
		if (reserved.includes(port)) throw Object.assign(new Error('listen'), { code: 'EACCES' });
		return { port };
	};
}

async function open(
	wish: typeof need & { chosen?: number },
	openOne: (port: number) => Promise<{ port: number }>,
) {
	const said: string[] = [];
	const { port } = await openPort(wish, openOne, (line) => said.push(line));
	return { port, said };
}

describe('The port of a program', () => {
	it('is the preferred one if it is free, and nothing is said', async () => {
		expect(await open(need, machine([5679]))).toEqual({ port: 5678, said: [] });
	});

	it('is the next free one if the preferred one is in use, said in one line', async () => {
		expect(await open(need, machine([5678, 5679], [5680]))).toEqual({
			port: 5681,
			said: ["Port 5678 is in use, so n8n's editor uses 5681."],
		});
	});

	it.each([
		['in use', machine([8080])],
		['reserved by the system', machine([], [8080])],
	])('is never another one than the one that was chosen: %s', async (obstacle, openOne) => {
		await expect(open({ ...need, chosen: 8080 }, openOne)).rejects.toMatchObject({
			message: `Port 8080, which n8n's editor needs, is ${obstacle}.`,
			hint: 'Choose another port: npm start -- --port NUMBER',
		});
	});
});

describe('A claimed port', () => {
	it('can be opened by the program that needs it, and claimed by no one else until it is released', async () => {
		const port = await findFreePort();
		// A free port is claimed already.
		await expect(claimPort(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
		const program = createServer().listen(port, '127.0.0.1');
		await once(program, 'listening');
		program.close();
		await once(program, 'close');
	});
});
