/** The reason why a port cannot be opened. */
export type Obstacle = 'in use' | 'reserved by the system';

/** A server at an open port, and the reason if it is not the preferred port. */
export interface Opened<T> {
	opened: T;
	obstacle?: Obstacle;
}

/** The number of ports to try, starting with the preferred one. */
const portsToTry = 100;

/** Returns the obstacle that a failed attempt to open a port reports; undefined for any other failure. */
export function obstacleIn(failure: unknown): Obstacle | undefined {
	const { code } = (failure ?? {}) as { code?: unknown };
	if (code === 'EADDRINUSE') return 'in use';
	return code === 'EACCES' ? 'reserved by the system' : undefined;
}

/**
 * Opens a port, or the next one that is free.
 * @param open opens a port; rejects with the system's error
 * @throws the error of the last port if none of the next ports is free
 */
export async function openNextPort<T>(
	preferred: number,
	open: (port: number) => Promise<T>,
): Promise<Opened<T>> {
	const last = Math.min(preferred + portsToTry - 1, 65_535);
	let obstacle: Obstacle | undefined;
	for (let port = preferred; ; port++) {
		try {
			return { opened: await open(port), obstacle };
		} catch (failure) {
			const found = obstacleIn(failure);
			if (!found || port >= last) throw failure;
			obstacle ??= found;
		}
	}
}

/** Returns a line that says why the preferred port is not used. */
export function steppedOver(preferred: number, obstacle: Obstacle, purpose: string, port: number): string {
	return `Port ${preferred} is ${obstacle}, so ${purpose} uses ${port}.`;
}
