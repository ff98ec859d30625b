import { asRecord } from '../plain/values';
import type { Endpoint } from './endpoints';

/** Longer names are cut: they may be anything that an item contains. */
const MAX_LENGTH = 200;

/** What tells the rate limits of a gateway apart: the endpoint, and the model in the body if the path does not name it. */
export function laneKeyOf({ method, path, lane = path }: Endpoint, json: unknown): string {
	const model = asRecord(json)?.model;
	const key = `${method} ${lane}`;
	return (typeof model === 'string' ? `${key} ${model}` : key).slice(0, MAX_LENGTH);
}
