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

const queryOf = (values: Record<string, string>) => new URLSearchParams(values).toString();

describe('weather', () => {
	interface Weather {
		location: { name: string; province: string; city: string; county: string };
		weather: { condition: string; temperature: number };
		sunrise: { sunrise_desc: string; sunset_desc: string; sunrise_at: number };
		alerts: Array<{ type: string; detail: string }>;
	}
	interface Forecast {
		daily_forecast: Array<{
			date: string;
			day_condition: string;
			max_temperature: number;
			min_temperature: number;
		}>;
		hourly_forecast: Array<{ datetime: string; temperature: number }>;
		sunrise_sunset: object[];
	}
	const weather = async (query: string) =>
		await utilities.data<Weather>(`/weather${query === '' ? '' : `?${queryOf({ query })}`}`);

	it.each([
		['', '北京市', ''],
		['上海', '上海市', ''],
		['杭州市', '杭州市', ''],
		['广东', '广州市', ''],
		['海淀区', '北京市', '海淀'],
	])('finds %s', async (query, city, county) => {
		expect((await weather(query)).location).toMatchObject({ city, county });
	});

	it('takes a city or a province instead of a query', async () => {
		const byCity = await utilities.data<Weather>(`/weather?${queryOf({ city: '成都' })}`);
		expect(byCity.location.city).toBe('成都市');
		const byProvince = await utilities.data<Weather>(`/weather?${queryOf({ province: '云南' })}`);
		expect(byProvince.location.city).toBe('昆明市');
	});

	it.each([
		['', 7],
		['days=3', 3],
		['days=8', 8],
		['days=20', 8],
		['days=abc', 0],
	])('forecasts %s: %i days', async (parameter, count) => {
		const { daily_forecast, sunrise_sunset, hourly_forecast } = await utilities.data<Forecast>(
			`/weather/forecast?${parameter}`,
		);
		expect(daily_forecast).toHaveLength(count);
		expect(sunrise_sunset).toHaveLength(count);
		expect(hourly_forecast).toHaveLength(48);
	});

	it('agrees with its own forecast', async () => {
		const { daily_forecast, hourly_forecast } = await utilities.data<Forecast>('/weather/forecast');
		const [today, tomorrow] = daily_forecast;
		expect(today.date).toBe('2026-10-01');
		expect((await weather('北京')).weather.condition).toBe(today.day_condition);
		for (const { temperature } of hourly_forecast.slice(0, 24)) {
			expect(temperature).toBeGreaterThanOrEqual(today.min_temperature);
			expect(temperature).toBeLessThanOrEqual(today.max_temperature);
		}
		now += 86_400_000;
		expect((await utilities.data<Forecast>('/weather/forecast')).daily_forecast[0]).toEqual(tomorrow);
	});

	it('is warm in the south, cold in the north, and warns of heat and frost', async () => {
		now = Date.parse('2026-01-15T12:00:00+08:00');
		const north = await weather('哈尔滨');
		expect(north.weather.temperature).toBeLessThan(0);
		expect(north.alerts).toEqual([expect.objectContaining({ type: '寒潮' })]);
		expect((await weather('三亚')).weather.temperature).toBeGreaterThan(15);
	});

	it('knows when the sun rises', async () => {
		// 06:10 and 17:59 by the almanac.
		const { sunrise } = await weather('北京');
		expect(sunrise.sunrise_desc).toMatch(/^06:[01]\d$/);
		expect(sunrise.sunset_desc).toMatch(/^(17:5|18:0)\d$/);
		expect(sunrise.sunrise_at).toBe(Date.parse(`2026-10-01T${sunrise.sunrise_desc}:00+08:00`));
	});
});

describe('exchange rates', () => {
	interface Rates {
		base_code: string;
		rates: Array<{ currency: string; rate: number }>;
		updated_at: number;
		next_updated_at: number;
	}
	const rates = async (currency: string) => {
		const data = await utilities.data<Rates>(`/exchange-rate?currency=${currency}`);
		return { ...data, of: (code: string) => data.rates.find((rate) => rate.currency === code)!.rate };
	};

	it('fit together across base currencies', async () => {
		const [yuan, dollar, euro] = [await rates('CNY'), await rates('USD'), await rates('eur')];
		expect(euro.base_code).toBe('EUR');
		expect(dollar.of('USD')).toBe(1);
		expect(dollar.of('CNY') * yuan.of('USD')).toBeCloseTo(1, 6);
		expect(dollar.of('EUR') * euro.of('JPY')).toBeCloseTo(dollar.of('JPY'), 3);
	});

	it('are in yuan unless another currency is named, and change daily', async () => {
		const today = await utilities.data<Rates>('/exchange-rate');
		expect(today.base_code).toBe('CNY');
		expect(today.next_updated_at - today.updated_at).toBe(86_400_000);
		now += 86_400_000;
		expect((await utilities.data<Rates>('/exchange-rate')).rates).not.toEqual(today.rates);
	});
});

