import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { RestSession } from '../../../tools/host/restSession';

let n8n: Server;
let statuses: number[];
let received: string[];

beforeEach(async () => {
	received = [];
	n8n = createServer((request, response) => {
		received.push(`${request.method} ${request.url}`);
		const status = statuses.shift() ?? 200;
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(status === 200 ? '{"data":{"id":"7"}}' : '{"message":"Database is not ready!"}');
	});
	await new Promise<void>((listening) => n8n.listen(0, '127.0.0.1', listening));
});

afterEach(() => {
	n8n.close();
	n8n.closeAllConnections();
});

/** A session, and how long it has waited each time. */
function session(): { rest: RestSession; waits: number[] } {
	const { port } = n8n.address() as AddressInfo;
	const waits: number[] = [];
	return { waits, rest: new RestSession(`http://127.0.0.1:${port}`, async (ms) => waits.push(ms)) };
}

describe('A session with n8n', () => {
	it('asks again while the database of n8n is not ready', async () => {
		statuses = [503, 503];
		const { rest, waits } = session();
		expect(await rest.request('POST', '/rest/workflows', { name: 'One' })).toEqual({ id: '7' });
		expect(received).toEqual(Array.from({ length: 3 }, () => 'POST /rest/workflows'));
		expect(waits).toEqual([1000, 1000]);
	});
});
