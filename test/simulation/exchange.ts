import type { Fault, Standing } from './fault';
import type { Stage } from './world';

/** One request of a world, and its outcome. */
export interface Exchange {
	/** The position among all requests of the world, from 0. */
	number: number;
	execution: number;
	/** The try within the execution, from 0. */
	tryNumber: number;
	stage: Stage;
	/** The items for which it was sent. */
	rows: number[];
	/** The things that are requested. Each of them must be paid for only once. */
	units: string[];
	method: string;
	url: string;
	idempotencyKey: string | undefined;
	fault: Fault | undefined;
	/** The request for a song that has failed according to the answer to this poll. */
	failedSong?: Exchange;
	at: number;
	/** True if the gateway has charged for it. */
	isPaid: boolean;
	/** The outcome of the request, as far as the client can know it. */
	standing: Standing;
	status: number | null;
	/** True if the gateway refused it because of a limit, in whatever words and with whatever status. */
	isLimited: boolean;
	/** The pieces of the answer that were sent. */
	sent: Buffer[];
	isComplete: boolean;
	/** The time at which its answer had arrived. */
	endedAt?: number;
}

/** Matches the index of an item, wherever its text appears. */
const MARK = /Row(\d+)-/g;
/** A text that the node sends to find out whether the other texts are the cause of a rejection. */
const PROBE = 'text';

/** Returns the items whose texts appear in a text. */
export function rowsIn(text: string): number[] {
	return [...new Set([...text.matchAll(MARK)].map(([, row]) => Number(row)))];
}

/** Returns the things that a paid request asks for. Texts that share a request count individually. */
export function unitsOf(method: string, path: string, body: string): string[] {
	if (method === 'GET') return [path];
	// The body is a form, which contains one name.
	if (!body.startsWith('{')) return [`${path} ${/The Row\d+-\w+/.exec(body)?.[0]}`];
	const { input, documents, query } = JSON.parse(body) as {
		input?: unknown;
		documents?: string[];
		query?: string;
	};
	const texts = documents ?? (path.endsWith('/embeddings') ? [input].flat() : undefined);
	if (!texts) return [`${path} ${body}`];
	return texts.filter((text) => text !== PROBE).map((text) => `${path} ${query ?? ''} ${String(text)}`);
}

/** Returns the part of an answer that was sent. */
export function sentOf({ sent }: Exchange): Buffer {
	return Buffer.concat(sent);
}

/** Returns the tokens and the cost that an answer reports. */
export function usageIn(exchange: Exchange): { tokens: number; cost: number; hasCost: boolean } {
	const text = sentOf(exchange).toString('latin1');
	const last = (pattern: RegExp) => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
	const total = last(/"total_?tokens?(?:count)?":(\d+)/gi);
	const tokens = total || last(/"input_tokens":(\d+)/g) + last(/"output_tokens":(\d+)/g);
	return { tokens, cost: last(/"cost":([\d.]+)/g), hasCost: text.includes('"cost":') };
}
