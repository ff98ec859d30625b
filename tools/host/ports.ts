import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { errorCode, Problem } from './problem';

/** Briefly opens a port of this machine; 0 means any free port. Returns its number. */
async function openOnce(port: number, host?: string): Promise<number> {
	const server = createServer();
	server.listen(port, host);
	await once(server, 'listening');
	const { port: openedPort } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return openedPort;
}

/** A port of the loopback address that is currently free. */
export async function findFreePort(): Promise<number> {
	return await openOnce(0, '127.0.0.1');
}

/**
 * Checks that a port is free before anything slow starts.
 *
 * @param flag the option that selects another port
 * @param purpose what needs the port, for the message
 * @throws Problem naming the port and the flag
 */
export async function requireFreePort(port: number, flag: string, purpose: string): Promise<void> {
	try {
		// On some systems, the loopback port can be opened although another server listens on all addresses.
		await openOnce(port, '127.0.0.1');
		await openOnce(port);
	} catch (failure) {
		const code = errorCode(failure);
		if (code !== 'EADDRINUSE' && code !== 'EACCES') throw failure;
		throw new Problem(
			code === 'EADDRINUSE'
				? `Port ${port}, which ${purpose} needs, is in use by another program.`
				: `Port ${port}, which ${purpose} needs, is reserved by the system.`,
			`Stop that program, or choose another port: npm start -- ${flag} ${port < 65_000 ? port + 1 : port - 1}`,
		);
	}
}
