import { extractJson, parseJsonAnswer } from '../../../nodes/Chat/json/parseJsonAnswer';
import { answerSchema } from '../../../nodes/Chat/json/jsonSchema';
import type { ChatAnswer } from '../../../nodes/Chat/formats/answer';

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const read = async (text: string, mayBeProse?: boolean) =>
	(await extractJson(text, isRecord, mayBeProse))?.value;

describe('JSON in an answer', () => {
	it.each([
		['in a fence', 'Here you are:\n```json\n{"a":1}\n```\nEnjoy!'],
		['in a fence on one line', '```{"a":1}```'],
		['in a fence that is not closed', '```json\n{"a":1}'],
		['in a fence behind another line', 'Run it:\n```\n>>> answer\n{"a": 1,}\n```'],
		['in a fence as a string', '```json\n"{\\"a\\":1}"\n```'],
		['after a list in brackets', 'As [1] says: {"a":1}'],
		['after a brace that is not closed', 'A { and then {"a":1}'],
		['between smaller objects', 'First {} and then {"a":1} and {}'],
	])('is found %s', async (_where, text) => {
		expect(await read(text, true)).toEqual({ a: 1 });
	});

	it.each(['', 'No JSON here.', '{"a":'])('is not found in %j', async (text) => {
		expect(await read(text)).toBeUndefined();
	});
});

it.each(['refusal', 'content_filter'])(
	'An answer without JSON says that the model did not answer: %s',
	async (finishReason) => {
		const answer = { text: '', finishReason } as ChatAnswer;
		await expect(parseJsonAnswer(answer, {})).rejects.toMatchObject({
			description: expect.stringContaining(`The model did not answer (${finishReason}).`),
		});
	},
);

it('An answer without JSON that was cut off says so, and once that it was charged for', async () => {
	const answer = { text: '{"a":', finishReason: 'length' } as ChatAnswer;
	await expect(parseJsonAnswer(answer, {})).rejects.toMatchObject({
		description:
			'The answer was cut off. Increase Max Tokens in Options, or ask for less. The gateway has probably charged for it, so the error details contain what arrived.',
	});
});

it('A number at the end of an answer that was cut off is refused, because it may go on', async () => {
	const parsed = async (text: string, finishReason: string) =>
		await parseJsonAnswer({ text, finishReason } as ChatAnswer, {});
	for (const text of ['12', '3.1', '```json\n12']) {
		await expect(parsed(text, 'length')).rejects.toThrow('contains no JSON');
		expect(typeof (await parsed(text, 'stop'))).toBe('number');
	}
	for (const [text, value] of [
		['12\n', 12],
		['```\n12\n``` is', 12],
		['[1]', [1]],
		['true', true],
	]) {
		expect(await parsed(text as string, 'length')).toEqual(value);
	}
});

describe('JSON as models write it', () => {
	it.each([
		['comments', '{"a": 1, // one\n# two\n/* three */ "b": "//"}', { a: 1, b: '//' }],
		['trailing commas', '{"a": [1, 2,],}', { a: [1, 2] }],
		['single quotation marks', String.raw`{'a': 'it\'s "so"'}`, { a: 'it\'s "so"' }],
		['typographic quotation marks', '{“a”: “x "y"”, „b“: ‘z’, „c”: 1}', { a: 'x "y"', b: 'z', c: 1 }],
		['names without quotation marks', '{a: 1, 标题: 2, $b_c-d: 3}', { a: 1, 标题: 2, '$b_c-d': 3 }],
		["Python's literals", "{'a': True, 'b': False, 'c': None}", { a: true, b: false, c: null }],
		['line breaks and tabs in strings', '{"a": "x\n\ty\r\nz"}', { a: 'x\n\ty\r\nz' }],
		['invisible characters', '\uFEFF{\u00A0"a":\u3000"\u00A0"\u200B}', { a: '\u00A0' }],
		['no comma at the end of a line', '{"a": [{}\n{}]\n"b": 1}', { a: [{}, {}], b: 1 }],
		['full-width punctuation', '｛＂a＂：［1，2］，"b"：“，”｝', { a: [1, 2], b: '，' }],
		['a string of JSON', JSON.stringify(JSON.stringify('{"a": "\\""}')), { a: '"' }],
		['escaped quotation marks', String.raw`{\n  \"a\": \"\\\"\"\n}`, { a: '"' }],
		['escapes of other languages', String.raw`{'a': '\xe4\u00e4'}`, { a: 'ää' }],
		['thoughts', '<think>{"a": 0} or {"a": [1, 2, 3]}</think>{"a": 1}', { a: 1 }],
		['thoughts without an opening tag', 'Is it {"a": 1000}?\n</think>\n\n{"a": 1}', { a: 1 }],
		['a correction', '{"a": 1} Sorry, I meant {"a": 2}', { a: 2 }],
		['JSON rather than what is nearly JSON', '{"a": 1} or {a: 2, b: 3, c: 4, d: 5}', { a: 1 }],
		['what is nearly JSON rather than JSON in it', '{"a": {"b": 1},}', { a: { b: 1 } }],
	])('reads %s', async (_what, text, value) => {
		expect(await read(text)).toEqual(value);
	});

	it.each([
		// No values, wrong punctuation, and quotation marks that could be the end.
		...['{a: b}', '{"a": undefined}', '{"a": NaN}', '{"a": 007}', '{see below}', '{"a": "\\_"}'],
		...['{"a": [1, 2}', '{"a": 1,, "b": 2}', '{, "a": 1}', '{"a" 1}', '{"a": 1 "b": 2}', '{"a": ["x"\n"y"]}'],
		...['{"a": [1, ...]}', '{"a": [1, // ... more\n]}', '{"a": [1, // …\n]}'],
		...['{"a": "he said "hi" to me"}', "{'a': 'it's'}"],
		// Cut off.
		...['{"a": {"b": 1}, "c": [{"d": 2}', '{"a": {"b": 1}, "c": "not finished', "{'a': {'b': 1}, 'c':"],
		...['{a: {"b": 1}', '"{\\"a\\": 1', '<think>{"a": 1}', '```json\n{"a": {"b": 1}, "c": tr'],
	])('refuses %j, also in parts', async (text) => {
		expect(await read(text)).toBeUndefined();
	});

	it('reads braces between other words only if a schema matches', async () => {
		expect(await read('Use {a: 1} here.', true)).toBeUndefined();
		expect(await read('{a: 1}', true)).toEqual({ a: 1 });
		expect(await read('Here:\n```js\n{a: 1}\n```', true)).toEqual({ a: 1 });
	});

	it.each([
		...['{', '[{"a":', '{“', '[/*', "{a:'", '[{a:', '{"a":1,', '[#', '{\n', '\\"{'],
		...['<think>', '</think>', "[''\n", '[]\n'],
	])('finishes with 50,000 characters of %j', async (unit) => {
		const text = unit.repeat(50_000 / unit.length);
		const found = [text, `${text}x`, `{${text}`].map(async (whole) => await extractJson(whole, () => false));
		expect(await Promise.all(found)).toHaveLength(3);
	});
});

