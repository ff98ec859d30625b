import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { searchList } from '../engine/listSearch';
import { chosen } from '../engine/chosen';
import { fileBytes } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

const gateway = useNode('utilities');
/** Runs one operation; other parameters keep the value that they have in a new node. */
const run = async (operation: string, parameters: object = {}) =>
	await gateway.run({ operation, ...parameters });
const sent = () => gateway.emulator.journal.entries().map(({ query }) => query);
/** Makes every utility answer with this. */
function answerWith(status: number, body: unknown, contentType?: string) {
	gateway.fail('GET /v2/apis/*', { kind: 'status', status, body, contentType, times: 'always' });
}

describe('Output', () => {
	it('has the entries of the main list of the endpoint, or of the list in Options', async () => {
		const forecast = { query: '上海', splitOutLists: true };
		const usual = await run('weatherForecast', { ...forecast, options: { days: 3 } });
		expect(usual.items).toHaveLength(3);
		expect(usual.items[0].json).toHaveProperty('max_temperature');
		const named = await run('weatherForecast', {
			...forecast,
			options: { listToSplitOut: 'hourly_forecast' },
		});
		expect(named.items).toHaveLength(48);
		const missing = await run('weatherForecast', { ...forecast, options: { listToSplitOut: 'hours' } });
		expect(missing.error?.message).toBe('List to Split Out is "hours", but the response has no such list');
		expect(missing.error?.description).toContain('hourly_forecast, daily_forecast, sunrise_sunset');
	});

	it('is the whole response without Simplify', async () => {
		const json = { encoding: 'json', simplify: false, splitOutLists: true };
		const { items } = await run('worldNews', json);
		const { url, apiKey } = gateway.emulator;
		const headers = { authorization: `Bearer ${apiKey}` };
		const response = await fetch(`${url}/v2/apis/60s?encoding=json`, { headers });
		expect(items.map((item) => item.json)).toEqual([await response.json()]);
	});

	it('has no items but a hint for an empty list', async () => {
		const { items, hints } = await run('musicChart', { id: chosen('1') });
		expect(items).toEqual([]);
		expect(hints).toEqual(['The gateway returned an empty list, so this item has no output']);
	});

	it('has fields and a hint for JSON although text was asked for', async () => {
		answerWith(200, { code: 200, message: 'ok', data: { quote: 'hello' } });
		const { items, hints } = await run('quote', { encoding: 'text' });
		expect(items[0].json).toEqual({ quote: 'hello' });
		expect(hints).toEqual(['The gateway returned JSON although Return As is "text"']);
		answerWith(200, 'GIF89a, and so on', 'image/gif');
		const file = await run('quote', { encoding: 'text' });
		expect(file.hints).toEqual(['The gateway returned a file although Return As is "text"']);
	});

	it('is the text of a page if Return As is HTML', async () => {
		const { items, hints } = await run('color', { encoding: 'html' });
		expect([items[0].json.text, hints]).toEqual([expect.stringMatching(/^<!DOCTYPE html>/), []]);
	});

	it('has an image from another host, even if the credential is restricted, downloaded without the key', async () => {
		const allowedDomains = new URL(gateway.emulator.url).hostname;
		const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains };
		const credential = { ...gateway.credential(), ...restricted };
		for (const encoding of ['image', 'image-proxy']) {
			gateway.emulator.journal.clear();
			const parameters = { operation: 'worldNews', encoding, binaryPropertyName: 'digest' };
			const { items, error } = await gateway.run(parameters, {}, { credential });
			expect(error).toBeUndefined();
			const { digest } = items[0].binary!;
			expect(digest).toMatchObject({ mimeType: 'image/png', fileName: 'World News Digest.png' });
			const bytes = await fileBytes(digest);
			expect(bytes.subarray(1, 4).toString()).toBe('PNG');
			expect(items[0].json.bytes).toBe(bytes.length);
			const keys = gateway.emulator.journal
				.entries()
				.map(({ path, key }) => [path.startsWith('/v2/apis'), key]);
			const [own, foreign] = [
				[true, 'valid'],
				[false, 'missing'],
			];
			expect(keys).toEqual(encoding === 'image' ? [own, foreign] : [own]);
		}
	});

	it('has an image to which the gateway redirects, or its link, for one request', async () => {
		const picture = 'GET /__emulator/files/*';
		gateway.fail(picture, { kind: 'status', status: 503 });
		const { items } = await run('worldNews', { encoding: 'image', options: { maxRetries: 1 } });
		expect(items[0].binary).toHaveProperty('data');
		const asked = () => gateway.emulator.journal.entries().map(({ path }) => path.split('/')[1]);
		expect(asked()).toEqual(['v2', '__emulator', '__emulator']);
		gateway.fail(picture, { kind: 'status', status: 404, times: 'always' });
		const { error } = await run('worldNews', { encoding: 'image', options: { maxRetries: 0 } });
		expect(error?.message).toContain('could not be downloaded');
		const details = { kind: 'download', charge: 'certain', partial: { url: expect.stringMatching(/png$/) } };
		expect(error).toMatchObject({ context: { data: details } });
		expect(asked().filter((part) => part === 'v2')).toHaveLength(2);
	});
});

