import { entryOf } from '../../shared/values';

/** Commands of LaTeX with a sign of their own; any other keeps its name, which is a word for Greek letters. */
const SIGNS: Record<string, string> = {
	times: '×',
	cdot: '·',
	div: '÷',
	pm: '±',
	leq: '≤',
	le: '≤',
	geq: '≥',
	ge: '≥',
	neq: '≠',
	ne: '≠',
	approx: '≈',
	infty: '∞',
	to: '→',
	rightarrow: '→',
	circ: '°',
	degree: '°',
	sqrt: '√',
	ldots: '…',
	dots: '…',
	cdots: '…',
	quad: ' ',
	qquad: ' ',
};
/** Commands that only change how their text looks. */
const LOOKS =
	/^(?:text|mathrm|mathbf|mathit|mathcal|mathbb|operatorname|boldsymbol|left|right|d?frac|tfrac|displaystyle)$/;
const FRACTION = /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g;
const DISPLAYED = /\$\$([^$]+)\$\$/g;
const BRACKET = /(\\[[\]()])/;
const CLOSING: Record<string, string> = { '\\[': '\\]', '\\(': '\\)' };
/** What a formula has and a price does not, or a variable alone. */
const MATHEMATICAL = /[\\^_{}=]|^[a-z]'?$|^[a-z]\([^()]*\)$/i;

/**
 * A text with LaTeX formulas as plain signs: `$x^2 \times 3$` becomes "x² × 3". Prices stay: between two dollar signs
 * is a formula only if there is no space at its edges, no digit after it, and something that prices do not have.
 */
export function readFormulas(text: string): string {
	const displayed = text.replace(DISPLAYED, (whole, formula: string) =>
		MATHEMATICAL.test(formula) ? readFormula(formula) : whole,
	);
	return betweenDollars(betweenBrackets(displayed));
}

/** The bracketed formulas of LaTeX, \[ … \] and \( … \); other text in such brackets is Markdown with escapes. */
function betweenBrackets(text: string): string {
	const pieces = text.split(BRACKET);
	for (let index = 1; index + 2 < pieces.length; index += 2) {
		const isPair = CLOSING[pieces[index]] === pieces[index + 2];
		if (!isPair || !MATHEMATICAL.test(pieces[index + 1].trim())) continue;
		pieces[index + 1] = readFormula(pieces[index + 1]);
		pieces[index] = pieces[index + 2] = '';
	}
	return pieces.join('');
}

function betweenDollars(text: string): string {
	const pieces = text.split('$');
	let read = pieces[0];
	for (let index = 1; index < pieces.length; index += 1) {
		const isInline = index + 1 < pieces.length && isFormula(pieces[index], pieces[index + 1]);
		read += isInline ? readFormula(pieces[index]) + pieces[index + 1] : `$${pieces[index]}`;
		if (isInline) index += 1;
	}
	return read;
}

function isFormula(content: string, after: string): boolean {
	if (/^\s|\s$|\n/.test(content) || /^\d/.test(after)) return false;
	// "$5 = ¥36" begins like a price.
	return (/^\d/.test(content) ? /[\\^_]/ : MATHEMATICAL).test(content);
}

function readFormula(formula: string): string {
	return formula
		.replace(FRACTION, '$1/$2')
		.replace(/\\([a-z]+)/gi, (_, name: string) => entryOf(SIGNS, name) ?? (LOOKS.test(name) ? '' : name))
		.replace(/\\[,;:! ]/g, ' ')
		.replace(/\^\{?([23])\}?(?![\d{}])/g, (_, power: string) => (power === '2' ? '²' : '³'))
		.replace(/\^\{?°\}?/g, '°')
		.replace(/[{}]/g, '')
		.replaceAll('*', '×');
}