describe('fuel prices', () => {
	interface Fuel {
		region: string;
		items: Array<{ name: string; price: number }>;
		updated_at: number;
		trend: { next_adjustment_date: string };
	}
	const fuel = async (values: Record<string, string>) =>
		await utilities.data<Fuel>(`/fuel-price?${queryOf(values)}`);

	it('are of Beijing by default, and of regions by the end of their name', async () => {
		expect((await fuel({})).region).toBe('北京');
		expect((await fuel({ region: '深圳' })).region).toBe('广东深圳');
		const [beijing, hainan] = [await fuel({}), await fuel({ region: '海南' })];
		expect(hainan.items[1].price).toBeCloseTo(beijing.items[1].price + 1.12, 2);
	});

	it('stay until the next adjustment', async () => {
		const { items, trend } = await fuel({});
		now = Date.parse(`${trend.next_adjustment_date}T12:00:00+08:00`);
		expect((await fuel({})).trend.next_adjustment_date).toBe(trend.next_adjustment_date);
		now += 86_400_000;
		const after = await fuel({});
		expect(after.trend.next_adjustment_date > trend.next_adjustment_date).toBe(true);
		expect(after.items).not.toEqual(items);
	});

	it('are fetched anew for force-update', async () => {
		expect((await fuel({ 'force-update': 'false' })).updated_at).toBe(noon);
		expect((await fuel({})).updated_at).not.toBe(noon);
	});
});

it('fills every part of the gold prices', async () => {
	const gold =
		await utilities.data<Record<'metals' | 'stores' | 'banks' | 'recycle', object[]>>('/gold-price');
	expect(gold.metals).toHaveLength(9);
	for (const part of [gold.stores, gold.banks, gold.recycle]) {
		expect(part.length).toBeGreaterThan(2);
		for (const entry of part) {
			expect(entry).toMatchObject({ price: expect.stringMatching(/^\d+\.\d\d$/) as string, unit: '元/克' });
		}
	}
});

describe('translation', () => {
	interface Translation {
		source: { text: string; type: string; type_desc: string };
		target: { text: string; type: string; type_desc: string };
	}
	const translate = async (values: Record<string, string>) =>
		await utilities.data<Translation>(`/fanyi?${queryOf(values)}`);

	it('lists 109 languages, each once, by their letter', async () => {
		const list = await utilities.data<Array<{ code: string; alphabet: string }>>('/fanyi/langs');
		expect(new Set(list.map(({ code }) => code)).size).toBe(109);
		const letters = list.map(({ alphabet }) => alphabet);
		expect(letters).toEqual([...letters].sort());
	});

	it('detects the source and goes between Chinese and English by itself', async () => {
		expect(await translate({ text: 'Hello, world!' })).toMatchObject({
			source: { type: 'en', type_desc: '英语' },
			target: { text: '你好, 世界!', type: 'zh-CHS', type_desc: '中文' },
		});
		expect(await translate({ text: '你好世界' })).toMatchObject({
			source: { type: 'zh-CHS' },
			target: { text: 'hello world', type: 'en' },
		});
	});

	it.each([
		['ja', /^[\u3040-\u30ff]+ 42!$/],
		['ko', /^\p{Script=Hangul}+ 42!$/u],
		['ru', /^\p{Script=Cyrillic}+ 42!$/u],
		['ar', /^\p{Script=Arabic}+ 42!$/u],
		['fr', /^[a-z]+ 42!$/],
		['zh-CHT', /^\p{Script=Han}+ 42!$/u],
	])('writes %s in its own script and keeps numbers and punctuation', async (to, pattern) => {
		const { target } = await translate({ text: 'zebra 42!', to });
		expect(target.text).toMatch(pattern);
		expect(target.type).toBe(to);
	});
});

describe('lyrics', () => {
	interface Lyrics {
		title: string;
		lyrics: Array<{ ms: number; time: string; label: string; lyric: string }>;
		formatted: string;
		raw_lyric: string;
	}
	const lyric = async (values: Record<string, string>) =>
		await utilities.data<Lyrics>(`/lyric?${queryOf(values)}`);

	it.each<Record<string, string>>([{}, { clean: 'true' }, { clean: '0' }])(
		'leave out the credits for %o',
		async (clean) => {
			const { formatted, raw_lyric, lyrics } = await lyric({ query: '静夜思', ...clean });
			expect(formatted).toMatch(/^床前明月光\n疑是地上霜/);
			expect(raw_lyric).toContain('作词：李白');
			expect(lyrics[0].lyric).toBe('床前明月光');
		},
	);

	it('keep them when cleaning is switched off', async () => {
		const { formatted, lyrics } = await lyric({ query: '静夜思', clean: 'false' });
		expect(formatted).toMatch(/^作词：李白/);
		expect(lyrics[0].lyric).toBe('作词：李白');
	});

	it('carry times that rise', async () => {
		const { lyrics } = await lyric({ query: '晴天' });
		lyrics.forEach(({ ms, time, label }, index) => {
			expect(ms).toBeGreaterThan(lyrics[index - 1]?.ms ?? 0);
			expect(label).toMatch(new RegExp(`^\\[${time}\\.\\d\\d\\]$`));
		});
	});
});

it('reads domains of every form', async () => {
	const whois = async (domain: string) =>
		await utilities.data<{ domain: string }>(`/whois?${queryOf({ domain })}`);
	expect((await whois('https://www.example.com/path')).domain).toBe('example.com');
	expect((await whois('shop.example.co.uk')).domain).toBe('example.co.uk');
	expect(await whois('www.例子.中国')).toMatchObject({
		unicode_domain: '例子.中国',
		punycode_domain: 'xn--fsqu00a.xn--fiqs8s',
	});
});
