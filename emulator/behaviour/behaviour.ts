import { routeMatcher, type RouteMatcher } from '../routePattern';
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
import { Workplaces } from './workplaces';

interface ActiveRule {
	pattern: string;
	matches: RouteMatcher;
	rule: CompleteRule;
	limiter?: RequestLimiter;
	workplaces?: Workplaces;
	faults: FaultQueue;
}

/** A small generator of numbers in [0, 1), the same sequence for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** What the rules say about one request. Limits and capacities of all matching rules hold together. */
export interface Treatment {
	limiters: RequestLimiter[];
	workplaces: Workplaces[];
	stream: StreamShape;
	answer: AnswerShape | undefined;
	rerank: RerankShape;
	images: ImageShape;
	music: MusicShape;
	acceptUnknownFields: boolean;
	/** Draws the latency, in ms. */
	latencyMs: () => number;
	/** The fault that hits the request; counts it as used. */
	fault: (target: FaultTarget) => Fault | undefined;
}

/**
 * How the emulator treats requests, per route pattern and changeable at any time. Where several rules match, the
 * longest pattern decides about latency and the shape of answers, and its faults come first.
 */
export class Behaviour {
	private rules: ActiveRule[] = [];
	private random = randomNumbers(1);

	/** @param initial the rules that hold at the start and after `reset()` */
	constructor(private readonly initial: Readonly<Record<string, Rule>> = {}) {
		this.reset();
	}

	/**
	 * Gives a route pattern its rule, in place of the one it had; counts of limits and faults start anew.
	 * @throws Error when the pattern is malformed, ZodError when the rule is
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
			workplaces: complete.capacity && new Workplaces(complete.capacity),
			faults: new FaultQueue(complete.faults ?? []),
		});
		this.rules.sort((a, b) => b.pattern.length - a.pattern.length);
	}

	/** Back to the rules of the start. */
	reset(): void {
		this.rules = [];
		this.random = randomNumbers(1);
		for (const [pattern, rule] of Object.entries(this.initial)) this.set(pattern, rule);
	}

	/**
	 * Puts other rules in place of all that hold.
	 * @throws like `set`, and then leaves everything as it was
	 */
	replace(rules: Readonly<Record<string, Rule>>): void {
		const checked = new Behaviour(rules);
		this.rules = checked.rules;
		this.random = checked.random;
	}

	/** The rules in force, with their defaults filled in, by pattern. */
	current(): Record<string, CompleteRule> {
		return Object.fromEntries(this.rules.map(({ pattern, rule }) => [pattern, rule]));
	}

	/** What holds for a request; `path` is without the query. */
	treatmentOf(method: string, path: string): Treatment {
		const matching = this.rules.filter(({ matches }) => matches(method, path));
		return {
			limiters: matching.flatMap(({ limiter }) => limiter ?? []),
			workplaces: matching.flatMap(({ workplaces }) => workplaces ?? []),
			stream: matching.reduceRight<StreamShape>((shape, { rule }) => ({ ...shape, ...rule.stream }), {}),
			answer: matching.find(({ rule }) => rule.answer !== undefined)?.rule.answer,
			rerank: matching.reduceRight<RerankShape>((shape, { rule }) => ({ ...shape, ...rule.rerank }), {}),
			images: matching.reduceRight<ImageShape>((shape, { rule }) => ({ ...shape, ...rule.images }), {}),
			music: matching.reduceRight<MusicShape>((shape, { rule }) => ({ ...shape, ...rule.music }), {}),
			acceptUnknownFields:
				matching.find(({ rule }) => rule.acceptUnknownFields !== undefined)?.rule.acceptUnknownFields ??
				false,
			latencyMs: () => {
				const latency = matching.find(({ rule }) => rule.latencyMs !== undefined)?.rule.latencyMs ?? 0;
				if (typeof latency === 'number') return latency;
				const [low, high] = latency;
				return low + this.random() * (high - low);
			},
			fault: (target) => {
				for (const { faults } of matching) {
					const fault = faults.next(target);
					if (fault) return fault;
				}
				return undefined;
			},
		};
	}
}
