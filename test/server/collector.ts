import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of OpenTelemetry on loopback, for traces that are sent over HTTP. */
export interface Collector {
	url: string;
	/** Everything that has arrived; the texts in it are as they are. */
	received: string[];
	close(): Promise<void>;
}

/** Starts a collector. */
export async function startCollector(): Promise<Collector> {
	const received: string[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			received.push(Buffer.concat(chunks).toString());
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
