import type { Ledger } from '../send/ledger';

/** How much of the names of models is passed on: they may be anything that an item contains. */
const MAX_LENGTH = 200;

/** The attributes of a run in n8n's traces. Those of tokens and costs have the names that n8n gives them. */
export type Trace = Record<string, string | number>;

/** What a run has done; nothing of what users or models have written. */
export function traceOf({ models, tokens, cost, requests, retries, waitedMs }: Ledger): Trace {
	return {
		'gateway.model': [...models].join(', ').slice(0, MAX_LENGTH),
		'gateway.requests': requests,
		'gateway.retries': retries,
		'gateway.waited_ms': Math.round(waitedMs),
		'llm.tokens.in': tokens.input,
		'llm.tokens.out': tokens.output,
		'llm.tokens.total': tokens.input + tokens.output,
		'llm.cost.total': cost,
	};
}

/** What has been done since an earlier moment. */
export function since(now: Trace, earlier: Trace): Trace {
	const grown = Object.entries(now).map(([name, value]) => [
		name,
		typeof value === 'number' ? value - Number(earlier[name] ?? 0) : value,
	]);
	return Object.fromEntries(grown) as Trace;
}
