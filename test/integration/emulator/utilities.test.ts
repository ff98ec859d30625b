import jsQR from 'jsqr';
import { GifReader } from 'omggif';
import { utilityEndpoints } from '../../../emulator/utilities';
import { useGateway } from './gateway';
import observed from './utilities/observations.json';

/** 11:30 in China on the first day of the National Day holiday. */
const noon = Date.parse('2026-10-01T11:30:00+08:00');
const gateway = useGateway({ now: () => noon });

/** Asks a utility. @param address below `/v2/apis`, such as `/weather?query=上海` */
const ask = async (address: string) => {
	const { headers, data } = await gateway.get(`/v2/apis${address}`, { responseType: 'arraybuffer' });
	return { type: headers['content-type'] as string | undefined, bytes: Buffer.from(data as ArrayBuffer) };
};

/** The `data` of a JSON answer. */
const dataOf = async (address: string): Promise<unknown> => {
	const { code, data } = JSON.parse((await ask(address)).bytes.toString()) as { code: number; data: unknown };
	expect(code).toBe(200);
	return data;
};

/** A type of a value, an object of shapes, or a list whose elements all have one shape; `[]` is any list. */
type Shape = 'string' | 'number' | 'boolean' | 'nullable' | { [field: string]: Shape } | Shape[];

/** An endpoint as a comparable service was observed to answer it. */
interface Observation {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** The encoding of the response without `encoding`, or the content type of a file in no encoding. */
	fallback: string;
	encodings: string[];
	/** Shape of `data` in the JSON response; `nullable` is a string or number that was null in an observed response. */
	shape?: Shape;
}
const observations = observed as Observation[];

/** Where a value differs from a shape, one line per difference. */
function differences(value: unknown, shape: Shape, place: string): string[] {
	if (Array.isArray(shape)) {
		if (!Array.isArray(value)) return [`${place} is not a list`];
		const [element] = shape;
		return element === undefined
			? []
			: value.flatMap((entry, index) => differences(entry, element, `${place}[${index}]`));
	}
	if (typeof shape === 'object') {
		if (typeof value !== 'object' || value === null) return [`${place} is not an object`];
		const fields = new Set([...Object.keys(shape), ...Object.keys(value)]);
		return [...fields].flatMap((field) => {
			const expected = shape[field];
			if (expected === undefined) return [`${place}.${field} is unknown`];
			return differences((value as Record<string, unknown>)[field], expected, `${place}.${field}`);
		});
	}
	if (shape === 'nullable') {
		return value === null || ['string', 'number'].includes(typeof value)
			? []
			: [`${place} is ${typeof value}`];
	}
	return typeof value === shape && !Number.isNaN(value)
		? []
		: [`${place} is ${String(value)}, not a ${shape}`];
}

/** A request that succeeds. */
function exampleOf(wanted: string, encoding?: string): string {
	const { path, example = path } = utilityEndpoints.find((endpoint) => endpoint.path === wanted)!;
	if (!encoding) return example;
	return `${example}${example.includes('?') ? '&' : '?'}encoding=${encoding}`;
}

