import { type Expression, parseExpression } from './expression';

/** A place in an expression: what the next character must be, or where to go without one. */
type Place =
	| { kind: 'character'; fits: (character: string) => boolean; next: number }
	| { kind: 'either'; next: number[] }
	| { kind: 'start' | 'end'; next: number }
	| { kind: 'match' };

/** All places that may have been reached. */
interface Reached {
	places: number[];
	isMatch: boolean;
	/** What each character leads to, as far as it has occurred. */
	next: Map<string, Reached>;
}

/** A larger expression is not checked. */
const MAX_PLACES = 2_000;
/** For all patterns and texts of a value: some expressions reach other places with almost every character. */
const MAX_VISITS = 150_000;

/** The patterns of a schema while a value is checked. */
export class Patterns {
	private readonly known = new Map<string, Pattern | undefined>();
	private readonly budget: Budget = { visits: MAX_VISITS };

	/**
	 * Whether a pattern fits somewhere in a text.
	 *
	 * @returns undefined for a pattern that is not checked, `too long` when it would take too much time
	 */
	fits(source: string, text: string): boolean | undefined | 'too long' {
		if (!this.known.has(source)) this.known.set(source, Pattern.of(source, this.budget));
		return this.known.get(source)?.test(text);
	}
}

/** How many more places may be visited. */
interface Budget {
	visits: number;
}

/**
 * A regular expression of a JSON Schema. The engine's own regular expressions may take exponential time for a text, and
 * the texts come from a model; this one takes time in proportion to their length, because it follows all possibilities
 * at once.
 */
export class Pattern {
	private readonly places: Place[] = [];
	private readonly first: number;
	private readonly remembered = new Map<string, Reached>();

	private constructor(
		expression: Expression,
		private readonly budget: Budget,
	) {
		this.first = this.add(expression, this.place({ kind: 'match' }));
	}

	/**
	 * @param source a valid regular expression
	 * @returns undefined for one that looks ahead or back, refers back, or is very large
	 */
	static of(source: string, budget: Budget = { visits: MAX_VISITS }): Pattern | undefined {
		const expression = parseExpression(source);
		if (!expression) return undefined;
		const pattern = new Pattern(expression, budget);
		return pattern.isSmall ? pattern : undefined;
	}

	private get isSmall(): boolean {
		return this.places.length <= MAX_PLACES;
	}

	/** Whether the expression fits somewhere in the text. */
	test(text: string): boolean | 'too long' {
		let reached = this.reach([this.first], { isStart: true });
		for (const character of text) {
			if (reached.isMatch) return true;
			if (this.budget.visits < 0) return 'too long';
			reached = this.after(reached, character);
		}
		return reached.isMatch || this.reach(reached.places, { isStart: text === '', isEnd: true }).isMatch;
	}

	private after(reached: Reached, character: string): Reached {
		const known = reached.next.get(character);
		if (known) return known;
		// The expression may also begin here.
		const places = [this.first];
		for (const index of reached.places) {
			const place = this.places[index];
			if (place.kind === 'character' && place.fits(character)) places.push(place.next);
		}
		const next = this.reach(places, {});
		reached.next.set(character, next);
		return next;
	}

	/** Follows everything that needs no character. */
	private reach(from: number[], at: { isStart?: boolean; isEnd?: boolean }): Reached {
		const seen = new Set<number>();
		const left = [...from];
		let isMatch = false;
		for (let index = left.pop(); index !== undefined; index = left.pop()) {
			if (seen.has(index)) continue;
			seen.add(index);
			this.budget.visits -= 1;
			const place = this.places[index];
			if (place.kind === 'match') isMatch = true;
			else if (place.kind === 'either') left.push(...place.next);
			else if ((place.kind === 'start' && at.isStart) || (place.kind === 'end' && at.isEnd)) {
				left.push(place.next);
			}
		}
		const places = [...seen].filter((index) => ['character', 'end'].includes(this.places[index].kind));
		return this.remember({ places, isMatch, next: new Map() });
	}

	private remember(reached: Reached): Reached {
		const key = `${reached.isMatch} ${reached.places.sort((one, other) => one - other).join()}`;
		const known = this.remembered.get(key);
		if (known) return known;
		this.remembered.set(key, reached);
		return reached;
	}

	/** @returns the place where the expression begins, after which `next` follows */
	private add(expression: Expression, next: number): number {
		if (!this.isSmall) return next;
		switch (expression.kind) {
			case 'character':
				return this.place({ ...expression, next });
			case 'start':
			case 'end':
				return this.place({ kind: expression.kind, next });
			case 'sequence':
				return expression.parts.reduceRight((after, part) => this.add(part, after), next);
			case 'either':
				return this.place({ kind: 'either', next: expression.parts.map((part) => this.add(part, next)) });
			case 'repeat':
				return this.repeat(expression, next);
		}
	}

	private repeat({ part, least, most }: Expression & { kind: 'repeat' }, next: number): number {
		let begin = next;
		if (most === Number.POSITIVE_INFINITY) {
			const choices = [next];
			begin = this.place({ kind: 'either', next: choices });
			choices.push(this.add(part, begin));
		} else {
			for (let time = most - least; time > 0 && this.isSmall; time--) {
				begin = this.place({ kind: 'either', next: [next, this.add(part, begin)] });
			}
		}
		for (let time = least; time > 0 && this.isSmall; time--) {
			const before = begin;
			begin = this.add(part, before);
			// An empty part stays empty, however often it is repeated.
			if (begin === before) break;
		}
		return begin;
	}

	private place(place: Place): number {
		return this.places.push(place) - 1;
	}
}
