import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folders } from '../../../tools/host/folders';
import { demoFiles } from '../../../tools/host/language';
import { openPort } from '../../../tools/host/ports';
import { N8nRest } from '../../../tools/host/rest';
import { readSettings } from '../../../tools/host/settings';
import { connectInOrder, manualTrigger } from '../../../tools/host/workflowBuilder';
import { startLocalServer } from '../../localServer';

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

it('The demo saves a workflow with an empty list of pinned data, without which n8n cannot execute a step of it', async () => {
	const saved: unknown[] = [];
	const n8n = await startLocalServer((_request, response, body) => {
		saved.push(JSON.parse(body.toString()));
		response.end('{"data":{"id":"1"}}');
	});
	try {
		const rest = new N8nRest(n8n.url, { node: process.execPath, n8n: __filename, version: '2.0.0' });
		const nodes = [manualTrigger()];
		expect(await rest.saveWorkflow({ name: 'Demo', nodes, connections: connectInOrder(nodes) })).toBe('1');
		expect(saved).toEqual([expect.objectContaining({ name: 'Demo', pinData: {} })]);
	} finally {
		await n8n.close();
	}
});

it('The demo uses no connection to n8n twice, because a busy n8n may close it while a request is on its way', async () => {
	const connections: unknown[] = [];
	const n8n = await startLocalServer((request, response) => {
		connections.push(request.headers.connection);
		response.end('{"data":"answer"}');
	});
	try {
		const rest = new N8nRest(n8n.url, { node: process.execPath, n8n: __filename, version: '2.0.0' });
		expect(await rest.request('GET', '/rest/settings')).toBe('answer');
		expect(await rest.request('POST', '/rest/workflows', {})).toBe('answer');
		expect(connections).toEqual(['close', 'close']);
	} finally {
		await n8n.close();
	}
});
