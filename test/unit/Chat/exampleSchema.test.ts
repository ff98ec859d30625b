import { schemaOf } from '../../../nodes/Chat/json/fields';
import { answerSchema } from '../../../nodes/Chat/json/jsonSchema';

describe('The schema of an example', () => {
	const example = {
		name: 'Ada',
		age: 36,
		isKnown: true,
		note: null,
		tags: ['math'],
		works: [{ year: 1843 }],
	};
	const { mismatch } = answerSchema(schemaOf(example));

	it('fits the example, and what differs only in values', () => {
		expect(mismatch(example)).toBeUndefined();
		const other = {
			name: '',
			age: 0.5,
			isKnown: false,
			note: 'x',
			tags: [],
			works: [{ year: 1 }, { year: 2 }],
		};
		expect(mismatch({ ...other, more: 1 })).toBeUndefined();
	});

	it.each([
		['a field is missing', { ...example, name: undefined }],
		['a type differs', { ...example, age: '36' }],
		['an element differs', { ...example, tags: [1] }],
		['a field of an element is missing', { ...example, works: [{}] }],
	])('does not fit if %s', (_, value) => {
		expect(mismatch(JSON.parse(JSON.stringify(value)))).toBeDefined();
	});

	it.each([
		['elements of different kinds', [1, 'a'], ['b', {}]],
		['no elements', [], [1, 'a']],
		['a text', 'yes', 'no'],
	])('takes %s for what they are', (_, given, value) => {
		expect(answerSchema(schemaOf(given)).mismatch(value)).toBeUndefined();
	});
});
