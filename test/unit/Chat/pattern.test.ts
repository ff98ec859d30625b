import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { Pattern, Patterns } from '../../../nodes/Chat/json/pattern';

/** Texts of few different characters, so that expressions of the same characters often fit. */
const text = fc
	.array(fc.constantFrom('a', 'b', 'A', '1', '_', ' ', '\n', '-', 'é', '😀', '{', ']'), { maxLength: 8 })
	.map((letters) => letters.join(''));

const atom = fc.constantFrom(
	...[
		'a',
		'b',
		'1',
		'-',
		'😀',
		'.',
		'\\d',
		'\\w',
		'\\s',
		'\\S',
		'[ab]',
		'[^a\\]]',
		'[\\w-]',
		'\\p{L}',
		'\\P{Lu}',
	],
	...['\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '\\x61', '\\n', '\\{', '[😀é]', '^', '$', '(?:)'],
);
const quantifier = fc.constantFrom(
	'',
	'',
	'',
	'*',
	'+',
	'?',
	'{2}',
	'{1,}',
	'{0,2}',
	'{0}',
	'*?',
	'+?',
	'??',
	'{1,2}?',
);
const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
	expression: fc
		.array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
		.map((choices) => choices.map((parts) => parts.join('')).join('|')),
	part: fc.oneof(
		{ maxDepth: 2 },
		fc.tuple(atom, quantifier).map(([one, times]) => (/^[$^]$/.test(one) ? one : one + times)),
		fc
			.tuple(fc.constantFrom('(', '(?:'), tie('expression'), quantifier)
			.map(([open, one, times]) => `${open}${one})${times}`),
	),
}));

function valid(source: string): RegExp | undefined {
	try {
		return new RegExp(source, 'u');
	} catch {
		return undefined;
	}
}

const CONTEXT = createContext({});

/** Whether an expression fits in the engine of Node.js; undefined if it takes more than a second there. */
function testNatively(expression: RegExp, one: string): boolean | undefined {
	Object.assign(CONTEXT, { expression, one });
	try {
		return runInContext('expression.test(one)', CONTEXT, { timeout: 1_000 }) as boolean;
	} catch {
		return undefined;
	}
}

describe('A pattern of a JSON Schema', () => {
	it('fits exactly where the regular expression fits', () => {
		let compared = 0;
		fc.assert(
			fc.property(expression, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
				const native = valid(source);
				// Two groups with the same name are not valid.
				if (!native) return;
				compared += 1;
				const pattern = Pattern.of(source)!;
				for (const one of texts) {
					const expected = testNatively(native, one);
					if (expected === undefined) continue;
					expect([source, one, pattern.test(one)]).toEqual([source, one, expected]);
				}
			}),
			{ numRuns: 300 },
		);
		expect(compared).toBeGreaterThan(150);
	});

	it.each([
		['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-slug-of-words', 'not--one'],
		['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-22', '2026-1-22'],
		['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'fox@example.com', 'fox at example.com'],
		['^#(?:[0-9a-fA-F]{3}){1,2}$', '#1e90ff', '#1e90f'],
		['^(?<year>\\d{4})$', '2026', '26'],
	])('may be %s', (source, fitting, other) => {
		const pattern = Pattern.of(source)!;
		expect(pattern.test(fitting)).toBe(true);
		expect(pattern.test(other)).toBe(false);
	});

	it.each(['(?=a)b', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', '\\bword\\b', '\\Ba'])(
		'is not checked if it needs more than one look at a character: %s',
		(source) => {
			expect(Pattern.of(source)).toBeUndefined();
		},
	);

	it.each([
		'(?:a{1000}){1000}',
		'a{100000}',
		'(?:){9000000000}a{3000}',
		'a{3000}(?:){9000000000}',
		'(?:(?:a{0,9000}){0,9000}){9000}',
	])('is not checked if it is very large: %s', (source) => {
		expect(Pattern.of(source)).toBeUndefined();
	});

	it.each([
		['^(a+)+$', 'a'],
		['^(a|a)*$', 'a'],
		['^(\\w+\\s?)*$', 'word '],
		['\\s+$', ' '],
		['^(.*a){12}$', 'a'],
		['(x+x+)+y', 'x'],
	])('takes time in proportion to the text: %s', (source, part) => {
		const pattern = Pattern.of(source)!;
		let looks = 0;
		const counted = Array.from(`${part.repeat(20_000)}!`);
		const long = {
			*[Symbol.iterator]() {
				for (const one of counted) {
					looks += 1;
					yield one;
				}
			},
		};
		pattern.test(long as unknown as string);
		expect(looks).toBeLessThanOrEqual(counted.length);
	});

	it('gives up, for all texts of a value together, when almost every character leads to another place', () => {
		let seed = 7;
		const letter = () => 'ab'[((seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % 3) & 1];
		const texts = Array.from({ length: 10_000 }, () => Array.from({ length: 50 }, letter).join(''));
		const patterns = new Patterns();
		const results = texts.map((one) => patterns.fits('(a|b)*a(a|b){30}c', one));
		expect(results[0]).toBe(false);
		expect(results.at(-1)).toBe('too long');
		expect(new Patterns().fits('^[ab]{50}$', texts[0])).toBe(true);
	});
});