describe('Request', () => {
	it.each([
		['qrCode', { text: 'x', options: { size: 25.5 } }, 'Size (Pixels) is 25.5, but must be a whole number'],
		['healthReport', { gender: 'male' }, 'Height (cm) is 0, but must be 1 or more'],
	])('to %s, %s is not sent with a value that is not allowed', async (operation, parameters, message) => {
		const { error } = await run(operation, parameters);
		expect(error?.message).toBe(message);
		expect(gateway.emulator.journal.count()).toBe(0);
	});

	it('contains Extra Query Parameters, and a value of its path in one segment', async () => {
		const empty = { name: 'force-update', value: '={{ null }}' };
		const extraQuery = { parameter: [{ name: 'limit', value: '3' }, empty] };
		const { items } = await run('techNews', { type: 'new', options: { extraQuery } });
		expect(items).toHaveLength(3);
		const encoding = { parameter: [{ name: 'encoding', value: 'text' }] };
		await run('techNews', { type: 'new', options: { extraQuery: encoding } });
		await run('musicChart', { id: chosen('a/b?') });
		expect(gateway.emulator.journal.entries().map(({ path, query }) => [path, query])).toEqual([
			['/v2/apis/tech-news/new', { encoding: 'json', limit: '3' }],
			['/v2/apis/tech-news/new', { encoding: 'text' }],
			['/v2/apis/music-rank/a%2Fb%3F', { encoding: 'json' }],
		]);
	});
});

it('Extra Query Parameters stand for an empty field, about which there is no hint then', async () => {
	const city = { parameter: [{ name: 'city', value: '上海' }] };
	expect((await run('currentWeather', { options: { extraQuery: city } })).hints).toEqual([]);
	expect((await run('currentWeather', {})).hints).toEqual(['City is empty, so the gateway chose it']);
});

it('A text that names its day without a year is of the year that was asked for', async () => {
	answerWith(200, '每天60秒读懂世界 12月31日\n\n1. 新闻', 'text/plain');
	const { items, error } = await run('worldNews', { encoding: 'text', options: { date: '2024-12-31' } });
	expect(error).toBeUndefined();
	expect(items[0].json.date).toBe('2024-12-31');
});

describe('Failure', () => {
	it('has the message in the data for a failing code despite status 200', async () => {
		const { error } = await run('currentWeather', { query: '火星', encoding: 'text' });
		expect(error?.message).toBe('The gateway found nothing: 未找到城市: 火星。请检查城市名称拼写是否正确');
		expect(error?.description).toMatch(/^Most gateways know only places in China/);
		expect(gateway.emulator.journal.count()).toBe(1);
		const { error: region } = await run('fuelPrices', { region: '火星' });
		expect(region?.message).toBe('The gateway rejected the request: 暂不支持 火星 区域查询');
	});

	it.each<[string, number, string, RegExp, object?]>([
		['ipAddress', 414, 'too long for the gateway', /^They are part of the URL/],
		['ipAddress', 431, 'too long for the gateway', /^They are part of the URL/],
		['ipAddress', 404, 'found nothing (status 404)', /^Check Extra Query .* never finds anything/],
		['ipAddress', 407, 'proxy', /HTTP_PROXY/],
		['ipAddress', 413, 'too large', /^Shorten the text/],
		['ipAddress', 401, 'API key', /enter the API Key again/],
		['worldNews', 400, 'rejected', /^Check Return As\. /],
		['exchangeRates', 400, 'rejected', /^Check Base Currency\. /],
		['exchangeRates', 500, 'unavailable', /Some utilities fail with this error .* Check Base Currency\./],
		[
			'currentWeather',
			404,
			'found nothing',
			/^Try the Chinese name of "Bern"\. .* OpenWeatherMap node of n8n\. Check City/,
		],
		['weatherForecast', 500, 'unavailable', /use the OpenWeatherMap node of n8n\. Check City and Days\./],
		['videoHot', 200, 'rejected the request: 暂无数据', /^Check/, { data: { message: '暂无数据' } }],
	])('has advice for a utility: %s, status %d', async (operation, status, message, advice, body = {}) => {
		answerWith(status, body, 'application/json');
		const { error } = await run(operation, { query: 'Bern', options: { maxRetries: 0, days: 2 } });
		expect(error?.message).toContain(message);
		expect(error?.description).toMatch(advice);
	});
});