const REFUSED = 'refused';

describe('A long integer in a JSON answer', () => {
	const answerOf = (text: string) => ({ text, finishReason: 'stop' }) as ChatAnswer;
	const schema = answerSchema({
		type: 'object',
		properties: { id: { type: 'integer' }, name: { type: 'string' } },
	});

	it.each([
		['alone', (json: string) => json],
		['in a fence', (json: string) => `Here:\n\`\`\`json\n${json}\n\`\`\``],
		['between words', (json: string) => `It is ${json}, I think.`],
		['in what is only nearly JSON', (json: string) => json.replace('}', ',}')],
	])('keeps its digits, as text, and is an integer for the schema: %s', async (_where, around) => {
		const json = '{"id": 12345678901234567890, "name": "98765432109876543210"}';
		const expected = { id: '12345678901234567890', name: '98765432109876543210' };
		for (const checked of [schema, undefined]) {
			expect(await parseJsonAnswer(answerOf(around(json)), { schema: checked })).toEqual(expected);
		}
		const shorter = around('{"id": 9007199254740991}');
		expect(await parseJsonAnswer(answerOf(shorter), { schema })).toEqual({ id: 9007199254740991 });
	});
});

describe('An answer with a schema', () => {
	const VALUE = {
		category: 'complaint',
		score: 2,
		tags: ['late "again"', 'line\nbreak'],
		customer: { name: null },
	};
	const schema = answerSchema({
		type: 'object',
		properties: {
			category: { enum: ['complaint', 'praise'] },
			score: { type: 'integer', minimum: 1, maximum: 5 },
			tags: { type: 'array', items: { type: 'string' } },
			customer: { type: 'object', properties: { name: { type: ['string', 'null'] } }, required: ['name'] },
		},
		required: ['category', 'score', 'tags', 'customer'],
		additionalProperties: false,
	});
	const parse = async (text: string) =>
		await parseJsonAnswer({ text, finishReason: 'stop' } as ChatAnswer, { schema }).catch(() => REFUSED);

	const JSON_TEXT = JSON.stringify(VALUE, null, 2);
	const PYTHON = `{'category': 'complaint', 'score': 2, 'tags': ['late "again"', 'line\\nbreak'], 'customer': {'name': None}}`;
	const TRAILING = JSON_TEXT.replace(/(\n\s*[\]}])/g, ',$1');
	const UNQUOTED = JSON_TEXT.replace(/"(\w+)":/g, '$1:');
	/** Texts that end with the value. */
	const endings = {
		JSON: JSON_TEXT,
		'text before it': `Sure! I've filled in all fields [as requested]:\n\n${JSON_TEXT}`,
		"Python's literals": PYTHON,
		'trailing commas': TRAILING,
		'names without quotation marks': UNQUOTED,
		'escaped JSON': JSON.stringify(JSON_TEXT),
	};
	const others = {
		'text after it': `${JSON_TEXT}\n\nNote: [1] is an estimate, {see above}.`,
		'another fence': `~~~json\n${JSON_TEXT}\n~~~`,
		'a draft in thoughts': `I could answer {"category":"praise"}, but {that} isn't complete.\n</think>\n${JSON_TEXT}`,
		'a wrong value first': `{"category":"praise"}\n\nThat does not fit the schema:\n\n${JSON_TEXT}`,
		'several at once': `Result (see note {1}) =\n\`\`\`python\n${PYTHON.replace("2, '", "2, # the score\n'")}\n\`\`\`\nEnjoy!`,
	};

	it.each(Object.entries({ ...endings, ...others }))('is read with %s', async (_what, text) => {
		expect(await parse(text)).toEqual(VALUE);
	});

	it.each(Object.entries(endings))('is refused wherever it is cut off: %s', async (_what, text) => {
		for (let length = 0; length < text.trimEnd().length - 1; length++) {
			expect([length, await parse(text.slice(0, length))]).toEqual([length, REFUSED]);
		}
	});

	it('is refused if it was cut off after another value that fits, such as a draft', async () => {
		const text = `A draft: ${JSON_TEXT}\n\nThe answer: ${JSON_TEXT}`;
		expect(await parse(text)).toEqual(VALUE);
		expect(await parse(text.slice(0, -2))).toBe(REFUSED);
	});
});
