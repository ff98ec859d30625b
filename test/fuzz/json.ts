import fc from 'fast-check';
import { NOT_JSON, readJsonText } from '../../nodes/shared/plain/json';
import { damaged, damages } from './damage';
import { hostileName, hostileText } from './hostileValues';
import { property, type Property } from './property';

/** Longer JSON is looked at before it is parsed. */
const SPACES = ' '.repeat(1_001);
const LETTERS = 'x'.repeat(1_001);

/** How a text becomes long enough to be looked at. */
const LENGTHENED: Array<(json: string) => string> = [
	(json) => json,
	(json) => SPACES + json,
	(json) => json + SPACES,
	(json) => `["${LETTERS}",${json}]`,
	(json) => `{"a":${json},"${LETTERS}":${json}}`,
];
const lengthened = fc.constantFrom(...LENGTHENED);

const space = fc.stringMatching(/^[ \n\r\t]{0,2}$/);
const escapeOf = fc.constantFrom(0, 0, 0, 1, 2);

/** A text as JSON, some of its characters with escapes that they do not need. */
const text: fc.Arbitrary<string> = fc
	.tuple(fc.oneof(hostileText, hostileName), fc.array(escapeOf, { minLength: 1, maxLength: 8 }))
	.map(([content, escapes]) => {
		const letters = content.split('').map((letter, index) => {
			const escape = escapes[index % escapes.length];
			const code = letter.charCodeAt(0).toString(16).padStart(4, '0');
			if (escape === 1) return `\\u${code}`;
			if (escape === 2) return letter === '/' ? '\\/' : `\\u${code.toUpperCase()}`;
			// A lone surrogate stays as it is.
			return /[\ud800-\udfff]/.test(letter) ? letter : JSON.stringify(letter).slice(1, -1);
		});
		return `"${letters.join('')}"`;
	});

const number = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?([eE][+-]?\d{1,4})?$/);

/** JSON as a text, with any spaces and names that occur twice. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 5, depthIdentifier: 'json' },
		fc.constantFrom('null', 'true', 'false', '[]', '{}', '[ ]', '{ }'),
		number,
		text,
		fc.array(number, { maxLength: 5 }).map((all) => `[${all.join(', ')}]`),
		fc
			.tuple(space, fc.array(tie('json'), { maxLength: 5, depthIdentifier: 'json' }), space)
			.map(([before, all, after]) => `[${before}${all.join(`${after},${before}`)}${after}]`),
		fc
			.tuple(space, fc.array(fc.tuple(text, tie('json')), { maxLength: 5, depthIdentifier: 'json' }), space)
			.map(([before, all, after]) => {
				const fields = all.map(([name, inner]) => `${before}${name}${after}:${before}${inner}`);
				return `{${fields.join(`${after},`)}${after}}`;
			}),
	),
}));

const TOKENS = ['{', '}', '[', ']', '"', ',', ':', '\\', '0', '1', '-', '+', '.', 'e', 'E', ' ', '\n'];
const WORDS = [
	'true',
	'false',
	'null',
	'\\u0041',
	'\\"',
	'\0',
	'\u00a0',
	'\ufeff',
	'""',
	'"a":',
	"'",
	'01',
	'NaN',
];
const similar = fc.array(fc.constantFrom(...TOKENS, ...WORDS), { maxLength: 12 }).map((all) => all.join(''));

async function expectSameAsEngine(whole: string): Promise<void> {
	const own = await readJsonText(whole, undefined, false);
	let engine: { value: unknown } | undefined;
	try {
		engine = { value: JSON.parse(whole) as unknown };
	} catch {
		engine = undefined;
	}
	if ('problem' in own) {
		const isNoJson = [NOT_JSON, 'it is empty'].includes(own.problem);
		if (engine && isNoJson) throw new Error('It was refused');
		return;
	}
	if (!engine) throw new Error('It was accepted');
	const difference = differenceOf(own.value, engine.value, 'value');
	if (difference) throw new Error(`The value differs: ${difference}`);
}

/** Where two values differ, down to the order of names and the sign of zero. */
function differenceOf(one: unknown, other: unknown, path: string): string | undefined {
	if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
		return Object.is(one, other) ? undefined : path;
	}
	if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return `${path}, its prototype`;
	const names = Reflect.ownKeys(one) as string[];
	if (JSON.stringify(names) !== JSON.stringify(Reflect.ownKeys(other))) return `${path}, its names`;
	for (const name of names) {
		const [mine, theirs] = [one, other].map((it) => Object.getOwnPropertyDescriptor(it, name)!);
		const isPlain = mine.enumerable === theirs.enumerable && mine.writable === theirs.writable;
		if (!isPlain || mine.configurable !== theirs.configurable) return `${path}.${name}, its kind`;
		const inner = differenceOf(mine.value, theirs.value, `${path}.${name}`);
		if (inner) return inner;
	}
	return undefined;
}

export const jsonProperties: Property[] = [
	property(
		'is the same value as with the parser of the engine',
		[json, lengthened],
		async (one, lengthen) => {
			await expectSameAsEngine(lengthen(one));
		},
	),
	property(
		'is accepted exactly if the engine accepts it, however it is damaged',
		[json, lengthened, damages],
		async (one, lengthen, all) => {
			await expectSameAsEngine(lengthen(damaged(Buffer.from(one), all).toString()));
			// Beyond the beginning, the padding is damaged as well.
			await expectSameAsEngine(damaged(Buffer.from(lengthen(one)), all).toString());
		},
	),
	property(
		'is accepted exactly if the engine accepts it, from any tokens',
		[similar, lengthened],
		async (one, lengthen) => {
			await expectSameAsEngine(lengthen(one));
		},
	),
];
