import { chosen } from '../engine/chosen';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { catalogue } from '../../../nodes/Utilities/catalogue';

const gateway = useEmulator();
/** Runs one operation; other parameters keep the value that they have in a new node. */
async function run(operation: string, parameters: object = {}, settings: object = {}) {
	return await runWorkflow(oneNode('utilities', { operation, ...parameters }, settings), {
		credential: gateway.credential(),
	});
}
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
		const missing = await run('weatherForecast', {
			...forecast,
			options: { listToSplitOut: 'hours' },
		});
		expect(missing.error?.message).toBe('List to Split Out is "hours", but the response has no such list');
		expect(missing.error?.description).toContain('hourly_forecast, daily_forecast, sunrise_sunset');
	});

	it('has an item that says so for a response without content', async () => {
		gateway.fail('GET /v2/apis/*', { kind: 'empty', status: 204, times: 'always' });
		const { items, error } = await run('fastFoodCopy', { encoding: 'text' });
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: { text: '', empty: true, message: 'The gateway has no content for this request' },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('has no items but a hint for an empty list', async () => {
		const { items, hints } = await run('musicChart', {
			id: chosen('1'),
		});
		expect(items).toEqual([]);
		expect(hints).toEqual(['The gateway returned an empty list, so this item has no output']);
	});

	it('has fields and a hint for JSON although text was asked for', async () => {
		answerWith(200, { code: 200, message: 'ok', data: { quote: 'hello' } });
		const { items, hints } = await run('quote', { encoding: 'text' });
		expect(items[0].json).toEqual({ quote: 'hello' });
		expect(hints).toEqual(['The gateway returned JSON although Return As is "text"']);
	});

	it('has a file for an image although JSON was asked for', async () => {
		const { items, hints, error } = await run('qrCode', {
			text: 'hello',
			encoding: 'json',
			options: { extraQuery: { parameter: [{ name: 'encoding', value: '' }] } },
		});
		expect(hints).toEqual([]);
		expect(error).toBeUndefined();
		expect(items[0].binary!.data.mimeType).toBe('image/gif');
	});

	it('has an image from another host, which is downloaded without the key', async () => {
		for (const encoding of ['image', 'image-proxy']) {
			gateway.emulator.journal.clear();
			const { items, error } = await run('worldNews', { encoding, binaryPropertyName: 'digest' });
			expect(error).toBeUndefined();
			const { digest } = items[0].binary!;
			expect(digest).toMatchObject({ mimeType: 'image/png', fileName: 'World News Digest.png' });
			expect((await fileBytes(digest)).subarray(1, 4).toString()).toBe('PNG');
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

	it('has an image from another host even if the credential is restricted to the gateway', async () => {
		const json = oneNode('utilities', { operation: 'worldNews', encoding: 'image' });
		const { items, error } = await runWorkflow(json, {
			credential: {
				...gateway.credential(),
				allowedHttpRequestDomains: 'domains',
				allowedDomains: new URL(gateway.emulator.url).hostname,
			},
		});
		expect(error).toBeUndefined();
		expect(items[0].binary!.data.mimeType).toBe('image/png');
	});
});

describe('Request', () => {
	it('contains a day as entered, and an instant as the day in the time zone of the workflow', async () => {
		await run('worldNews', { options: { date: '2026-08-21T23:30:00.000+08:00' } });
		await run('aiNews', { options: { date: '={{ new Date("2026-08-21T23:30:00Z") }}' } });
		const json = oneNode('utilities', {
			operation: 'todayInHistory',
			options: { date: '={{ new Date("2026-08-21T23:30:00Z") }}' },
		});
		await runWorkflow(
			{ ...json, settings: { timezone: 'Asia/Shanghai' } },
			{ credential: gateway.credential() },
		);
		const [first, , third] = sent();
		expect(first).toEqual({ date: '2026-08-21', encoding: 'text' });
		expect(third).toEqual({ date: '2026-08-22', encoding: 'json' });
		const { error } = await run('worldNews', { options: { date: '2026-02-30' } });
		expect(error?.message).toBe('Date is not a date: "2026-02-30"');
	});

	it('does not contain options of another operation', async () => {
		await run('joke', { options: { date: '2026-08-21', days: 3, level: 'H' } });
		expect(sent()).toEqual([{ encoding: 'json' }]);
	});

	it.each([
		['weatherForecast', { options: { days: 9 } }, 'Days is 9, but must be a number from 1 to 8'],
		[
			'qrCode',
			{ text: 'x', options: { level: 'Z' } },
			'Error Correction is "Z", which is not one of the choices',
		],
		['qrCode', { text: 'x', options: { size: 25.5 } }, 'Size (Pixels) is 25.5, but must be a whole number'],
		['techNews', { type: 'worst' }, 'Board is "worst", which is not one of the choices'],
		['healthReport', { gender: 'male' }, 'Height (cm) is 0, but must be 1 or more'],
		['healthReport', { height: 170, weight: 60, age: 30, gender: '={{ "" }}' }, 'Gender is empty'],
		['worldNews', { options: { 'force-update': 'maybe' } }, 'Refresh Cache is neither on nor off: "maybe"'],
		['musicChart', { id: '={{ "" }}' }, 'Chart is empty'],
		['translate', { text: 'hello', to: '={{ "" }}' }, 'To is empty'],
		['joke', { encoding: '={{ "HTML" }}' }, 'Return As is "HTML", which is not one of the choices'],
	])('to %s, %s is not sent with a value that is not allowed', async (operation, parameters, message) => {
		const { error } = await run(operation, parameters);
		expect(error?.message).toBe(message);
		expect(gateway.emulator.journal.count()).toBe(0);
	});

	it('contains Extra Query Parameters and goes to Endpoint Path', async () => {
		const extraQuery = { parameter: [{ name: 'limit', value: '3' }] };
		const { items } = await run('techNews', { type: 'new', options: { extraQuery } });
		expect(items).toHaveLength(3);
		await run('quote', { options: { endpointPath: 'v2/apis/dad-joke' } });
		await run('techNews', { type: 'best', options: { endpointPath: '/v2/apis/tech-news/{type}' } });
		await run('techNews', { type: 'best', options: { endpointPath: '/v2/apis/quote' } });
		expect(gateway.emulator.journal.entries().map(({ path, query }) => [path, query])).toEqual([
			['/v2/apis/tech-news/new', { encoding: 'json', limit: '3' }],
			['/v2/apis/dad-joke', { encoding: 'json' }],
			['/v2/apis/tech-news/best', { encoding: 'json' }],
			['/v2/apis/quote', { type: 'best', encoding: 'json' }],
		]);
	});
});

/** The parameters whose example is Chinese. */
const named = catalogue.flatMap(({ value, parameters }) =>
	parameters
		.filter(({ placeholder = '' }) => /\p{Script=Han}/u.test(placeholder))
		.map(({ name, displayName }) => ({ operation: value, name, displayName })),
);

describe('Failure', () => {
	const once = { options: { maxRetries: 0 } };

	it('has the message in the data for a failing code despite status 200', async () => {
		const { error } = await run('currentWeather', { query: '火星', encoding: 'text' });
		expect(error?.message).toBe('The gateway found nothing: 未找到城市: 火星。请检查城市名称拼写是否正确');
		expect(gateway.emulator.journal.count()).toBe(1);
		const { error: region } = await run('fuelPrices', { region: '火星' });
		expect(region?.message).toBe('The gateway rejected the request: 暂不支持 火星 区域查询');
	});

	it.each(named)('first advises the Chinese name if $displayName of $operation is not found', async (one) => {
		const { operation, name } = one;
		answerWith(200, { code: 404, message: '未找到', data: null }, 'application/json');
		const latin = await run(operation, { [name]: 'London' });
		expect(latin.error?.description).toMatch(/^Try the Chinese name of "London"\. Check /);
		const chinese = await run(operation, { [name]: '火星火星' });
		expect(chinese.error?.description).toMatch(/^Check /);
	});

	it.each([
		['exchangeRates', { currency: 'XYZ' }, 'Cannot convert undefined', 'Check Base Currency.'],
		['exchangeRates', { currency: 'XYZ', encoding: 'text' }, 'Cannot', 'Check Base Currency and Return As.'],
		['olympicMedals', { options: { id: 'bern-2030' } }, '404 Not Found', 'Check Event ID.'],
		['qrCode', { text: 'x'.repeat(3000) }, 'Text too long to encode', 'Check Text and Return As.'],
	])('names the parameters at once for a crash of %s with %j', async (operation, values, words, check) => {
		const { error } = await run(operation, values);
		expect(error?.message).toMatch(new RegExp(`rejected the request: .*${words}`));
		expect(error?.description).toBe(`${check} The request was not carried out.`);
		expect(gateway.emulator.journal.count()).toBe(1);
	});

	it('is retried for a crash that may pass, and names the parameters as well', async () => {
		answerWith(500, { code: 500, message: '服务器出错了... fetch failed', data: null });
		const { error } = await run('exchangeRates', { options: { maxRetries: 1 } });
		expect(error?.message).toMatch(/is temporarily unavailable \(status 500, tried 2 times\)/);
		expect(error?.description).toMatch(/for a value that they do not know. Check Base Currency\.$/);
		expect(gateway.emulator.journal.count()).toBe(2);
	});

	it('names Return As when a gateway refuses the one that is not in the interface', async () => {
		answerWith(400, { error: { message: 'unsupported', type: 'invalid_request_error', code: '' } });
		const { error } = await run('qrCode', { text: 'x' });
		expect(error?.description).toBe('Check Text and Return As. The request was not carried out.');
	});

	it('says that nothing was found without mentioning a model', async () => {
		const { error } = await run('encyclopedia', { word: 'qwertz-nothing' });
		expect(error?.message).toBe('The gateway found nothing: 未找到相关词条');
		expect(String(error?.description)).not.toContain('model');
	});

	it('says that a text is too long for a URL', async () => {
		const { error } = await run('translate', { text: '长'.repeat(20_000), to: '={{ "en" }}', ...once });
		expect(error?.message).toBe('The parameters of this item are too long for the gateway');
	});
});
