import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startConnectionServer } from './connectionFaults';
import { selfSigned } from './selfSigned';
import { startSwallowingServer } from './swallowingServer';
import { startTlsFront, type TlsFront } from './tlsFront';

/** Addresses at which something fails before HTTP begins, and a foreign host. */
export interface FaultServers {
	/** Nothing listens there. */
	refused: string;
	/** Uses TLS with a certificate that no authority has signed. */
	untrusted: string;
	/** Closes the connection as soon as TLS begins. */
	brokenTls: string;
	/** Neither accepts nor refuses a connection. */
	silent: string;
	/** Another origin that answers every request with JSON. */
	foreign: string;
	/** Emulators behind TLS that breaks after a request. */
	tls: TlsFront;
	/** How many requests reached one of the servers that should receive none. */
	arrived(): number;
	close(): Promise<void>;
}

/** Starts all of them. */
export async function startFaultServers(): Promise<FaultServers> {
	const closed = await startConnectionServer({}, null);
	const untrusted = await startConnectionServer({}, selfSigned('gateway.example'));
	const brokenTls = await startConnectionServer({
		insteadOfHandshake: (connection) => connection.once('data', () => connection.destroy()),
	});
	const foreign = createServer((_request, response) =>
		response.setHeader('content-type', 'application/json').end('{"code":200,"message":"","data":{}}'),
	);
	foreign.listen(0, '127.0.0.1');
	await once(foreign, 'listening');
	const silent = await startSwallowingServer();
	const tls = await startTlsFront();
	await closed.close();
	return {
		tls,
		// The name has several addresses.
		refused: closed.url.replace('localhost', '127.0.0.1'),
		untrusted: untrusted.url,
		brokenTls: brokenTls.url,
		silent: `http://${silent.host}`,
		foreign: `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`,
		arrived: () => untrusted.received(),
		async close() {
			silent.close();
			foreign.close();
			await Promise.all([untrusted.close(), brokenTls.close(), tls.close()]);
		},
	};
}
