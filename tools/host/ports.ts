import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { obstacleIn, openNextPort, steppedOver } from '../../emulator/nextPort';
import { errorCode, Problem } from './problem';

/** A free port that no other process of this project takes until it is released. */
export interface PortClaim {
	port: number;
	/** To be called when the program that needs the port has opened it. */
	release(): Promise<void>;
}

/** A port that a program needs. */
export interface PortNeed {
	/** The port to use if it is free; otherwise, the next free one is used. */
	preferred: number;
	/** The port that the user has chosen; it is not replaced. */
	chosen?: number;
	/** The option that chooses the port. */
	flag: string;
	/** What needs the port, for messages. */
	purpose: string;
}

/**
 * A claim is a server at the same port of another loopback address, because the program that needs the port opens it on
 * 127.0.0.1 only seconds later. macOS has no other IPv4 loopback address.
 */
const claimHosts = ['127.0.0.2', '::1'];

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
 * Claims a port of this machine.
 *
 * @throws the system's error when it cannot be opened
 */
export async function claimPort(port: number): Promise<PortClaim> {
	// On some systems, the loopback port can be opened although another server listens on all addresses.
	await openOnce(port, '127.0.0.1');
	await openOnce(port);
	const server = await listenToClaim(port);
	return {
		port,
		release: async () => {
			if (server?.listening) await close(server);
		},
	};
}

/** A free port of the loopback address; it stays claimed until this process ends. */
export async function findFreePort(): Promise<number> {
	for (;;) {
		try {
			const { port } = await claimPort(await openOnce(0, '127.0.0.1'));
			return port;
		} catch (failure) {
			if (!obstacleIn(failure)) throw failure;
		}
	}
}

/** Returns undefined on a machine that has none of the addresses; its ports cannot be claimed. */
async function listenToClaim(port: number): Promise<Server | undefined> {
	for (const host of claimHosts) {
		try {
			const server = await listen(port, host);
			return server.unref();
		} catch (failure) {
			if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errorCode(failure) ?? '')) throw failure;
		}
	}
	return undefined;
}

/** Briefly opens a port of this machine; 0 means any free port. Returns its number. */
async function openOnce(port: number, host?: string): Promise<number> {
	const server = await listen(port, host);
	const { port: openedPort } = server.address() as AddressInfo;
	await close(server);
	return openedPort;
}

async function listen(port: number, host?: string): Promise<Server> {
	const server = createServer();
	server.listen(port, host);
	await once(server, 'listening');
	return server;
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, 'close');
}
