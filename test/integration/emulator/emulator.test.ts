import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import axios from 'axios';
import { dialects, toolDialects } from '../../../emulator/dialects';

it('Each dialect has a name of its own, a public source, and routes', () => {
	const all = [...dialects, ...toolDialects];
	expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
	for (const { source, routes } of all) {
		expect(source).toMatch(/^[A-Za-z][^\n:]{3,60}: [^\n]{3,}$/);
		expect(routes).not.toEqual([]);
	}
});

const root = join(__dirname, '..', '..', '..');

describe('Emulator CLI', () => {
	it('serves until it is interrupted', async () => {
		const options = ['--port', '0', '--key', 'my-key', '--rpm', '1'];
		const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'emulator', 'cli.ts'), ...options], {
			cwd: root,
			env: { ...process.env, NODE_OPTIONS: '' },
		});
		const announcement = await new Promise<string>((resolve) => {
			child.stdout.on('data', (chunk) => String(chunk).includes('Base URL') && resolve(String(chunk)));
		});
		expect(announcement).toContain('my-key');
		const client = axios.create({
			baseURL: /http:\/\/127\.0\.0\.1:\d+/.exec(announcement)?.[0],
			headers: { Authorization: 'Bearer my-key' },
			proxy: false,
			validateStatus: () => true,
		});
		expect((await client.get('/v1/models')).status).toBe(200);
		expect((await client.get('/v1/models')).status).toBe(429);
		child.kill('SIGINT');
		expect(await once(child, 'close')).toEqual([0, null]);
		await expect(client.get('/__emulator/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	});
});
