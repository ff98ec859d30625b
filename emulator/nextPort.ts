/** Why a port cannot be opened. */
export type Obstacle = 'in use' | 'reserved by the system';

/** What was opened, and why it was not opened at the preferred port, if it was not. */
export interface Opened<T> {
	opened: T;
	obstacle?: Obstacle;
}

/** How many ports are tried, from the preferred one on. */
const portsToTry = 100;

/** The obstacle that a failure to open a port reports; undefined for any other failure. */
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

/** Tells in one line that a port was stepped over. */
export function steppedOver(preferred: number, obstacle: Obstacle, purpose: string, port: number): string {
	return `Port ${preferred} is ${obstacle}, so ${purpose} uses ${port}.`;
}
