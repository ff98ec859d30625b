import { XMLParser } from 'fast-xml-parser';
import { startUtilities, noon, type Utilities } from './gateway';

interface Digest {
	date: string;
	news: string[];
	day_of_week: string;
	lunar_date: string;
	api_updated_at: number;
}

let now = noon;
let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities(() => now);
});
beforeEach(() => {
	now = noon;
});
afterAll(async () => await utilities.close());

describe('GET /60s', () => {
	it('returns fifteen different headlines per day', async () => {
		const first = await utilities.data<Digest>('/60s?date=2026-08-21');
		const second = await utilities.data<Digest>('/60s?date=2026-08-22');
		expect(new Set(first.news).size).toBe(15);
		expect(first.news).not.toEqual(second.news);
		expect(first.news.join()).not.toContain('{');
		expect(first).toMatchObject({ date: '2026-08-21', day_of_week: '星期五', lunar_date: '丙午年七月初九' });
	});

	it.each(['garbage', '2026-13-45', '1999-01-01', '2026-10-02', ''])(
		'returns the latest digest for date=%s',
		async (date) => {
			expect((await utilities.data<Digest>(`/60s?date=${date}`)).date).toBe('2026-10-01');
		},
	);

	it('changes at midnight in China', async () => {
		now = Date.parse('2026-10-01T15:59:59Z');
		expect((await utilities.data<Digest>('/60s')).date).toBe('2026-10-01');
		now += 1000;
		expect((await utilities.data<Digest>('/60s')).date).toBe('2026-10-02');
	});

	it.each(['force-update', 'force-update=', 'force-update=false', 'force-update=true'])(
		'refreshes the cache for %s, regardless of the value',
		async (parameter) => {
			expect((await utilities.data<Digest>(`/60s?${parameter}`)).api_updated_at).toBe(noon);
		},
	);

	it('returns the cache otherwise', async () => {
		const { api_updated_at } = await utilities.data<Digest>('/60s');
		expect(api_updated_at).toBe(Date.parse('2026-10-01T00:00:00+08:00'));
	});

	it('returns the same headlines in JSON, text and markdown', async () => {
		const { news } = await utilities.data<Digest>('/60s');
		for (const encoding of ['text', 'markdown']) {
			const { text } = await utilities.call(`/60s?encoding=${encoding}`);
			news.forEach((headline, index) => expect(text).toContain(`${index + 1}. ${headline}\n`));
		}
	});

	it('has a feed of the last seven days', async () => {
		const { text } = await utilities.call('/60s/rss');
		const { rss } = new XMLParser().parse(text) as {
			rss: { channel: { title: string; item: Array<{ title: string; description: string }> } };
		};
		expect(rss.channel.item).toHaveLength(7);
		expect(rss.channel.item[0].title).toContain('2026-10-01');
		expect(rss.channel.item[6].title).toContain('2026-09-25');
		const { news } = await utilities.data<Digest>('/60s');
		expect(rss.channel.item[0].description).toContain(news[14]);
	});
});

describe('GET /ai-news', () => {
	interface AiNews {
		date: string;
		news: Array<{ date: string }>;
	}

	it('returns the news of one day', async () => {
		const { date, news } = await utilities.data<AiNews>('/ai-news?date=2026-09-28');
		expect(date).toBe('2026-09-28');
		expect(new Set(news.map((item) => item.date))).toEqual(new Set(['2026-09-28']));
	});

	it.each(['all=1', 'all', 'all=false'])('returns the news of several days for %s', async (parameter) => {
		const { date, news } = await utilities.data<AiNews>(`/ai-news?${parameter}`);
		expect(date).toBe('all');
		expect(new Set(news.map((item) => item.date)).size).toBe(7);
	});

	it('returns an empty list for a day without news', async () => {
		expect(await utilities.data<AiNews>('/ai-news?date=2020-01-01')).toEqual({
			date: '2020-01-01',
			news: [],
		});
		const { text } = await utilities.call('/ai-news?date=2020-01-01&encoding=text');
		expect(text).toContain('今日暂无重大 AI 资讯');
	});
});

describe('GET /tech-news', () => {
	type Stories = Array<{ id: number; score: number; created_at: number }>;

	it('supports three orders', async () => {
		const [top, best, newest] = await Promise.all(
			['top', 'best', 'new'].map(async (type) => await utilities.data<Stories>(`/tech-news/${type}`)),
		);
		const isFalling = (values: number[]) =>
			values.every((value, index) => index === 0 || value <= values[index - 1]);
		expect(isFalling(top.map(({ score }) => score))).toBe(true);
		expect(isFalling(newest.map(({ created_at }) => created_at))).toBe(true);
		expect(top).not.toEqual(best);
	});

	it.each([
		[10, ''],
		[3, 'limit=3'],
		[35, 'limit=100'],
		[10, 'limit=abc'],
	])('returns %i stories for "%s"', async (count, parameter) => {
		expect(await utilities.data<Stories>(`/tech-news/top?${parameter}`)).toHaveLength(count);
	});

	it('returns current scores with force-update', async () => {
		const [cached] = await utilities.data<Stories>('/tech-news/top');
		const [fresh] = await utilities.data<Stories>('/tech-news/top?force-update');
		expect(fresh.score - cached.score).toBe(11 * 60 + 30);
	});
});

describe('GET /today-in-history', () => {
	it('returns the events of any day, or of today for an invalid date', async () => {
		interface Almanac {
			month: number;
			day: number;
			items: Array<{ year: string }>;
		}
		expect(await utilities.data<Almanac>('/today-in-history?date=2020-02-29')).toMatchObject({
			month: 2,
			day: 29,
		});
		expect(await utilities.data<Almanac>('/today-in-history?date=xx')).toMatchObject({ month: 10, day: 1 });
		const one = await utilities.data<Almanac>('/today-in-history?date=2020-02-28');
		const other = await utilities.data<Almanac>('/today-in-history?date=1999-02-28');
		expect(other).toEqual(one);
		const years = one.items.map(({ year }) => Number(year));
		expect(years).toEqual([...years].sort((first, second) => first - second));
	});
});
