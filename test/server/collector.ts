import { type LocalServer, startLocalServer } from '../localServer';

/** A collector of OpenTelemetry on loopback, for traces that are sent over HTTP. */
export interface Collector extends LocalServer {
	/** Everything that has arrived; the texts in it are as they are. */
	received: string[];
}

/** Starts a collector. */
export async function startCollector(): Promise<Collector> {
	const received: string[] = [];
	const server = await startLocalServer((_request, response, body) => {
		received.push(body.toString());
		response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
	});
	return { ...server, received };
}
