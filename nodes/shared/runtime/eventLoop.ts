/**
 * Resolves in the next turn of the event loop, after pending network traffic has been processed.
 *
 * Each call opens its own channel, because several messages on one channel may be delivered in the same turn.
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
