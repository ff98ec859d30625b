import type { Fault, Standing } from './fault';
import type { Stage } from './world';

/** One request of a world, and what became of it. */
export interface Exchange {
	/** Its place among all requests of the world, from 0. */
	number: number;
	execution: number;
	/** Its try in the execution, from 0. */
	tryNumber: number;
	stage: Stage;
	/** The items that it is for. */
	rows: number[];
	/** What is asked for, each of which is paid for once. */
	units: string[];
	method: string;
	url: string;
	idempotencyKey: string | undefined;
	fault: Fault | undefined;
	/** The request for the song that has failed, as the answer to this poll says. */
	failedSong?: Exchange;
	at: number;
	/** Whether the gateway has charged for it. */
	isPaid: boolean;
	/** What the client knows about it. */
	standing: Standing;
	status: number | null;
	/** True if the gateway refused it for a limit, in whatever words and with whatever status. */
	isLimited: boolean;
	/** What of its answer was sent. */
	sent: Buffer[];
	isComplete: boolean;
	/** When its answer had arrived. */
	endedAt?: number;
}

/** The index of an item, wherever its text appears. */
const MARK = /Row(\d+)-/g;
/** A text that the node sends to find out whether the other ones are the cause of a rejection. */
const PROBE = 'text';

/** The items whose texts appear in something. */
export function rowsIn(text: string): number[] {
	return [...new Set([...text.matchAll(MARK)].map(([, row]) => Number(row)))];
}

/** What a paid request asks for. Texts that share a request count one by one. */
export function unitsOf(method: string, path: string, body: string): string[] {
	if (method === 'GET') return [path];
	// A form, which has one name.
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

/** What was sent of an answer. */
export function sentOf({ sent }: Exchange): Buffer {
	return Buffer.concat(sent);
}

/** The tokens and the cost that an answer reports. */
export function usageIn(exchange: Exchange): { tokens: number; cost: number; hasCost: boolean } {
	const text = sentOf(exchange).toString('latin1');
	const last = (pattern: RegExp) => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
	const total = last(/"total_?tokens?(?:count)?":(\d+)/gi);
	const tokens = total || last(/"input_tokens":(\d+)/g) + last(/"output_tokens":(\d+)/g);
	return { tokens, cost: last(/"cost":([\d.]+)/g), hasCost: text.includes('"cost":') };
}
