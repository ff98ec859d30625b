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

describe('GET /weather', () => {
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
	])('finds the place for "%s": %s %s', async (query, city, county) => {
		expect((await weather(query)).location).toMatchObject({ city, county });
	});

	it('accepts a city or a province instead of a query', async () => {
		const byCity = await utilities.data<Weather>(`/weather?${queryOf({ city: '成都' })}`);
		expect(byCity.location.city).toBe('成都市');
		const byProvince = await utilities.data<Weather>(`/weather?${queryOf({ province: '云南' })}`);
		expect(byProvince.location.city).toBe('昆明市');
	});

	it.each([
		[7, ''],
		[3, 'days=3'],
		[8, 'days=8'],
		[8, 'days=20'],
		[0, 'days=abc'],
	])('forecasts %i days for "%s"', async (count, parameter) => {
		const { daily_forecast, sunrise_sunset, hourly_forecast } = await utilities.data<Forecast>(
			`/weather/forecast?${parameter}`,
		);
		expect(daily_forecast).toHaveLength(count);
		expect(sunrise_sunset).toHaveLength(count);
		expect(hourly_forecast).toHaveLength(48);
	});

	it('matches its own forecast', async () => {
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

	it('is warm in the south and cold in the north, and warns of cold waves', async () => {
		now = Date.parse('2026-01-15T12:00:00+08:00');
		const north = await weather('哈尔滨');
		expect(north.weather.temperature).toBeLessThan(0);
		expect(north.alerts).toEqual([expect.objectContaining({ type: '寒潮' })]);
		expect((await weather('三亚')).weather.temperature).toBeGreaterThan(15);
	});

	it('returns sunrise and sunset', async () => {
		// 06:10 and 17:59 according to the almanac.
		const { sunrise } = await weather('北京');
		expect(sunrise.sunrise_desc).toMatch(/^06:[01]\d$/);
		expect(sunrise.sunset_desc).toMatch(/^(17:5|18:0)\d$/);
		expect(sunrise.sunrise_at).toBe(Date.parse(`2026-10-01T${sunrise.sunrise_desc}:00+08:00`));
	});
});

describe('GET /exchange-rate', () => {
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

	it('is consistent across base currencies', async () => {
		const [yuan, dollar, euro] = [await rates('CNY'), await rates('USD'), await rates('eur')];
		expect(euro.base_code).toBe('EUR');
		expect(dollar.of('USD')).toBe(1);
		expect(dollar.of('CNY') * yuan.of('USD')).toBeCloseTo(1, 6);
		expect(dollar.of('EUR') * euro.of('JPY')).toBeCloseTo(dollar.of('JPY'), 3);
	});

	it('uses yuan by default and changes daily', async () => {
		const today = await utilities.data<Rates>('/exchange-rate');
		expect(today.base_code).toBe('CNY');
		expect(today.next_updated_at - today.updated_at).toBe(86_400_000);
		now += 86_400_000;
		expect((await utilities.data<Rates>('/exchange-rate')).rates).not.toEqual(today.rates);
	});
});

describe('GET /fuel-price', () => {
	interface Fuel {
		region: string;
		items: Array<{ name: string; price: number }>;
		updated_at: number;
		trend: { next_adjustment_date: string };
	}
	const fuel = async (values: Record<string, string>) =>
		await utilities.data<Fuel>(`/fuel-price?${queryOf(values)}`);

	it('defaults to Beijing and finds regions by the end of their name', async () => {
		expect((await fuel({})).region).toBe('北京');
		expect((await fuel({ region: '深圳' })).region).toBe('广东深圳');
		const [beijing, hainan] = [await fuel({}), await fuel({ region: '海南' })];
		expect(hainan.items[1].price).toBeCloseTo(beijing.items[1].price + 1.12, 2);
	});

	it('keeps prices until the next adjustment', async () => {
		const { items, trend } = await fuel({});
		now = Date.parse(`${trend.next_adjustment_date}T12:00:00+08:00`);
		expect((await fuel({})).trend.next_adjustment_date).toBe(trend.next_adjustment_date);
		now += 86_400_000;
		const after = await fuel({});
		expect(after.trend.next_adjustment_date > trend.next_adjustment_date).toBe(true);
		expect(after.items).not.toEqual(items);
	});

	it('refreshes the cache for force-update', async () => {
		expect((await fuel({ 'force-update': 'false' })).updated_at).toBe(noon);
		expect((await fuel({})).updated_at).not.toBe(noon);
	});
});

describe('GET /gold-price', () => {
	it('returns metals, stores, banks and recycling', async () => {
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
});
