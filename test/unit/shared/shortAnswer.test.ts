import fc from 'fast-check';
import { shortList } from '../../../nodes/shared/run/shortAnswer';

const length = (value: unknown) => JSON.stringify(value).length;

describe('A short answer', () => {
	it('is the answer itself if it fits', () => {
		const list = [{ title: 'One' }, { title: 'Two' }];
		expect(shortList(list, 1000)).toBe(list);
	});

	it('leaves out the last entries of a list, and says how many', () => {
		const list = Array.from({ length: 60 }, (_, index) => ({ title: `Story ${index}` }));
		const short = shortList(list, 500);
		expect(length(short)).toBeLessThanOrEqual(500);
		expect(short.slice(0, -1)).toEqual(list.slice(0, short.length - 1));
		expect(short.at(-1)).toBe(`… ${60 - short.length + 1} more of 60 entries`);
	});

	it('shortens the longest field of an entry, and keeps the others', () => {
		const list = [
			{ date: '2026-11-23', text: 'word '.repeat(1000), link: 'https://a.example/1', items: [1, 2] },
		];
		const [short] = shortList(list, 600) as Array<Record<string, unknown>>;
		expect(short).toMatchObject({ date: '2026-11-23', link: 'https://a.example/1', items: [1, 2] });
		expect(short.text).toMatch(/^word word .*… \d+ more of 5000 characters$/);
		expect(Object.keys(short)).toEqual(['date', 'text', 'link', 'items']);
	});

	it('shortens lists within an entry', () => {
		const [short] = shortList(
			[{ day: 'Monday', news: Array.from({ length: 90 }, () => 'Something happened') }],
			400,
		);
		const { day, news } = short as { day: string; news: string[] };
		expect(day).toBe('Monday');
		expect(news.length).toBeGreaterThan(5);
		expect(news.at(-1)).toBe(`… ${90 - news.length + 1} more of 90 entries`);
	});

	it('never cuts a character in two', () => {
		for (let limit = 200; limit < 230; limit++) {
			const text = JSON.stringify(shortList([`${'😀'.repeat(300)}`], limit));
			expect(text).not.toMatch(/\\ud/);
		}
	});

	it('fits, whatever the answer is', () => {
		fc.assert(
			fc.property(
				fc.array(fc.jsonValue({ maxDepth: 5 })),
				fc.integer({ min: 200, max: 2000 }),
				(list, limit) => {
					expect(length(shortList(list, limit))).toBeLessThanOrEqual(limit);
				},
			),
			{ numRuns: 500 },
		);
		const names = Object.fromEntries(
			Array.from({ length: 500 }, (_, index) => [`field ${index}`, 'x'.repeat(90)]),
		);
		expect(length(shortList([names], 1000))).toBeLessThanOrEqual(1000);
		expect(length(shortList([['"'.repeat(900), '\u0001'.repeat(900)]], 300))).toBeLessThanOrEqual(300);
	});
});
