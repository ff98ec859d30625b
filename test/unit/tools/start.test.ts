import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runningLines } from '../../../tools/host/closing';
import { DemoExamples } from '../../../tools/host/demoExamples';
import { folders } from '../../../tools/host/folders';
import { explainInstallFailure } from '../../../tools/host/installFailure';
import { demoFiles } from '../../../tools/host/language';
import type { Execution, NodeRun } from '../../../tools/host/n8nTypes';
import { claimPort, findFreePort, openPort } from '../../../tools/host/ports';
import { Problem } from '../../../tools/host/problem';
import { CommandFailure } from '../../../tools/host/processes';
import type { N8nRest } from '../../../tools/host/rest';
import { readSettings } from '../../../tools/host/settings';
import { readState } from '../../../tools/host/state';

describe('Settings of npm start', () => {
	it('are defaults, or those of the command line and the environment', () => {
		expect(readSettings([], {})).toEqual({ language: 'en', once: false });
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

it.each([
	['en', 'morning-show.json', 'README.md', 'npm start\n'],
	['zh', 'morning-show.zh-CN.json', 'docs/zh-CN/README.md', '-- --language zh\n'],
] as const)(
	'The demo in %s has the examples of that language, the morning show first, as its README says',
	(language, first, readme, command) => {
		const files = ['agents.json', 'morning-show.json', 'morning-show.zh-CN.json', 'songs.json'];
		expect(demoFiles(files, language)).toEqual([first, 'agents.json', 'songs.json']);
		expect(readFileSync(path.join(folders.project, readme), 'utf8')).toContain(command);
	},
);

it('The last lines of a demo that runs have its addresses, its audio, and the sign-in', () => {
	const url = 'http://127.0.0.1:5679/workflow/abc';
	const show = { url, execution: `${url}/executions/7`, audio: 'demo/output/morning-show.mp3' };
	const owner = { email: 'demo@n8n.example', password: 'secret' };
	const lines = runningLines({ succeeded: ['Show'], failed: [] }, show, owner, true, 42_000);
	for (const words of ['All 1 examples succeeded after 42 s', ...Object.values({ ...show, ...owner })]) {
		expect(lines).toMatch(new RegExp(`^.*${words}\\b`, 'm'));
	}
});

it.each([
	['a complete file', '{"pid": 7}', { pid: 7 }],
	['an empty file', '', undefined],
	['a file that was cut off', '{"pid": ', undefined],
	['no file', undefined, undefined],
])('The state of the demo is read from %s', async (_what, content, expected) => {
	const file = path.join(await mkdtemp(path.join(tmpdir(), 'state-')), 'state.json');
	if (content !== undefined) await writeFile(file, content);
	expect(await readState(file)).toEqual(expected);
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

const example = { workflowId: 'abc', name: 'Some example', start: { trigger: 'Start' } };
const ran = (items: number, error?: NodeRun['error']): NodeRun[] => [
	{ executionTime: 1, error, data: { main: [Array.from({ length: items }, () => ({}))] } },
];
const success: Execution = { id: '1', status: 'success', runData: { Start: ran(1), Last: ran(5) } };
const failure: Execution = {
	id: '1',
	status: 'error',
	runData: { Start: ran(1), Last: ran(0, { message: 'No such model.', description: 'Select another.' }) },
};

function demo(runWorkflow: () => Promise<Execution>) {
	const rest = { url: 'http://127.0.0.1:5679', runWorkflow, publish: async () => undefined };
	return new DemoExamples(rest as unknown as N8nRest, tmpdir(), false);
}

describe('An example of the demo', () => {
	let printed: string;

	beforeEach(() => {
		printed = '';
		jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
			printed += String(text);
			return true;
		});
	});
	afterEach(() => jest.restoreAllMocks());

	/** The output without control characters of a terminal; durations are not of interest. */
	const lines = () =>
		printed
			.split('\n')
			.map((line) => line.replace(/^.*\r|\d+ ms$/g, '').trimEnd())
			.filter((line) => line !== '');

	it('takes one line with its items, and has the reason and its address if it fails', async () => {
		const results = [success, failure];
		const examples = demo(async () => results.shift()!);
		await examples.run(example);
		await examples.run(example);
		expect(lines().slice(-5)).toEqual([
			'  Some example … 5 items,',
			'  Some example … failed after',
			'    Last: No such model.',
			'    Select another.',
			'    Open it in the editor: http://127.0.0.1:5679/workflow/abc',
		]);
		expect(examples.tally).toEqual({ succeeded: ['Some example'], failed: ['Some example'] });
	});
});
