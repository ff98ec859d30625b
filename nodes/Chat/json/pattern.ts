/** What checking one value may take, about a second. */
export const MAX_STEPS = 30_000_000;

/** Of a pattern, and of the characters that it demands. */
const MAX_LENGTH = 2_000;
/** Texts of this length must be possible. */
const USUAL_LENGTH = 100;

const UNLIMITED = Number.POSITIVE_INFINITY;

/** A set in brackets or an escape sequence, which stands for one character. References are not among them. */
const SET = String.raw`\[(?:[^\]\\]|\\.)*\]?|\\(?:[pPu]\{[^}]*\}|[^k1-9])`;
/** As in `[a-z]+(-[a-z]+)*`: a character, and a set that is repeated. */
const SEPARATED = new RegExp(
	String.raw`\((?:\?:)?([^\w\\()[\]{}|*+?.^$]|\\[\\^$.*+?()[\]{}|/])(${SET})[*+]\)[*+]`,
	'gsu',
);
const UNSUPPORTED = /\\|\(\?(?!:|<[^=!])/;
const TOKEN = /\((?:\?:|\?<[^>]*>)?|[*+?]\??|\{(\d+)(?:(,)(\d*))?\}\??|[^]/gu;

/** How many steps a pattern takes. */
interface Form {
	/** The ways to read it, apart from repetitions without a limit. */
	ways: number;
	/** The characters that it demands. */
	size: number;
	/** Its repetitions without a limit. */
	unlimited: number;
}

/**
 * How many steps a regular expression may take at most. The engine's own regular expressions may take exponential time,
 * the texts come from a model, and nothing can interrupt them, so that it must be known before.
 *
 * @returns the steps for a text of a length; undefined for a pattern that is invalid, looks ahead or back, refers back,
 * is very large, or may take very many steps for a short text
 */
export function patternSteps(source: string): ((length: number) => number) | undefined {
	if (source.length > MAX_LENGTH || !isValid(source)) return undefined;
	const simple = source
		.replace(SEPARATED, (group: string, separator: string, set: string) =>
			new RegExp(`^(?:${set})$`, 'u').test(separator.at(-1)!) ? group : 'x*',
		)
		.replace(new RegExp(SET, 'gsu'), 'x');
	if (UNSUPPORTED.test(simple)) return undefined;
	const { ways, size, unlimited } = formOf(simple.match(TOKEN) ?? []);
	// Otherwise a match may begin at any character.
	const cuts = source.startsWith('^') && !source.includes('|') ? unlimited : unlimited + 1;
	const steps = (length: number) => ways * size * choices(length, cuts);
	return size <= MAX_LENGTH && steps(USUAL_LENGTH) <= MAX_STEPS ? steps : undefined;
}

/** Takes the tokens up to the end of a group. */
function formOf(tokens: string[]): Form {
	const form: Form = { ways: 1, size: 0, unlimited: 0 };
	for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
		if (token === '|') {
			form.ways *= 2;
			continue;
		}
		const part = token.startsWith('(') ? formOf(tokens) : { ways: 1, size: 1, unlimited: 0 };
		const { ways, size, unlimited } = repeated(part, /^[*+?{]/.test(tokens[0]) ? tokens.shift()! : '{1}');
		form.ways *= ways;
		form.size += size;
		form.unlimited += unlimited;
	}
	return form;
}

function repeated({ ways, size, unlimited }: Form, quantifier: string): Form {
	const [least, most] = timesOf(quantifier);
	const demanded = Math.max(1, size) * Math.max(1, least);
	if (most < UNLIMITED) {
		return { ways: (most - least + 1) * ways ** most, size: demanded, unlimited: unlimited * most };
	}
	// Without a limit, two ways to read the repeated part are exponentially many.
	return { ways: ways === 1 && unlimited === 0 ? 1 : UNLIMITED, size: demanded, unlimited: 1 };
}

/** In how many ways a text can be cut so many times, in order. */
function choices(length: number, cuts: number): number {
	let count = 1;
	for (let cut = 1; cut <= cuts; cut++) count *= (length + cut) / cut;
	return count;
}

function timesOf(quantifier: string): [least: number, most: number] {
	if (!quantifier.startsWith('{')) {
		return [quantifier.startsWith('+') ? 1 : 0, quantifier.startsWith('?') ? 1 : UNLIMITED];
	}
	const [least, most = least] = quantifier.slice(1, quantifier.indexOf('}')).split(',');
	return [Number(least), most === '' ? UNLIMITED : Number(most)];
}

function isValid(source: string): boolean {
	try {
		return new RegExp(source, 'u').unicode;
	} catch {
		return false;
	}
}
