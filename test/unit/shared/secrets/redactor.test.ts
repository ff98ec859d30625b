import fc from 'fast-check';
import { GatewayFailure } from '../../../../nodes/shared/errors/gatewayFailure';
import { Redactor } from '../../../../nodes/shared/secrets/redactor';
import { KEY, leaksIn, SPELLINGS } from './spellings';

const redactor = new Redactor([KEY]);
const names = Object.keys(SPELLINGS);
/** Text around a key; no part of it can be read as a part of the key. */
const around = fc.string({ unit: fc.constantFrom(...'éż 日.,:{}[]<>"\'\n!?'), maxLength: 12 });

describe('A redacted text', () => {
	it.each(names)('does not contain the key: %s', (name) => {
		const spell = SPELLINGS[name];
		fc.assert(
			fc.property(around, around, (before, after) => {
				const text = redactor.text(`${before} ${spell(KEY)} ${after}`);
				expect(leaksIn(text)).toEqual([]);
				expect(text.startsWith(before)).toBe(true);
				expect(text.endsWith(after)).toBe(true);
				expect(text).toContain('[API key]');
			}),
			{ numRuns: 30 },
		);
	});

	it('does not contain a key that each character of is written in another way', () => {
		// Without its semicolon, an entity ends only before a character that is no digit.
		const letters = names.filter((name) => !name.includes('without a semicolon'));
		const character = fc.constantFrom(...letters.map((name) => SPELLINGS[name]));
		fc.assert(
			fc.property(fc.array(character, { minLength: KEY.length, maxLength: KEY.length }), (spellings) => {
				const mixed = [...KEY].map((letter, index) => oneByOne(spellings[index], letter)).join('');
				expect(redactor.text(`<${mixed}>`)).toBe('<[API key]>');
			}),
		);
	});

	it('does not contain the key in Base64, whatever stands around it', () => {
		const bytes = fc.uint8Array({ maxLength: 20 });
		fc.assert(
			fc.property(bytes, bytes, fc.constantFrom('base64', 'base64url'), (before, after, encoding) => {
				const encoded = Buffer.concat([before, Buffer.from(KEY), after]).toString(encoding);
				for (const text of [
					encoded,
					Buffer.concat([before, Buffer.from(encoded), after]).toString(encoding),
				]) {
					expect(leaksIn(redactor.text(text))).toEqual([]);
					expect(redactor.text(encodeURIComponent(text))).toContain('[API key]');
				}
			}),
		);
	});

	it('does not contain the key in Base64 or hexadecimal digits, whatever they are divided by', () => {
		const breaks = fc.string({
			unit: fc.constantFrom(...' \n\r\t:,-"|', '\\n', '%20', '\u200b'),
			maxLength: 3,
		});
		fc.assert(
			fc.property(
				fc.array(breaks, { minLength: 120 }),
				fc.constantFrom('base64', 'hex'),
				(given, encoding) => {
					const digits = [...Buffer.from(KEY).toString(encoding)];
					const divided = digits.map((digit, index) => (index > 0 ? given[index] : '') + digit).join('');
					expect(redactor.text(`<${divided}>`)).toBe('<[API key]>');
				},
			),
		);
	});

	it('does not contain the key where it touches characters that could begin an escape', () => {
		for (const before of ['%', '\\', '\\u', '%4', '&#', '&#x', '\\x4', 'a', '0']) {
			for (const key of ['41ab8cd9ef0041ab', 'sk-0123456789abcdef', 'x41u0073']) {
				expect(new Redactor([key]).text(before + key)).not.toContain(key);
			}
		}
	});

	it('does not contain the beginning of a key where a text was cut off', () => {
		for (let length = 16; length < KEY.length; length++) {
			expect(redactor.text(`Your key ${KEY.slice(0, length)}`)).toBe('Your key [API key]');
			expect(redactor.text(`Your key ${KEY.slice(0, length)}… is wrong`)).toBe(
				'Your key [API key]… is wrong',
			);
		}
		expect(redactor.text(`Keys begin with ${KEY.slice(0, 8)}`)).toBe(`Keys begin with ${KEY.slice(0, 8)}`);
	});

	it('does not contain the last 20 characters of a key, wherever its beginning was cut off', () => {
		for (let from = 1; from <= KEY.length - 20; from++) {
			const text = redactor.text(`…${KEY.slice(from)} is wrong`);
			expect(text).toBe(`…${from > 3 ? KEY.slice(from, -20) : KEY.slice(from, 3)}[API key] is wrong`);
		}
		const end = `…${KEY.slice(-19)} is wrong`;
		expect(redactor.text(end)).toBe(end);
	});

	it('does not contain a key without what stands before its first hyphen or underscore', () => {
		const rest = '0123456789abcdef';
		for (const prefix of ['sk-', 'key_', '-', 'company-', 'sk-live_']) {
			expect(new Redactor([prefix + rest]).text(`Key ${rest}`)).toBe(
				prefix === 'sk-live_' ? `Key ${rest}` : 'Key [API key]',
			);
		}
		for (const key of [`provider-${rest}`, `sk-${rest.slice(1)}`]) {
			expect(new Redactor([key]).text(`Key ${rest}`)).toBe(`Key ${rest}`);
			expect(new Redactor([key]).text(`Key ${key}`)).toBe('Key [API key]');
		}
	});

	it('is the same text where there is no key', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => redactor.text(text) === text),
			{ numRuns: 200 },
		);
	});

	it('keeps everything but the keys of a text that is searched in slices', async () => {
		for (const at of [65_530, 65_536, 65_536 - KEY.length, 131_072 - 3]) {
			for (const spell of Object.values(SPELLINGS)) {
				const before = 'é'.repeat(at);
				const text = `${before} ${spell(KEY)} ${before} ${spell(KEY)}`;
				const expected = `${before} ${redactor.text(spell(KEY))} ${before} ${redactor.text(spell(KEY))}`;
				expect((await redactor.value(text)) === expected).toBe(true);
			}
		}
	});

	it('keeps a placeholder with fewer than eight characters', () => {
		expect(new Redactor(['test']).text('a test')).toBe('a test');
		expect(new Redactor(['  placeholder  ']).text('a placeholder')).toBe('a [API key]');
	});

	it('does not contain any of several keys', () => {
		expect(new Redactor(['first-key-1', 'second-key-2']).text('first-key-1second-key-2')).toBe(
			'[API key][API key]',
		);
	});
});

