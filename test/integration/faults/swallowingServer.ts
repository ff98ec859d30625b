import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An address that swallows connections, like a firewall that drops packets. */
export interface SwallowingServer {
	/** Without a scheme. */
	host: string;
	close(): void;
}

/** The queue of connections that nobody accepts holds two; Linux drops the first packets of all others. */
const FILL = 4;
const LISTEN =
	"const server = require('net').createServer();" +
	"server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {" +
	"process.stdout.write(String(server.address().port), () => process.kill(process.pid, 'SIGSTOP')); });";

/** Starts a process that listens, and then does nothing any more. */
export async function startSwallowingServer(): Promise<SwallowingServer> {
	const child = spawn(process.execPath, ['-e', LISTEN], { env: { ...process.env, NODE_OPTIONS: '' } });
	const [output] = (await once(child.stdout, 'data')) as [Buffer];
	const port = Number(output.toString());
	const waiting: Socket[] = [];
	for (let count = 0; count < FILL; count++) {
		waiting.push(connect(port, '127.0.0.1').on('error', () => undefined));
	}
	await once(waiting[0], 'connect');
	return {
		host: `127.0.0.1:${port}`,
		close: () => {
			for (const socket of waiting) socket.destroy();
			child.kill('SIGKILL');
		},
	};
}
