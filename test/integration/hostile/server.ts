import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWERS, send } from './answers';

/** A gateway in a process of its own: the first part of the path names what it answers to everything below. */
const server = createServer((request, response) => {
	request.resume();
	const [, name = ''] = (request.url ?? '').split('/');
	const answer = ANSWERS[decodeURIComponent(name)];
	if (answer) void send(answer, response);
	else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
	process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