describe.each(observations)('GET $path', ({ path, fallback, encodings, shape }) => {
	it('has the observed encoding unless another one is asked for', async () => {
		const typeOf = async (encoding?: string) => (await ask(exampleOf(path, encoding))).type;
		const isEncoding = encodings.includes(fallback);
		expect(await typeOf()).toEqual(isEncoding ? await typeOf(fallback) : expect.stringContaining(fallback));
	});

	if (shape === undefined) return;
	it('returns every observed field with its observed type', async () => {
		const data = await dataOf(exampleOf(path, 'json'));
		expect(differences(data, shape, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});
});

const queryOf = (values: Record<string, string>) => new URLSearchParams(values).toString();

describe('A parameter of a utility endpoint', () => {
	it.each<[parameter: string, address: string, expected: object]>([
		['the day of the digest', '/60s?date=2026-08-21', { date: '2026-08-21', day_of_week: '星期五' }],
		['a fresh digest', '/60s?force-update=true', { api_updated_at: noon }],
		['the day of the news', '/ai-news?date=2026-09-28', { date: '2026-09-28' }],
		['the news of all days', '/ai-news?all=1', { date: 'all' }],
		['any day in history', '/today-in-history?date=2020-02-29', { month: 2, day: 29 }],
		['the base currency', '/exchange-rate?currency=USD', { base_code: 'USD' }],
		['no base currency', '/exchange-rate', { base_code: 'CNY' }],
		['a region with fuel', `/fuel-price?${queryOf({ region: '深圳' })}`, { region: '广东深圳' }],
		['the latest games', '/olympics', { event_id: 'milano-cortina-2026' }],
		['certain games', '/olympics?id=paris-2024', { event_id: 'paris-2024' }],
		['a color', '/color/random?color=%23f53', { hex: '#FF5533' }],
		['a base color', '/color/palette?color=FF0000', { metadata: { total_palettes: 8 } }],
		['the body', '/health?height=175&weight=70&age=30&gender=male', { bmi: { value: 22.86 } }],
		['the length of a password', '/password?length=40', { length: 40 }],
		['a password', '/password/check?password=hunter2', { score: 38 }],
		['content to hash', '/hash?content=hello', { md5: '5d41402abc4b2a76b9719d911017c592' }],
		['a domain', '/whois?domain=https%3A%2F%2Fwww.example.com%2Fpath', { domain: 'example.com' }],
		['a place', `/weather?${queryOf({ query: '海淀区' })}`, { location: { city: '北京市', county: '海淀' } }],
		['a city', `/weather?${queryOf({ city: '成都' })}`, { location: { city: '成都市' } }],
		['a name', '/fabing?id=1&name=Bob', { saying: expect.stringContaining('Bob') }],
		['no name', '/fabing?id=1', { saying: expect.stringContaining('主人') }],
		['a caller', '/ip?ip=8.8.8.8', { ip: '8.8.8.8' }],
		[
			'a text to translate',
			`/fanyi?${queryOf({ text: 'Hello, world!' })}`,
			{ source: { type: 'en' }, target: { text: '你好, 世界!', type: 'zh-CHS' } },
		],
		['the language of a translation', '/fanyi?text=zebra&to=ja', { target: { type: 'ja' } }],
	])('is %s', async (_parameter, address, expected) => {
		expect(await dataOf(address)).toMatchObject(expected);
	});

	it.each([
		[8, '/weather/forecast?days=20', 'daily_forecast'],
		[3, '/weather/forecast?days=3', 'daily_forecast'],
		[109, '/fanyi/langs', undefined],
		[3, '/tech-news/best?limit=3', undefined],
		[50, '/music-rank/3778678', undefined],
	])('limits a list to %i entries in %s', async (count, address, field) => {
		const data = await dataOf(address);
		expect(field ? (data as Record<string, object[]>)[field] : data).toHaveLength(count);
	});

	it.each([
		[128, 1, 'text=hello&size=128'],
		[256, 1, 'text=hello'],
		[256, 3, `text=${'a'.repeat(50)}&level=L`],
		[256, 6, `text=${'a'.repeat(50)}&level=H`],
	])('makes a QR code of %i pixels in version %i of %s', async (pixels, version, query) => {
		const reader = new GifReader((await ask(`/qrcode?${query}`)).bytes);
		const image = new Uint8ClampedArray(reader.width * reader.height * 4);
		reader.decodeAndBlitFrameRGBA(0, image);
		expect([reader.width, reader.height]).toEqual([pixels, pixels]);
		const text = new URLSearchParams(query).get('text');
		expect(jsQR(image, reader.width, reader.height)).toMatchObject({ data: text, version });
	});
});