describe('Translate Text', () => {
	it.each([
		['as in a new node', {}, { from: 'auto', to: 'auto' }],
		['left out', { to: '={{ "" }}' }, { from: 'auto' }],
		['chosen', { to: chosen('fr') }, { from: 'auto', to: 'fr' }],
	])('may have its language %s', async (_how, parameters, languages) => {
		const { error } = await run('translate', { text: 'hello', ...parameters });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([{ text: 'hello', ...languages, encoding: 'json' }]);
	});

	it('says that a language is a code, also to a model that has entered its name', async () => {
		const { error } = await run('translate', { text: 'hello', to: chosen('German') });
		expect(error?.description).toContain('Check Text, From (e.g. en), and To (e.g. fr).');
	});
});

describe('Target Currencies', () => {
	const rates = ['CNY', 'EUR', 'USD', 'CHF'].map((currency, rate) => ({ currency, rate, id: 7 }));
	const answer = { base_code: 'CNY', updated: 'now', updated_at: 1_787_313_600_000, rates };
	const get = async (targets: unknown, more: object = {}) => {
		answerWith(200, { code: 200, message: 'ok', data: answer }, 'application/json');
		const { items, error, hints } = await run('exchangeRates', { targets, splitOutLists: true, ...more });
		return { json: items.map(({ json }) => json), error, hints };
	};

	it('are the items, in their order, without what they have in common', async () => {
		const of = (...wanted: number[]) => wanted.map((rate) => ({ currency: rates[rate].currency, rate }));
		expect((await get('')).json).toEqual(of(0, 1, 2, 3));
		expect((await get(' , ')).json).toEqual(of(0, 1, 2, 3));
		for (const text of ['usd, EUR', 'USD EUR', 'USD；eur,', 'USD,EUR,USD', ['USD', 'EUR']]) {
			expect((await get(text)).json).toEqual(of(2, 1));
		}
		const { json } = await get('EUR', { splitOutLists: false });
		const updated_at = '2026-08-21T12:00:00.000Z';
		expect(json).toEqual([{ base_code: 'CNY', updated: 'now', updated_at, rates: of(1) }]);
	});

	it('are not sent, and do not change the raw response', async () => {
		const { json } = await get('EUR', { simplify: false });
		expect(json).toEqual([expect.objectContaining({ data: answer })]);
		await get('EUR');
		expect(sent()).toEqual([1, 2].map(() => ({ currency: 'CNY', encoding: 'json' })));
	});

	it('are named if the gateway does not have them', async () => {
		const { json, hints } = await get('EUR, XXX');
		expect(json).toHaveLength(1);
		expect(hints).toEqual([expect.stringMatching(/^Target Currencies: the response does not have XXX/)]);
		const { error } = await get('XXX, YYY');
		expect(error?.message).toBe('Target Currencies names nothing that the response has ("XXX, YYY")');
		expect(error?.description).not.toContain('Nothing was sent');
	});
});

