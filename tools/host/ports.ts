import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { errorCode, Problem } from './problem';

/** Opens a port of this machine for a moment; 0 asks for any free one. Returns its number. */
async function openOnce(port: number, host?: string): Promise<number> {
	const server = createServer();
	server.listen(port, host);
	await once(server, 'listening');
	const taken = (server.address() as AddressInfo).port;
	server.close();
	await once(server, 'close');
	return taken;
}

/** A port of the loopback address that nothing uses now. */
export async function findFreePort(): Promise<number> {
	return await openOnce(0, '127.0.0.1');
}

/**
 * Makes sure that a port can be used, before anything slow begins.
 *
 * @param flag the option that chooses another port
 * @param purpose who wants it, for the message
 * @throws Problem naming the port and the flag
 */
export async function requireFreePort(port: number, flag: string, purpose: string): Promise<void> {
	try {
		// A server on all addresses does not everywhere stop a second one on the loopback address, so try both.
		await openOnce(port, '127.0.0.1');
		await openOnce(port);
	} catch (failure) {
		const code = errorCode(failure);
		if (code !== 'EADDRINUSE' && code !== 'EACCES') throw failure;
		throw new Problem(
			code === 'EADDRINUSE'
				? `Port ${port}, which ${purpose} needs, is taken by another program.`
				: `Port ${port}, which ${purpose} needs, is reserved by the system.`,
			`Stop that program, or choose another port: npm start -- ${flag} ${port < 65_000 ? port + 1 : port - 1}`,
		);
	}
}