describe('A redacted value', () => {
	const value = fc.jsonValue();

	it('is the same object where there is no key', async () => {
		await fc.assert(
			fc.asyncProperty(value, async (json) => {
				expect(await redactor.value(json)).toBe(json);
			}),
		);
	});

	it('has no key in texts and names at any depth, and is the same everywhere else', async () => {
		await fc.assert(
			fc.asyncProperty(value, fc.constantFrom(...Object.values(SPELLINGS)), async (json, spell) => {
				const spelled = spell(KEY);
				const redacted = redactor.text(spelled);
				const clean = await redactor.value({ a: [json, { [spelled]: [json, spelled] }] });
				expect(clean).toStrictEqual({ a: [json, { [redacted]: [json, redacted] }] });
			}),
		);
	});

	it('that is not complete yet keeps what may be the rest of a key', async () => {
		const parts = [KEY.slice(0, 20), KEY.slice(3), KEY.slice(-20), KEY.slice(20)];
		expect(await redactor.unfinished([...parts, `${KEY}!`])).toEqual([...parts, '[API key]!']);
		const clean = await redactor.value(parts);
		expect(clean).toEqual(['[API key]', '[API key]', '[API key]', KEY.slice(20)]);
	});

	it('leaves what was passed in unchanged', async () => {
		const json = { a: { b: KEY } };
		expect(await redactor.value(json)).toEqual({ a: { b: '[API key]' } });
		expect(json).toEqual({ a: { b: KEY } });
	});

	it('keeps objects of classes, circles, and a field named __proto__', async () => {
		const file = Buffer.from(KEY);
		const date = new Date(0);
		const parsed = JSON.parse(`{"__proto__":{"key":"${KEY}"}}`) as object;
		const clean = await redactor.value({ file, date, parsed });
		expect(clean.file).toBe(file);
		expect(clean.date).toBe(date);
		expect(JSON.stringify(clean.parsed)).toBe('{"__proto__":{"key":"[API key]"}}');
		const circle: Record<string, unknown> = {};
		circle.self = circle;
		expect(await redactor.value(circle)).toBe(circle);
		circle.key = KEY;
		expect((await redactor.value(circle)).key).toBe('[API key]');
	});

	it('lets other work run while a long value is searched', async () => {
		const long = {
			texts: Array.from({ length: 300 }, (_, index) => `${index} %41 `.repeat(1000)),
			key: KEY,
		};
		let turns = 0;
		let isDone = false;
		const others = (async () => {
			for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve));
		})();
		const clean = await redactor.value(long);
		isDone = true;
		await others;
		expect(clean.key).toBe('[API key]');
		expect(turns).toBeGreaterThan(5);
	});
});

describe('A redacted failure', () => {
	it('has no key in its words and facts', async () => {
		const facts = { gatewayMessage: KEY, requestId: `id ${KEY}`, partial: { text: KEY } };
		const failure = await redactor.failure(new GatewayFailure('answer', `No ${KEY}`, `Not ${KEY}`, facts));
		expect(failure.toPlain()).toEqual({
			kind: 'answer',
			message: 'No [API key]',
			description: 'Not [API key]',
			facts: { gatewayMessage: '[API key]', requestId: 'id [API key]', partial: { text: '[API key]' } },
		});
		expect(`${failure.stack}`).not.toContain(KEY);
	});

	it('is the same failure where there is no key', async () => {
		const failure = new GatewayFailure('answer', 'No', 'Not');
		expect(await redactor.failure(failure)).toBe(failure);
	});
});

/** A letter in a spelling of single characters; in any other spelling the letter itself. */
function oneByOne(spell: (text: string) => string, letter: string): string {
	const spelled = spell(letter);
	return /^[\\%&]/.test(spelled) ? spelled : letter;
}
