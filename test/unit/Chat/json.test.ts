import fc from 'fast-check';
import { extractJson } from '../../../nodes/Chat/json/parseJsonAnswer';
const anything = () => true;
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

describe('extractJson', () => {
	it.each([
		['alone', '{"a":1}'],
		['with white space around it', '\n {"a":1}\n'],
		['in a fence', 'Here you are:\n```json\n{"a":1}\n```\nEnjoy!'],
		['in a fence without a language', '```\n{"a":1}\n```'],
		['in a fence on one line', '```{"a":1}```'],
		['in a fence that is not closed', '```json\n{"a":1}'],
		['between words', 'The answer is {"a":1}, I think.'],
		['after a list in brackets', 'As [1] says: {"a":1}'],
		['after a brace that is not closed', 'A { and then {"a":1}'],
	])('finds JSON %s', async (_where, text) => {
		expect(await extractJson(text, anything)).toEqual({ value: { a: 1 } });
	});

	it('ignores brackets and quotation marks inside strings', async () => {
		const value = { a: 'x } ] " \\ {', b: ['[', '{'] };
		expect(await extractJson(`So: ${JSON.stringify(value)}.`, anything)).toEqual({ value });
	});

	it('prefers a matching value to a larger one', async () => {
		expect(await extractJson('[1, 2, 3, 4, 5] or {"a":1}', isRecord)).toEqual({ value: { a: 1 } });
	});

	it('returns the largest of several values', async () => {
		expect(await extractJson('First {} and then {"a":1} and [2]', anything)).toEqual({ value: { a: 1 } });
	});

	it.each(['', 'No JSON here.', '{a: 1}', '{"a":', "{'a': 1}"])('finds nothing in %j', async (text) => {
		expect(await extractJson(text, anything)).toBeUndefined();
	});

	it('finds any JSON object inside other text', async () => {
		await fc.assert(
			fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), async (value, fenced) => {
				const json = JSON.stringify(value);
				const text = fenced ? `Look:\n\`\`\`json\n${json}\n\`\`\`` : `Look: ${json} - that is all.`;
				fc.pre(!json.includes('```'));
				expect((await extractJson(text, anything))?.value).toEqual(JSON.parse(json));
			}),
		);
	});

	it('handles a text full of opening brackets quickly', async () => {
		expect(await extractJson('{'.repeat(300_000), anything)).toBeUndefined();
		expect(await extractJson('[{"a":'.repeat(50_000), anything)).toBeUndefined();
	});
});
