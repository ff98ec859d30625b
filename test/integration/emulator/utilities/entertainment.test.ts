import { chartEndpoints } from '../../../../emulator/utilities/charts';
import { noon, startUtilities, type Utilities } from './gateway';

let now = noon;
let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities(() => now);
});
beforeEach(() => {
	now = noon;
});
afterAll(async () => await utilities.close());

describe('GET /moyu', () => {
	interface Page {
		date: { lunar: object };
		today: { isHoliday: boolean; isWorkday: boolean; solarTerm: string | null; lunarFestivals: string[] };
		currentHoliday: object | null;
		nextHoliday: { name: string; date: string; until: number };
		nextWeekend: object;
		countdown: object;
	}
	const page = async (date: string) => await utilities.data<Page>(`/moyu?date=${date}`);

	it('returns the lunar date', async () => {
		expect((await page('2026-10-01')).date.lunar).toMatchObject({
			yearCN: '二零二六',
			monthCN: '八月',
			dayCN: '廿一',
			yearGanZhi: '丙午',
			monthGanZhi: '丁酉',
			dayGanZhi: '戊申',
			zodiac: '马',
		});
	});

	it.each([
		['2026-01-01', '元旦', 1, 3],
		['2026-02-17', '春节', 2, 7],
		['2026-04-05', '清明节', 1, 3],
		['2026-06-20', '端午节', 2, 2],
		['2026-09-25', '中秋节', 1, 3],
		['2026-10-01', '国庆节', 1, 7],
		['2026-10-07', '国庆节', 7, 1],
	])('returns that %s is in the holiday %s', async (date, name, dayOfHoliday, daysRemaining) => {
		const { today, currentHoliday } = await page(date);
		expect(today).toMatchObject({ isHoliday: true, isWorkday: false, holidayName: name });
		expect(currentHoliday).toMatchObject({ name, dayOfHoliday, daysRemaining });
	});

	it('returns the days to the next holiday, weekend and year', async () => {
		expect(await page('2026-12-30')).toMatchObject({
			today: { isHoliday: false, isWorkday: true },
			currentHoliday: null,
			nextHoliday: { name: '元旦', date: '2027-01-01', until: 2 },
			nextWeekend: { date: '2027-01-02', weekday: '星期六', daysUntil: 3 },
			countdown: { toWeekEnd: 4, toFriday: 2, toMonthEnd: 1, toYearEnd: 1 },
		});
	});

	it('returns solar terms and lunar festivals', async () => {
		expect((await page('2026-09-23')).today.solarTerm).toBe('秋分');
		expect((await page('2026-09-25')).today.lunarFestivals).toEqual(['中秋节']);
	});

	it('returns today without a date', async () => {
		now = Date.parse('2026-10-09T00:30:00+08:00');
		expect(await utilities.data('/moyu')).toMatchObject({
			date: { gregorian: '2026-10-09', weekday: '星期五' },
		});
	});
});

describe('Sayings', () => {
	it.each([
		['/quote', 'hitokoto'],
		['/duanzi', 'duanzi'],
		['/dad-joke', 'content'],
		['/answer', 'answer'],
	])('of %s are found by id, or change daily', async (path, field) => {
		const saying = async (query: string) =>
			(await utilities.data<Record<string, unknown>>(`${path}?${query}`))[field];
		const list = await Promise.all([0, 1, 2, 3].map(async (id) => await saying(`id=${id}`)));
		expect(new Set(list).size).toBe(4);
		const days = new Set<unknown>();
		for (let day = 0; day < 8; day++) {
			now += 86_400_000;
			days.add(await saying(''));
		}
		expect(days.size).toBeGreaterThan(1);
	});

	it('of /fabing address the requested name, or the default', async () => {
		const saying = async (query: string) =>
			(await utilities.data<{ saying: string }>(`/fabing?id=1&${query}`)).saying;
		expect(await saying('name=Bob+%26+Co')).toContain('Bob & Co');
		expect(await saying('')).toContain('主人');
		expect(await saying('name=%24%26')).toContain('$&');
	});

	it('of /js-quirks have a valid answer', async () => {
		for (let id = 1; id <= 10; id++) {
			const { options, answer } = await utilities.data<{ options: string[]; answer: string }>(
				`/js-quirks?id=${id}`,
			);
			expect(options.map((option) => option[0])).toEqual(['A', 'B', 'C', 'D']);
			expect(options.some((option) => option.startsWith(`${answer}:`))).toBe(true);
		}
	});

	it('of /fastfood-copy are empty for an unknown id', async () => {
		expect(await utilities.data('/fastfood-copy?id=999')).toEqual({ index: -1 });
		const text = await utilities.call('/fastfood-copy?id=999&encoding=text');
		expect(text.status).toBe(204);
		expect(text.bytes).toHaveLength(0);
		expect((await utilities.call('/fastfood-copy?encoding=text')).status).toBe(200);
	});
});