describe('Custom Endpoint', () => {
	const custom = async (parameters: object) => await run('getCustomEndpoint', parameters);

	it('sends the path, its query, the query parameters, and the encoding', async () => {
		const { items, error } = await custom({
			path: 'weather/forecast?days=2&tag=c',
			queryParameters: {
				parameter: [
					{ name: 'query', value: '上海' },
					{ name: 'tag', value: 'a' },
					{ name: 'tag', value: 'b&c=d' },
					{ name: '', value: '' },
				],
			},
			encoding: 'text',
		});
		expect(error).toBeUndefined();
		expect(items[0].json.text).toContain('上海');
		const [{ path, query }] = gateway.emulator.journal.entries();
		expect(path).toBe('/v2/apis/weather/forecast');
		expect(query).toEqual({ query: '上海', days: '2', tag: ['c', 'a', 'b&c=d'], encoding: 'text' });
	});

	it('outputs fields, lists, files, and web pages', async () => {
		expect((await custom({ path: 'quote' })).items[0].json).toHaveProperty('hitokoto');
		expect((await custom({ path: 'video-hot', splitOutLists: true })).items).toHaveLength(10);
		const whole = await custom({ path: 'quote', simplify: false });
		expect(whole.items[0].json).toHaveProperty('code', 200);
		const queryParameters = { parameter: [{ name: 'text', value: 'hello' }] };
		const drawn = await custom({ path: 'qrcode', queryParameters, binaryPropertyName: 'code' });
		expect(drawn.items[0].binary!.code).toMatchObject({ mimeType: 'image/gif', fileName: 'qrcode.gif' });
		const page = await custom({ path: 'color/random', encoding: 'html' });
		expect(page.items[0].json.text).toMatch(/^<!DOCTYPE html>/);
		gateway.fail('GET /v2/apis/*', { kind: 'html', status: 200 });
		const other = await custom({ path: 'color/random', encoding: '' });
		expect(other.items[0].json.text).toMatch(/<html/);
		answerWith(200, 'GIF89a, and so on', 'image/gif');
		expect((await custom({ path: '天气' })).items[0].binary!.data.fileName).toBe('天气.gif');
	});

	it('downloads a picture again as often as Max Retries says', async () => {
		const image = `${gateway.emulator.url}/__emulator/files/images/gone.png`;
		answerWith(200, { code: 200, message: 'ok', data: { image } });
		const parameters = { path: 'qrcode', encoding: 'image', options: { maxRetries: 0 } };
		gateway.emulator.behaviour.set('GET /__emulator/*', {
			faults: [{ kind: 'status', status: 503, times: 'always' }],
		});
		const { error } = await custom(parameters);
		expect(error).toBeDefined();
		expect(gateway.emulator.journal.count('GET /__emulator/*')).toBe(1);
		const text = { status: 200, body: 'Gone', contentType: 'text/plain' };
		gateway.fail('GET /__emulator/*', { kind: 'status', ...text });
		expect((await custom(parameters)).error?.message).toContain('it is text/plain instead of an image');
	});
});

describe('Pickers', () => {
	const search = async (method: string, filter?: string) =>
		(await searchList(new Utilities(), method, gateway.credential(), filter)).results;

	it('find languages by English name, own name, or code', async () => {
		const all = await search('searchLanguages');
		expect(all.length).toBeGreaterThan(5);
		expect(all[0]).toEqual({ name: 'Automatic', value: 'auto' });
		expect(await search('searchLanguages', 'german')).toEqual([{ name: 'German 德语 (de)', value: 'de' }]);
		expect(await search('searchLanguages', '法语')).toEqual([{ name: 'French 法语 (fr)', value: 'fr' }]);
		expect((await search('searchLanguages', 'simplified')).map(({ value }) => value)).toEqual(['zh-CHS']);
		const labels = Object.entries({ auto: '语', 'zh-CHT': '语', tlh: '', 'no code': '语', xqq: '' });
		answerWith(200, { code: 200, message: 'ok', data: labels.map(([code, label]) => ({ code, label })) });
		const names = (await search('searchLanguages')).map(({ name }) => name).join(', ');
		expect(names).toBe('Automatic, (xqq), Chinese (Traditional) 语 (zh-CHT), Klingon (tlh), 语 (no code)');
	});

	it('find music charts by name and return the ID', async () => {
		expect((await search('searchMusicCharts')).length).toBeGreaterThan(3);
		expect(await search('searchMusicCharts', '热歌')).toEqual([{ name: '热歌榜', value: '3778678' }]);
	});

	it('say why a list cannot be loaded and what to do instead', async () => {
		answerWith(200, { code: 403, message: 'not for you', data: null });
		await expect(search('searchLanguages')).rejects.toThrow(
			/is not allowed to make this request.*You can also select "ID"/,
		);
		answerWith(200, { code: 200, message: 'ok', data: { message: '暂无数据' } });
		await expect(search('searchMusicCharts')).rejects.toThrow('暂无数据');
		answerWith(200, { code: 200, message: 'ok', data: [{ id: 7 }] });
		expect(await search('searchMusicCharts')).toEqual([{ name: '7', value: '7' }]);
		answerWith(200, { code: 200, message: 'ok', data: [{ id: null }] });
		await expect(search('searchMusicCharts')).rejects.toThrow(/field "data.0"/);
	});
});
