import { toFailure } from '../../shared/errors/gatewayFailure';

/** A regular expression, taken apart. */
export type Expression =
	| { kind: 'character'; fits: (character: string) => boolean }
	| { kind: 'start' | 'end' }
	| { kind: 'sequence' | 'either'; parts: Expression[] }
	| { kind: 'repeat'; part: Expression; least: number; most: number };

/** Looks ahead or back, or refers back: following all possibilities at once cannot do that. */
class Unsupported extends Error {}

/** What stands for one character: an escape sequence, or a set in brackets. */
const ESCAPE =
	/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^bBk1-9])/uy;
const SET = /\[(?:[^\]\\]|\\.)*\]/suy;
const GROUP = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/uy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy;

const UNLIMITED = Number.POSITIVE_INFINITY;
const REPETITIONS: Record<string, [least: number, most: number]> = {
	'*': [0, UNLIMITED],
	'+': [1, UNLIMITED],
	'?': [0, 1],
};

/**
 * Takes a regular expression with the flag `u` apart.
 *
 * @param source must be valid
 * @returns undefined for one that looks ahead or back or refers back
 */
export function parseExpression(source: string): Expression | undefined {
	try {
		return new Parser(source).either();
	} catch (error) {
		if (error instanceof Unsupported || error instanceof RangeError) return undefined;
		throw toFailure(error);
	}
}

class Parser {
	private at = 0;

	constructor(private readonly source: string) {}

	either(): Expression {
		const parts = [this.sequence()];
		while (this.take('|')) parts.push(this.sequence());
		return parts.length === 1 ? parts[0] : { kind: 'either', parts };
	}

	private sequence(): Expression {
		const parts: Expression[] = [];
		while (this.at < this.source.length && !'|)'.includes(this.source[this.at])) parts.push(this.repeated());
		return { kind: 'sequence', parts };
	}

	private repeated(): Expression {
		const part = this.part();
		const [quantifier, sign, least, comma, most] = this.match(QUANTIFIER) ?? [];
		if (quantifier === undefined) return part;
		if (sign) return { kind: 'repeat', part, least: REPETITIONS[sign][0], most: REPETITIONS[sign][1] };
		const end = most ? Number(most) : comma ? UNLIMITED : Number(least);
		return { kind: 'repeat', part, least: Number(least), most: end };
	}

	private part(): Expression {
		if (this.take('^')) return { kind: 'start' };
		if (this.take('$')) return { kind: 'end' };
		if (this.source[this.at] === '(') return this.group();
		const [set] = this.match(SET) ?? this.match(ESCAPE) ?? [];
		if (set !== undefined) return oneOf(set);
		if (this.source[this.at] === '\\') throw new Unsupported();
		if (this.take('.')) return oneOf('.');
		const literal = String.fromCodePoint(this.source.codePointAt(this.at)!);
		this.at += literal.length;
		return { kind: 'character', fits: (character) => character === literal };
	}

	private group(): Expression {
		if (!this.match(GROUP)) throw new Unsupported();
		const inner = this.either();
		this.take(')');
		return inner;
	}

	private take(character: string): boolean {
		if (this.source[this.at] !== character) return false;
		this.at += 1;
		return true;
	}

	private match(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.source);
		if (found) this.at = pattern.lastIndex;
		return found ?? undefined;
	}
}

function oneOf(set: string): Expression {
	const pattern = new RegExp(`^${set}$`, 'u');
	return { kind: 'character', fits: (character) => pattern.test(character) };
}
