import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import axios from 'axios';
import { startEmulator } from '../../../emulator';

const root = join(__dirname, '..', '..', '..');
const started: ChildProcess[] = [];

function run(...args: string[]): ChildProcess {
	const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'emulator', 'cli.ts'), ...args], {
		cwd: root,
		env: { ...process.env, NODE_OPTIONS: '' },
	});
	started.push(child);
	return child;
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
	let output = '';
	child.stdout?.on('data', (chunk) => (output += chunk));
	child.stderr?.on('data', (chunk) => (output += chunk));
	const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
	return { code, output };
}

afterAll(() => {
	for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
});

describe('Emulator CLI', () => {
	it('serves until it is interrupted', async () => {
		const child = run('--port', '0', '--key', 'my-key', '--rpm', '1');
		const announcement = await new Promise<string>((resolve) => {
			child.stdout?.on('data', (chunk) => String(chunk).includes('Base URL') && resolve(String(chunk)));
		});
		expect(announcement).toContain('my-key');
		const url = /http:\/\/127\.0\.0\.1:\d+/.exec(announcement)?.[0] ?? '';
		const client = axios.create({
			baseURL: url,
			headers: { Authorization: 'Bearer my-key' },
			proxy: false,
			validateStatus: () => true,
		});
		expect((await client.get('/v1/models')).status).toBe(200);
		expect((await client.get('/v1/models')).status).toBe(429);
		child.kill('SIGINT');
		expect(await ended(child)).toMatchObject({ code: 0 });
		await expect(client.get('/__emulator/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});

	it('is a second address with --v1-only', async () => {
		const child = run('--port', '0', '--v1-only');
		const announcement = await new Promise<string>((resolve) => {
			let text = '';
			child.stdout?.on('data', (chunk) => (text += chunk).includes('Ctrl-C') && resolve(text));
		});
		const [, url] = /^ {2}Alternate Base URL {3}(\S+)$/m.exec(announcement) ?? [];
		const config = {
			headers: { Authorization: 'Bearer emulator-key' },
			proxy: false,
			validateStatus: () => true,
		} as const;
		expect((await axios.get(`${url}/v1/models`, config)).status).toBe(200);
		expect((await axios.get(`${url}/v2/apis/60s`, config)).status).toBe(404);
		child.kill('SIGINT');
		await ended(child);
	});

	it('reports errors and exits with code 1', async () => {
		const taken = await startEmulator();
		try {
			const [port, value, unknown] = await Promise.all([
				ended(run('--port', String(taken.port))),
				ended(run('--latency', 'soon')),
				ended(run('--verbose')),
			]);
			expect(port).toEqual({
				code: 1,
				output: expect.stringContaining(`Port ${taken.port} is already in use`),
			});
			expect(value).toEqual({ code: 1, output: expect.stringContaining('--latency must be a whole number') });
			expect(unknown).toEqual({ code: 1, output: expect.stringContaining('--verbose') });
		} finally {
			await taken.close();
		}
	});
});