describe('GET /free-games', () => {
	it('returns other games every Thursday night', async () => {
		interface Game {
			title: string;
			is_free_now: boolean;
			free_start_at: number;
			free_end_at: number;
		}
		const titles = (games: Game[], free: boolean) =>
			games.filter(({ is_free_now }) => is_free_now === free).map(({ title }) => title);
		const before = await utilities.data<Game[]>('/free-games');
		for (const { is_free_now, free_start_at, free_end_at } of before) {
			expect(free_start_at <= now && now < free_end_at).toBe(is_free_now);
		}
		now = Date.parse('2026-10-01T23:00:00+08:00');
		expect(titles(await utilities.data<Game[]>('/free-games'), true)).toEqual(titles(before, false));
	});
});

describe('GET /olympics', () => {
	it('returns the latest games by default', async () => {
		expect(await utilities.data('/olympics')).toMatchObject({ event_id: 'milano-cortina-2026' });
		now = Date.parse('2025-05-05T12:00:00+08:00');
		expect(await utilities.data('/olympics')).toMatchObject({ event_id: 'paris-2024' });
	});

	it('ranks teams by gold and adds up their medals', async () => {
		const { list } = await utilities.data<{ list: Array<Record<string, number>> }>('/olympics?id=paris-2024');
		list.forEach((team, index) => {
			expect(team['total']).toBe(team['gold'] + team['silver'] + team['bronze']);
			expect(team['rank']).toBe(index + 1);
			expect(team['gold']).toBeLessThanOrEqual(list[index - 1]?.['gold'] ?? Infinity);
		});
	});
});

describe('Music charts', () => {
	it('are found by the ids of the list', async () => {
		const list = await utilities.data<Array<{ id: number; name: string }>>('/music-rank/list');
		for (const { id, name } of list) {
			const tracks = await utilities.data<Array<{ rank_name: string }>>(`/music-rank/${id}`);
			expect(tracks).toHaveLength(50);
			expect(tracks[0].rank_name).toBe(name);
		}
	});

	it('are empty for an unknown id', async () => {
		expect(await utilities.data('/music-rank/1')).toEqual([]);
	});

	it('are shortened only in the text forms', async () => {
		const lines = async (query: string) =>
			(await utilities.call(`/music-rank/3778678?encoding=text&${query}`)).text.match(/^\d+\. /gm)!.length;
		expect(await lines('')).toBe(36);
		expect(await lines('size=3')).toBe(3);
		expect(await utilities.data<object[]>('/music-rank/3778678?size=3')).toHaveLength(50);
	});
});

describe('Hot charts', () => {
	it.each(chartEndpoints)('of $path have twenty different titles that change daily', async ({ path }) => {
		const titles = async () =>
			(await utilities.data<Array<{ title: string }>>(path)).map(({ title }) => title);
		const today = await titles();
		expect(new Set(today).size).toBe(20);
		now += 86_400_000;
		expect(await titles()).not.toEqual(today);
	});

	it('are in descending order', async () => {
		const scores = (await utilities.data<Array<{ score: number }>>('/auto-hot')).map(({ score }) => score);
		expect(scores).toEqual([...scores].sort((one, other) => other - one));
	});

	it('are the same in text', async () => {
		const [first] = await utilities.data<Array<{ title: string; hot_value: number }>>('/news-hot');
		const { text } = await utilities.call('/news-hot?encoding=text');
		expect(text).toContain(`1. ${first.title} ${(first.hot_value / 10_000).toFixed(1)}万`);
	});
});

describe('GET /boxoffice/realtime/movie', () => {
	it('returns the requested day, or today for an invalid date', async () => {
		const title = async (query: string) =>
			(await utilities.data<{ title: string }>(`/boxoffice/realtime/movie?${query}`)).title;
		expect(await title('date=2026-05-01')).toBe('2026-05-01 大盘');
		expect(await title('date=bogus')).toBe('2026-10-01 大盘');
	});

	it('returns amounts that add up to the total', async () => {
		const { box_office, list } = await utilities.data<{
			box_office: string;
			list: Array<{ box_office: string }>;
		}>('/boxoffice/realtime/movie');
		const sum = list.reduce((total, movie) => total + Number(movie.box_office), 0);
		expect(sum).toBeCloseTo(Number(box_office), 0);
	});
});

describe('GET /reviews/weekly/movie', () => {
	it('returns changes from the ranks of the previous week', async () => {
		interface Review {
			title: string;
			rank: number;
			trend: string;
			rank_change: number;
		}
		const before = await utilities.data<Review[]>('/reviews/weekly/movie');
		now += 7 * 86_400_000;
		const after = await utilities.data<Review[]>('/reviews/weekly/movie');
		const known = after.filter(({ title }) => before.some((review) => review.title === title));
		expect(known.length).toBeGreaterThan(0);
		for (const { title, rank, trend, rank_change } of known) {
			const previous = before.find((review) => review.title === title)!.rank;
			expect(rank_change).toBe(Math.abs(previous - rank));
			expect(trend).toBe(previous > rank ? 'up' : previous < rank ? 'down' : 'equal');
		}
	});
});
