import type { Rest } from '../pacing/semaphore';
import { hashOf } from './paidIdentity';

/** The answer to a request, and whether something else has paid for it. */
interface Answered {
	value: unknown;
	isReused: boolean;
}

/** Equal requests of one run, which share the answer to the first of them if the user wants that. */
export class EqualRequests {
	/** Items that got the answer to the request of another one. */
	readonly items = new Set<number>();
	private readonly first = new Map<string, Promise<Answered>>();

	constructor(private readonly isOn: boolean) {}

	/**
	 * Sends a request, unless an equal one was sent.
	 *
	 * @param identity returns text that says what the request asks for
	 * @param rest waits without the slot of the item, which the first request may need for its next attempt
	 * @throws what the first one throws
	 */
	async once<T extends Answered>(
		items: number[],
		identity: () => string,
		send: () => Promise<T>,
		rest: Rest = async (wait) => await wait(),
	): Promise<T> {
		if (!this.isOn) return await send();
		const key = hashOf(identity());
		const first = this.first.get(key) as Promise<T> | undefined;
		if (!first) {
			const sending = send();
			this.first.set(key, sending);
			return await sending;
		}
		await rest(async () => void (await Promise.allSettled([first])));
		const paid = await first;
		for (const item of items) this.items.add(item);
		return { ...paid, value: copyOf(paid.value), isReused: true };
	}
}

/** Items must not have objects in common, which a later node may change in one of them. */
function copyOf<T>(value: T): T {
	if (Array.isArray(value)) return value.map(copyOf) as T;
	const isPlain = typeof value === 'object' && value !== null && value.constructor === Object;
	if (!isPlain) return value;
	const entries = Object.entries(value).map(([key, inner]) => [key, copyOf<unknown>(inner)]);
	return Object.fromEntries(entries) as T;
}
