import fc from 'fast-check';
import { GatewayFailure } from '../../../../nodes/shared/failure/failure';
import { Redactor } from '../../../../nodes/shared/answer/redactor';
import { anyCharacter } from '../../../anyCharacter';
import { countTurns } from '../../countTurns';
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

	it('does not contain the key in Base64, whatever stands around it', () => {
		const bytes = fc.uint8Array({ maxLength: 20 });
		const encodings = fc.constantFrom('base64' as const, 'base64url' as const);
		// In Base64, the other key consists of slashes and plus signs.
		fc.assert(
			fc.property(bytes, bytes, encodings, fc.constantFrom(KEY, '???>>>~~~???>>>~~~'), (...given) => {
				const [before, after, encoding, key] = given;
				const encoded = Buffer.concat([before, Buffer.from(key), after]).toString(encoding);
				const clean = new Redactor([key]).text(encoded);
				expect(leaksIn(clean, key)).toEqual([]);
				expect(clean).toContain('[API key]');
			}),
		);
	});

	it('does not contain the beginning of a key where a text was cut off', () => {
		for (let length = 15; length < KEY.length; length++) {
			expect(redactor.text(`Your key ${KEY.slice(0, length)}`)).toBe('Your key [API key]');
			expect(redactor.text(`Your key ${KEY.slice(0, length)}… is wrong`)).toBe(
				'Your key [API key]… is wrong',
			);
		}
		expect(redactor.text(`Keys begin with ${KEY.slice(0, 14)}`)).toBe(`Keys begin with ${KEY.slice(0, 14)}`);
	});

	it('does not contain the last 20 characters of a key, wherever its beginning was cut off', () => {
		for (let from = 1; from <= KEY.length - 20; from++) {
			const text = redactor.text(`…${KEY.slice(from)} is wrong`);
			expect(text).toBe(`…${from > 3 ? KEY.slice(from, -20) : KEY.slice(from, 3)}[API key] is wrong`);
		}
		const end = `…${KEY.slice(-19)} is wrong`;
		expect(redactor.text(end)).toBe(end);
	});

	it.each(['Bearer ', 'bearer   ', 'Token ', 'Basic '])(
		'does not contain a secret value of a header without the scheme before it: %j',
		(scheme) => {
			const secret = new Redactor([`${scheme}abcdef-123456`]);
			for (const text of [`${scheme}abcdef-123456`, 'Bearer abcdef-123456', 'abcdef-123456']) {
				expect(secret.text(`It is ${text}.`)).not.toContain('123456');
			}
		},
	);

	it('does not contain a key without what stands before its first hyphen or underscore', () => {
		const rest = '0123456789abcdef';
		for (const prefix of ['sk-', 'key_', '-', 'company-', 'sk-live_']) {
			expect(new Redactor([prefix + rest]).text(`Key ${rest}`)).toBe(
				prefix === 'sk-live_' ? `Key ${rest}` : 'Key [API key]',
			);
		}
		for (const key of [`provider-${rest}`, `sk-${rest.slice(1)}`]) {
			expect(new Redactor([key]).text(`Key p${rest}`)).toBe(`Key p${rest}`);
			expect(new Redactor([key]).text(`Key ${key}`)).toBe('Key [API key]');
		}
	});

	it('is the same text where there is no key', () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter }), (text) => expect(redactor.text(text)).toBe(text)),
			{ numRuns: 200 },
		);
	});

	it('keeps a placeholder with fewer than eight characters', () => {
		expect(new Redactor(['test']).text('a test')).toBe('a test');
		expect(new Redactor(['  placeholder  ']).text('a placeholder')).toBe('a [API key]');
	});

	it.each([8, 11, 12, 13, 20, 21, 500])('does not contain a key with %i characters', (length) => {
		const key = Array.from({ length }, (_, index) => index.toString(36))
			.join('')
			.slice(-length);
		for (const spell of Object.values(SPELLINGS)) {
			const text = new Redactor([key]).text(`<${spell(key)}>`);
			expect(leaksIn(text, key)).toEqual([]);
			expect(text).toContain('[API key]');
		}
		expect(new Redactor([key]).text(`<${key}><${key}>`)).toBe('<[API key]><[API key]>');
	});
});

