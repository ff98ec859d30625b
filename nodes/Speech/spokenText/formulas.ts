/** Commands of LaTeX with a sign of their own; any other keeps its name, which is a word for Greek letters. */
const SIGNS = new Map(
	(
		'times=× cdot=· div=÷ pm=± leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ approx=≈ infty=∞ to=→ rightarrow=→ circ=° degree=° ' +
		'sqrt=√ ldots=… dots=… cdots=… quad=\u2003 qquad=\u2003'
	)
		.split(' ')
		.map((entry): [string, string] => [entry.slice(0, -2), entry.slice(-1)]),
);
/** Commands that only change how their text looks. */
const LOOKS =
	/^(?:text|mathrm|mathbf|mathit|mathcal|mathbb|operatorname|boldsymbol|left|right|d?frac|tfrac|displaystyle)$/;
const FRACTION = /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g;
/** $$ … $$, \[ … \], \( … \), and $ … $ without a space at its edges or a digit after it. */
const FORMULA =
	/\$\$([^$]+)\$\$|\\\[((?:[^\\]|\\(?![[\]()]))+)\\\]|\\\(((?:[^\\]|\\(?![[\]()]))+)\\\)|\$([^\s$](?:[^$\n]*[^\s$])?)\$(?!\d)/g;
/** What a formula has and a price does not, or a variable alone; "$5 = ¥36" begins like a price. */
const MATHEMATICAL = /[\\^_{]|^[^\d].*[=}]|^[a-z]'?$|^[a-z]\([^()]*\)$/is;

/** A text with LaTeX formulas as plain signs: `$x^2 \times 3$` becomes "x² × 3". Prices stay. */
export function readFormulas(text: string): string {
	return text.replace(FORMULA, (whole, ...formulas: string[]) => {
		const formula = formulas.slice(0, 4).find(Boolean)!.trim();
		return MATHEMATICAL.test(formula) ? readFormula(formula) : whole;
	});
}

function readFormula(formula: string): string {
	return formula
		.replace(FRACTION, '$1/$2')
		.replace(/\\([a-z]+)/gi, (_, name: string) => SIGNS.get(name) ?? (LOOKS.test(name) ? '' : name))
		.replace(/\\[,;:! ]/g, ' ')
		.replace(/\^\{?([23])\}?(?![\d{}])/g, (_, power: string) => (power === '2' ? '²' : '³'))
		.replace(/\^\{?°\}?/g, '°')
		.replace(/[{}]/g, '')
		.replaceAll('*', '×');
}
