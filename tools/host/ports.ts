import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { obstacleIn, openNextPort, steppedOver } from '../../emulator/nextPort';
import { Problem } from './problem';

/** A port that a program needs. */
export interface PortNeed {
	/** The port to use if it is free; otherwise, the next free one is used. */
	preferred: number;
	/** The port that the user has chosen. If it is not free, no other port is used. */
	chosen?: number;
	/** The option that chooses the port. */
	flag: string;
	/** The program that needs the port, for messages. */
	purpose: string;
}

/** Opens the port that a program needs, and tells if it is not the preferred one. */
export async function openPort<T extends { port: number }>(
	{ preferred, chosen, flag, purpose }: PortNeed,
	open: (port: number) => Promise<T>,
	tell: (line: string) => void,
): Promise<T> {
	try {
		if (chosen !== undefined) return await open(chosen);
		const { opened, obstacle } = await openNextPort(preferred, open);
		if (obstacle) tell(steppedOver(preferred, obstacle, purpose, opened.port));
		return opened;
	} catch (failure) {
		const obstacle = obstacleIn(failure);
		if (!obstacle) throw failure;
		throw new Problem(
			chosen === undefined
				? `Neither port ${preferred}, which ${purpose} needs, nor any of the next ones is free.`
				: `Port ${chosen}, which ${purpose} needs, is ${obstacle}.`,
			`Choose another port: npm start -- ${flag} NUMBER`,
		);
	}
}

/**
 * Checks that a port of this machine is free.
 *
 * @throws the system's error when it is not
 */
export async function requireFree(port: number): Promise<{ port: number }> {
	// On some systems, the loopback port can be opened although another server listens on all addresses.
	await openOnce(port, '127.0.0.1');
	await openOnce(port);
	return { port };
}

/** Returns a free port of the loopback address. */
export async function findFreePort(): Promise<number> {
	return await openOnce(0, '127.0.0.1');
}

/** Briefly opens a port of this machine; 0 means any free port. Returns its number. */
async function openOnce(port: number, host?: string): Promise<number> {
	const server = createServer();
	server.listen(port, host);
	await once(server, 'listening');
	const { port: opened } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return opened;
}
