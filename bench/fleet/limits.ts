/** What a gateway says: accepted, or refused, possibly with a delay in seconds. */
export type Verdict = 'accepted' | { retryAfterMs?: number };

/** The rate limit of a simulated gateway. */
export interface Limit {
	/** How many requests it allows per second. */
	perSecond: number;
	judge(now: number): Verdict;
	/** From now on, it allows `factor` times as much as at first. */
	scale(factor: number): void;
}

/** Which kind of limit a gateway has. */
export interface LimitSettings {
	kind: 'bucket' | 'sliding' | 'fixed';
	requests: number;
	perMs: number;
	retryAfter?: boolean;
}

/** A new rate limit. */
export function limitOf(settings: LimitSettings): Limit {
	const judges = { bucket: bucketOf, sliding: slidingOf, fixed: fixedOf };
	const state = { requests: settings.requests };
	const judge = judges[settings.kind](state, settings.perMs);
	return {
		perSecond: (settings.requests / settings.perMs) * 1000,
		judge: (now) => {
			const waitMs = judge(now);
			if (waitMs === 0) return 'accepted';
			return settings.retryAfter ? { retryAfterMs: Math.ceil(waitMs / 1000) * 1000 } : {};
		},
		scale(factor) {
			state.requests = settings.requests * factor;
			this.perSecond = (state.requests / settings.perMs) * 1000;
		},
	};
}

type Wait = (now: number) => number;

/** Requests use tokens, which return evenly; a full bucket holds those of one second, or of a tenth of a long window. */
function bucketOf(state: { requests: number }, perMs: number): Wait {
	let tokens = Number.POSITIVE_INFINITY;
	let last = 0;
	return (now) => {
		const size = Math.max(1, (state.requests / perMs) * Math.max(1_000, perMs / 10));
		tokens = Math.min(size, tokens + ((now - last) * state.requests) / perMs);
		last = now;
		if (tokens < 1) return ((1 - tokens) * perMs) / state.requests;
		tokens -= 1;
		return 0;
	};
}

/** In any window of this length, this many requests are accepted. */
function slidingOf(state: { requests: number }, perMs: number): Wait {
	const accepted: number[] = [];
	let first = 0;
	return (now) => {
		while (first < accepted.length && accepted[first] <= now - perMs) first += 1;
		if (first > 10_000) {
			accepted.splice(0, first);
			first = 0;
		}
		if (accepted.length - first >= state.requests) return Math.max(1, accepted[first] + perMs - now);
		accepted.push(now);
		return 0;
	};
}

/** In each second, or each minute, this many requests are accepted. */
function fixedOf(state: { requests: number }, perMs: number): Wait {
	let window = 0;
	let count = 0;
	return (now) => {
		const current = Math.floor(now / perMs);
		if (current !== window) [window, count] = [current, 0];
		if (count >= state.requests) return Math.max(1, (current + 1) * perMs - now);
		count += 1;
		return 0;
	};
}
