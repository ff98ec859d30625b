import { patternSteps } from '../../../nodes/Chat/json/pattern';

const LONG = 100_000;
/** What a check may take. */
const MAX_STEPS = 30_000_000;

describe('A pattern of a JSON Schema', () => {
	it.each([
		'^[a-z0-9-]+$',
		'^[a-z0-9]+(?:-[a-z0-9]+)*$',
		'^\\d+(\\.\\d+)*$',
		'^\\d{4}-\\d{2}-\\d{2}$',
		'^(?:[01]\\d|2[0-3]):[0-5]\\d$',
		'^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
		'^#(?:[0-9a-fA-F]{3}){1,2}$',
		'^(\\d{1,3}\\.){3}\\d{1,3}$',
		'^-?\\d{1,3}(,\\d{3})*(\\.\\d+)?$',
		'^\\+?[1-9]\\d{1,14}$',
		'^(?<year>\\d{4})$',
		'^https?://.+',
		'^.{1,2000}$',
		'\\bword\\b',
		'^\\p{Lu}\\u{1F600}[\\](+]$',
	])('may be %s', (source) => {
		expect(patternSteps(source)?.(50)).toBeLessThan(MAX_STEPS / 50);
	});

	it.each([
		...['^(a+)+$', '^(a|a)*$', '(a|aa)+$', '^(\\w+\\s?)*$', '(x+x+)+y', '([a-z]+)*\\d', '^(?:(a){2,5})*?$'],
		...['(.*a){20}', '(?:a?){30}a{30}', '((a|a)){30}b', '((a|b)c){40}', 'a*a*a*a*a*a*b'],
		// What separates is in what is separated.
		...['^(-[a-z-]+)*$', '^(?:\\.\\S+)*$', '^(-a*-)*$', '^(a[a-z]+)*$'],
	])('is refused if it can be read in too many ways: %s', (source) => {
		expect(patternSteps(source)).toBeUndefined();
	});

	it.each([
		'(?=a)b',
		'(?!a)',
		'(?<=a)b',
		'(?<!a)b',
		'(a)\\1',
		'(?<n>a)\\k<n>',
		'(',
		'a{2,1}',
		'x'.repeat(3_000),
	])('is refused if it is invalid, long, or more than a sequence of characters: %s', (source) => {
		expect(patternSteps(source)).toBeUndefined();
	});

	it.each([
		'(?:a{1000}){1000}',
		'a{100000}',
		'a{100000,}',
		'(?:){9000000000}a',
		'(?:(?:a{0,9000}){0,9000}){9000}',
	])('is refused if it is very large: %s', (source) => {
		expect(patternSteps(source)).toBeUndefined();
	});

	it.each(['\\d+\\d+\\d+$', '\\s+$', '.*.*=.*', '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'])(
		'is not compared with a long text: %s',
		(source) => {
			expect(patternSteps(source)?.(LONG)).toBeGreaterThan(MAX_STEPS);
		},
	);

	it.each(['^[a-z0-9-]+$', '^\\p{L}+$', '^.{1,200}$', '^\\d{4}'])(
		'may be compared with a long text: %s',
		(source) => {
			expect(patternSteps(source)?.(LONG)).toBeLessThan(MAX_STEPS);
		},
	);
});
