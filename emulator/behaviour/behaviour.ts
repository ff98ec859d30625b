import type { Dialect } from '../dialects/dialect';
import { routeMatcher, type RouteMatcher } from '../routePattern';
import { DialectQueue } from './dialectQueue';
import { FaultQueue, type FaultTarget } from './faultQueue';
import { RequestLimiter } from './requestLimiter';
import {
	type AnswerShape,
	type CompleteRule,
	type Fault,
	type RerankShape,
	type ImageShape,
	type MusicShape,
	type Rule,
	ruleSchema,
	type StreamShape,
} from './rule';
import { Semaphore } from './semaphore';

interface ActiveRule {
	pattern: string;
	matches: RouteMatcher;
	rule: CompleteRule;
	limiter?: RequestLimiter;
	semaphore?: Semaphore;
	faults: FaultQueue;
	dialects: DialectQueue;
	/** The number of answers that have taken their headers from this rule. */
	answers: number;
}

/** Returns a generator of numbers in [0, 1) that repeats its sequence for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** The behavior of the emulator for one request. The limits and capacities of all matching rules apply together. */
export interface Treatment {
	limiters: RequestLimiter[];
	semaphores: Semaphore[];
	stream: StreamShape;
	answer: AnswerShape | undefined;
	rerank: RerankShape;
	images: ImageShape;
	music: MusicShape;
	checkUndocumented: boolean;
	idempotencyHeader: string | undefined;
	/** Returns the headers of the next answer. */
	headers: () => Record<string, string>;
	/** Draws a latency in ms. */
	latencyMs: () => number;
	/** Returns the fault that affects the request and counts it as used. */
	fault: (target: FaultTarget) => Fault | undefined;
	/** Returns the dialects in which the request is answered and counts them as used. */
	dialects: (target: Pick<FaultTarget, 'wantsStream'>) => Dialect[];
}

/**
 * The rules by which the emulator treats requests, by route pattern. They can be changed at any time. If several rules
 * match, the longest pattern determines the latency and the shape of the response, and its faults apply first.
 */
export class Behaviour {
	private rules: ActiveRule[] = [];
	private random = randomNumbers(1);
	/** The value of `checkUndocumented` where no rule sets it. It does not change with the rules. */
	checksUndocumented = false;

	/** @param initial the rules in force at the start and after `reset()` */
	constructor(private readonly initial: Readonly<Record<string, Rule>> = {}) {
		this.reset();
	}

	/**
	 * Sets the rule of a route pattern and replaces its previous rule; the counts of limits and faults restart.
	 * @throws Error when the pattern is malformed or a dialect is unknown, ZodError when the rule is malformed
	 */
	set(pattern: string, rule: Rule): void {
		const matches = routeMatcher(pattern);
		const complete = ruleSchema.parse(rule);
		this.rules = this.rules.filter((other) => other.pattern !== pattern);
		this.rules.push({
			pattern,
			matches,
			rule: complete,
			limiter: complete.limit && new RequestLimiter(complete.limit),
			semaphore: complete.capacity && new Semaphore(complete.capacity),
			faults: new FaultQueue(complete.faults ?? []),
			dialects: new DialectQueue(complete.dialect ?? []),
			answers: 0,
		});
		this.rules.sort((a, b) => b.pattern.length - a.pattern.length);
	}

	/** Restores the initial rules. */
	reset(): void {
		this.rules = [];
		this.random = randomNumbers(1);
		for (const [pattern, rule] of Object.entries(this.initial)) this.set(pattern, rule);
	}

	/**
	 * Replaces all rules.
	 * @throws the same errors as `set`; the current rules then stay in force
	 */
	replace(rules: Readonly<Record<string, Rule>>): void {
		const checked = new Behaviour(rules);
		this.rules = checked.rules;
		this.random = checked.random;
	}

	/** Returns the rules in force by pattern, with their defaults filled in. */
	current(): Record<string, CompleteRule> {
		return Object.fromEntries(this.rules.map(({ pattern, rule }) => [pattern, rule]));
	}

	/** Returns the treatment of a request; `path` excludes the query. */
	treatmentOf(method: string, path: string): Treatment {
		const matching = this.rules.filter(({ matches }) => matches(method, path));
		return {
			limiters: matching.flatMap(({ limiter }) => limiter ?? []),
			semaphores: matching.flatMap(({ semaphore }) => semaphore ?? []),
			stream: matching.reduceRight<StreamShape>((shape, { rule }) => ({ ...shape, ...rule.stream }), {}),
			answer: matching.find(({ rule }) => rule.answer !== undefined)?.rule.answer,
			rerank: matching.reduceRight<RerankShape>((shape, { rule }) => ({ ...shape, ...rule.rerank }), {}),
			images: matching.reduceRight<ImageShape>((shape, { rule }) => ({ ...shape, ...rule.images }), {}),
			music: matching.reduceRight<MusicShape>((shape, { rule }) => ({ ...shape, ...rule.music }), {}),
			checkUndocumented:
				matching.find(({ rule }) => rule.checkUndocumented !== undefined)?.rule.checkUndocumented ??
				this.checksUndocumented,
			idempotencyHeader: matching.find(({ rule }) => rule.idempotencyHeader !== undefined)?.rule
				.idempotencyHeader,
			headers: () => {
				const found = matching.find(({ rule }) => rule.headers !== undefined);
				const headers = found?.rule.headers ?? [{}];
				return headers[Math.min(found ? found.answers++ : 0, headers.length - 1)];
			},
			latencyMs: () => {
				const { latencyMs = 0 } = matching.find(({ rule }) => rule.latencyMs !== undefined)?.rule ?? {};
				if (typeof latencyMs === 'number') return latencyMs;
				const [low, high] = latencyMs;
				return low + this.random() * (high - low);
			},
			fault: (target) => {
				for (const { faults } of matching) {
					const fault = faults.next(target);
					if (fault) return fault;
				}
				return undefined;
			},
			dialects: (target) =>
				matching.find(({ rule }) => rule.dialect !== undefined)?.dialects.next(method, path, target) ?? [],
		};
	}
}