describe('A redacted value', () => {
	const value = fc.jsonValue();

	it('is the same object where there is no key', async () => {
		await fc.assert(
			fc.asyncProperty(value, fc.constantFrom(redactor, new Redactor([])), async (value, withoutEffect) => {
				const json = [value, 'A text that is longer than the beginning of a key'];
				expect(await withoutEffect.value(json)).toBe(json);
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

	it('that is saved has numbers in place of whole keys, and is the same again', async () => {
		const both = new Redactor([KEY, 'org-acme-4711']);
		const given = Object.values(SPELLINGS).map((spell) => ({
			[`${spell(KEY)}?`]: [`/${spell('org-acme-4711')}/${spell(KEY)}`, 7, null, '[API key] [API key 99]'],
		}));
		const saved = await both.toSaved(given);
		expect(leaksIn(JSON.stringify(saved))).toEqual([]);
		expect(JSON.stringify(saved)).not.toContain('org-acme-4711');
		expect(await both.fromSaved(saved)).toEqual(given);
		expect(await both.toSaved([{ clean: 1 }])).toEqual([{ clean: 1 }]);
	});

	it('that is saved keeps what may be the rest of a key', async () => {
		const parts = [KEY.slice(0, 15), KEY.slice(3), KEY.slice(-20), KEY.slice(20)];
		expect(await redactor.toSaved([...parts, `${KEY}!`])).toEqual([
			KEY.slice(0, 15),
			'[API key 0]',
			KEY.slice(-20),
			KEY.slice(20),
			'sk-[API key 0]!',
		]);
		const clean = await redactor.value(parts);
		expect(clean).toEqual(['[API key]', '[API key]', '[API key]', KEY.slice(20)]);
	});

	it('keeps objects of classes, circles, and a field named __proto__', async () => {
		const file = Buffer.from(KEY);
		const date = new Date(0);
		const parsed = JSON.parse(`{"__proto__":{"key":"${KEY}"}}`) as object;
		const bare = Object.assign(Object.create(null) as object, { key: KEY });
		const clean = await redactor.value({ file, date, parsed, bare, none: undefined });
		expect(clean.bare).toEqual({ key: '[API key]' });
		expect(clean.file).toBe(file);
		expect(clean.date).toBe(date);
		expect(JSON.stringify(clean.parsed)).toBe('{"__proto__":{"key":"[API key]"}}');
		const circle: Record<string, unknown> = {};
		circle.self = circle;
		expect(await redactor.value(circle)).toBe(circle);
		circle.key = KEY;
		expect((await redactor.value(circle)).key).toBe('[API key]');
	});

	it('has nothing below 600 levels', async () => {
		const nested = (levels: number, core: unknown) =>
			Array.from({ length: levels }).reduce<unknown>((inner) => [inner], core);
		expect(await redactor.value(nested(700, KEY))).toEqual(nested(601, '[API key]'));
	});

	it('lets other work run while many values are searched', async () => {
		const list = Array.from({ length: 20_000 }, (_, id) => ({ id }));
		expect(await countTurns(async () => await redactor.value(list))).toBeGreaterThanOrEqual(20);
	});
});

describe('A redacted failure', () => {
	it('has no key in its words and facts', async () => {
		const facts = { gatewayMessage: KEY, requestId: `id ${KEY}`, partial: { text: KEY } };
		const failure = await redactor.failure(new GatewayFailure('answer', `No ${KEY}`, `Not ${KEY}`, facts));
		expect(failure.toPlain()).toMatchObject({
			kind: 'answer',
			message: 'No [API key]',
			advice: 'Not [API key]',
			facts: { gatewayMessage: '[API key]', requestId: 'id [API key]', partial: { text: '[API key]' } },
		});
		expect(`${failure.stack}`).not.toContain(KEY);
	});
});

const spellings = Object.entries(SPELLINGS);

/** What a live text passes on for each chunk, and at its end. */
function passedOn(chunks: string[]): string[] {
	const live = redactor.live();
	return [...chunks.map((chunk) => live.push(chunk)), live.end()];
}

describe('A live text', () => {
	it.each(spellings)('has no key wherever it is split: %s', async (_name, spell) => {
		const text = `The key is ${spell(KEY)}, it says.`;
		const expected = redactor.text(text);
		for (let position = 0; position <= text.length; position++) {
			const passed = passedOn([text.slice(0, position), text.slice(position)]);
			expect(passed.join('')).toBe(expected);
		}
		expect(passedOn([...text]).join('')).toBe(expected);
	});

	it('passes a chunk on at once unless its end may begin a key', async () => {
		expect(passedOn(['The sky is wide', ' and', ' blue.'])).toEqual([
			'The sky is wide',
			' and',
			' blue.',
			'',
		]);
		expect(passedOn(['What is sk-', 'Life?'])).toEqual(['What is ', 'sk-Life?', '']);
		expect(passedOn(['What is sk-'])).toEqual(['What is ', 'sk-']);
		expect(passedOn([`It is ${KEY}`, '!'])).toEqual(['It is [API key]', '!', '']);
		expect(new Redactor([]).live().push('It is ')).toBe('It is ');
	});

	it('has no beginning of a key at its end', () => {
		for (let length = 15; length < KEY.length; length++) {
			expect(passedOn([`It is ${KEY.slice(0, length)}`]).join('')).toBe('It is [API key]');
		}
	});

	it('holds back fewer characters than the longest spelling has', () => {
		const begun = Buffer.from(KEY).toString('hex').slice(0, -1);
		expect(passedOn([`${'6'.repeat(1000)} ${begun}`, '!'])).toEqual([
			`${'6'.repeat(1000)} `,
			'[API key]!',
			'',
		]);
	});
});

describe('The bytes of a file', () => {
	const maskedFile = async (chunks: Buffer[]) => {
		const parts: Buffer[] = [];
		for await (const part of redactor.bytes(chunks)) parts.push(part);
		return Buffer.concat(parts);
	};

	it.each(spellings)(
		'have an asterisk for each byte of the key wherever they are split: %s',
		async (_name, spell) => {
			const before = Buffer.from([0, 255, 1, 37, 92, 32]);
			const spelled = Buffer.from(spell(KEY));
			const file = Buffer.concat([before, spelled, before]);
			const expected = await maskedFile([file]);
			expect(expected).toHaveLength(file.length);
			expect(expected.includes('*'.repeat(20))).toBe(true);
			expect(leaksIn(expected.toString('latin1'))).toEqual([]);
			expect(expected.subarray(0, before.length)).toEqual(before);
			expect(expected.subarray(-before.length)).toEqual(before);
			for (let position = 0; position <= file.length; position += 1) {
				const masked = await maskedFile([file.subarray(0, position), file.subarray(position)]);
				expect(masked.equals(expected)).toBe(true);
			}
			expect(await maskedFile([...file].map((byte) => Buffer.from([byte])))).toEqual(expected);
		},
	);

	it('keep the beginning of a key, because files are not cut off, and are passed on at once', async () => {
		const file = Buffer.from(`Keys begin with ${KEY.slice(0, 20)}.`);
		const parts = [];
		for await (const part of redactor.bytes([file, file])) parts.push(part);
		expect(parts).toEqual([file, file]);
		// Its last bytes may still become a key until the file ends.
		const begun = file.subarray(0, -1);
		expect(await maskedFile([begun])).toEqual(begun);
	});

	it('break with the error of their source, which is closed then', async () => {
		let isClosed = false;
		const parts: Buffer[] = [];
		async function* source() {
			try {
				yield Buffer.from('word');
				throw new Error('connection lost');
			} finally {
				isClosed = true;
			}
		}
		await expect(async () => {
			for await (const part of redactor.bytes(source())) parts.push(part);
		}).rejects.toThrow('connection lost');
		expect([parts, isClosed]).toEqual([[Buffer.from('word')], true]);
	});
});
