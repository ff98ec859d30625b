import { createHash } from 'node:crypto';
import { drawImage, type ImageOrder } from './drawImage';

const keptOrders = 10_000;

/** The produced files, by name. An image is drawn when it is fetched; the newest 10,000 can be. */
export class Shelf {
	private readonly orders = new Map<string, ImageOrder>();

	/** @returns the file's name, always the same for the same order */
	put(order: ImageOrder): string {
		const name = `${createHash('sha256').update(JSON.stringify(order)).digest('hex').slice(0, 24)}.png`;
		this.orders.set(name, order);
		if (this.orders.size > keptOrders) this.orders.delete(this.orders.keys().next().value!);
		return name;
	}

	/** The bytes of a file; undefined when there is none of that name. */
	take(name: string): Buffer | undefined {
		const order = this.orders.get(name);
		return order && drawImage(order);
	}
}
