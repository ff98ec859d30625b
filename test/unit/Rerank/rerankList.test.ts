import { readDocuments } from '../../../nodes/Rerank/operations/rerankList.operation';

describe('readDocuments', () => {
	const texts = (value: string, field = 'text') => readDocuments(value, field).map(({ text }) => text);

	it.each<[string, string, string[]]>([
		['a JSON list', '["a", " b ", ""]', ['a', ' b ', '']],
		['numbers, booleans, and null', '[1, true, null]', ['1', 'true', '']],
		['objects', '[{"text": "a", "id": 1}, {"text": null}, {"text": {"x": 1}}]', ['a', '', '{"x":1}']],
		['lines', ' a \r\n\n b\rc', ['a', 'b', 'c']],
		['lines that start with a bracket', '[1] first\n[2] second', ['[1] first', '[2] second']],
		['one line of JSON that is not a list', '{"text": "a"}', ['{"text": "a"}']],
		['white space', '  ', []],
	])('reads %s', (_what, value, expected) => {
		expect(texts(value)).toEqual(expected);
	});

	it('returns objects complete, and reads the text from the chosen field', () => {
		expect(readDocuments('[{"body": "a", "id": 1}]', 'body')).toEqual([
			{ text: 'a', given: { body: 'a', id: 1 } },
		]);
	});

	it.each([
		['a JSON list that is cut off', '["a", "b"', 'starts like a JSON list'],
		['objects that are cut off', '[{"text": "a"}', 'starts like a JSON list'],
		['an object without the field', '["a", {"body": "b"}]', '(number 2) without the field "text"'],
		['a list within the list', '[["a"]]', '(number 1) without the field "text"'],
	])('rejects %s', (_what, value, message) => {
		expect(() => texts(value)).toThrow(message);
	});
});
