/**
 * Resolves in the next turn of the event loop, after network traffic that is ready has been served.
 *
 * Each call opens a channel of its own: messages that follow each other on one channel may all be handed out
 * in the same turn.
 */
export async function nextTurn(): Promise<void> {
	await new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.once('message', () => {
			port1.close();
			resolve();
		});
		port2.postMessage(undefined);
	});
}
