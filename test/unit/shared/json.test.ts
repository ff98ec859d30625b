import { NOT_JSON, readJsonText } from '../../../nodes/shared/plain/json';
import { countTurns } from '../countTurns';

describe('A text that should be JSON', () => {
	it('is its value', async () => {
		expect(await readJsonText(' {"a": [1]} ')).toEqual({ value: { a: [1] } });
	});

	it.each([
		['', 'it is empty'],
		['{"a":', NOT_JSON],
		['{} {}', NOT_JSON],
		['[NaN]', NOT_JSON],
		[' '.repeat(2000), NOT_JSON],
		['['.repeat(1_000_000), 'its JSON is nested too deeply'],
		[`[${'{},'.repeat(500_000)}0]`, 'it contains more than 500000 values'],
	])('has its own words if it cannot be used: %.10s', async (text, problem) => {
		expect(await readJsonText(text)).toEqual({ problem });
	});

	it('keeps a name that would change the prototype of the object', async () => {
		const json = '{"__proto__":{"admin":true},"constructor":1}';
		const { value } = (await readJsonText(json)) as { value: object };
		expect(JSON.stringify(value)).toBe(json);
		expect('admin' in value).toBe(false);
	});

	it('keeps the digits of IDs, unless it is the answer of a model', async () => {
		const json = '{"id":1234567890123456789}';
		expect(await readJsonText(json)).toEqual({ value: { id: '1234567890123456789' } });
		expect(await readJsonText(json, 10, false)).toEqual({ value: JSON.parse(json) });
	});

	it('has a turn of its own if it is large', async () => {
		const json = JSON.stringify('x'.repeat(500_000));
		expect(await countTurns(async () => await readJsonText(json))).toBeGreaterThanOrEqual(1);
	});
});
