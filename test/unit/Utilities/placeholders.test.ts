import { filled, placeholdersIn } from '../../../nodes/Utilities/placeholders';

const values = new Map([['id', { parameter: 'Chart', text: "$& $1 $'" }]]);

describe('The placeholders of a path', () => {
	it('are found by name, in order', () => {
		const names = ['one', 'two', 'three', 'a b'];
		expect(placeholdersIn('/a/{one}/%7Btwo%7D/{{ three }}/{a%20b}/{x/y}/{')).toEqual(names);
	});

	it('are replaced if they have a value', () => {
		expect(filled('/{id}/{other}', values, ({ text }) => `<${text}>`)).toBe("/<$& $1 $'>/{other}");
	});

	it('are not found in long texts of their characters', () => {
		for (const piece of ['%25', '%', '../', '/', '{', '}', '%7B', '.']) {
			expect(placeholdersIn(piece.repeat(200_000))).toEqual([]);
		}
	});
});
