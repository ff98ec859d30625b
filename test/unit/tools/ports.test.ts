import { once } from 'node:events';
import { createServer } from 'node:net';

import { claimPort, findFreePort, openPort } from '../../../tools/host/ports';

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
	const told: string[] = [];
	const { port } = await openPort(wish, openOne, (line) => told.push(line));
	return { port, told };
}

describe('The port of a program', () => {
	it('is the preferred one if it is free, and nothing is told', async () => {
		expect(await open(need, machine([5679]))).toEqual({ port: 5678, told: [] });
	});

	it('is the next free one if the preferred one is in use, told in one line', async () => {
		expect(await open(need, machine([5678, 5679], [5680]))).toEqual({
			port: 5681,
			told: ["Port 5678 is in use, so n8n's editor uses 5681."],
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
