import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';
import { searchList } from '../engine/listSearch';
import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator();

/** Runs one operation; other parameters keep the value that they have in a new node. */
async function run(operation: string, parameters: object = {}) {
	return await runWorkflow(oneNode('utilities', { operation, ...parameters }), {
		credential: gateway.credential(),
	});
}
const sent = () => gateway.emulator.journal.entries().map(({ query }) => query);

describe('Custom Endpoint', () => {
	const custom = async (parameters: object) => await run('getCustomEndpoint', parameters);

	it('that the gateway does not have fails with the names of its own parameters', async () => {
		const { error } = await custom({ path: 'horoscopes' });
		expect(error?.message).toMatch(/^The gateway found nothing/);
		expect(error?.description).toMatch(/^Check Prefix, Path, and Query Parameters\./);
		expect(error?.description).not.toContain('Endpoint Path');
	});

	it('sends the path, the query parameters, and the encoding', async () => {
		const { items, error } = await custom({
			path: 'weather/forecast',
			queryParameters: {
				parameter: [
					{ name: 'query', value: '上海' },
					{ name: 'days', value: '2' },
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
		expect(query).toEqual({ query: '上海', days: '2', tag: ['a', 'b&c=d'], encoding: 'text' });
	});

	it('outputs fields, lists, files, and web pages', async () => {
		expect((await custom({ path: 'quote' })).items[0].json).toHaveProperty('hitokoto');
		expect((await custom({ path: 'video-hot', splitOutLists: true })).items).toHaveLength(20);
		const whole = await custom({ path: 'quote', simplify: false });
		expect(whole.items[0].json).toHaveProperty('code', 200);
		const queryParameters = { parameter: [{ name: 'text', value: 'hello' }] };
		const drawn = await custom({ path: 'qrcode', queryParameters, binaryPropertyName: 'code' });
		expect(drawn.items[0].binary!.code).toMatchObject({ mimeType: 'image/gif', fileName: 'qrcode.gif' });
		const page = await custom({ path: 'color/random', encoding: 'html' });
		expect(page.items[0].json.text).toMatch(/^<!DOCTYPE html>/);
	});
});

describe('Pickers', () => {
	const search = async (method: string, filter?: string) =>
		(await searchList(new Utilities(), method, gateway.credential(), filter)).results;

	it('find languages by English name, own name, or code', async () => {
		const all = await search('searchLanguages');
		expect(all).toHaveLength(110);
		expect(all[0]).toEqual({ name: 'Automatic', value: 'auto' });
		expect(await search('searchLanguages', 'german')).toEqual([{ name: 'German 德语 (de)', value: 'de' }]);
		expect(await search('searchLanguages', '法语')).toEqual([{ name: 'French 法语 (fr)', value: 'fr' }]);
		expect((await search('searchLanguages', 'simplified')).map(({ value }) => value)).toEqual(['zh-CHS']);
	});

	it('find music charts by name and return the ID', async () => {
		expect((await search('searchMusicCharts')).length).toBeGreaterThan(3);
		expect(await search('searchMusicCharts', '热歌')).toEqual([{ name: '热歌榜', value: '3778678' }]);
	});

	it('say why a list cannot be loaded and what to do instead', async () => {
		const answerWith = (status: number, body: object) =>
			gateway.fail('GET /v2/apis/*', { kind: 'status', status, body, times: 'always' });
		answerWith(200, { code: 403, message: 'not for you', data: null });
		await expect(search('searchLanguages')).rejects.toThrow(
			/is not allowed to make this request.*You can also select "ID"/,
		);
		answerWith(200, { code: 200, message: 'ok', data: [{ id: null }] });
		await expect(search('searchMusicCharts')).rejects.toThrow(/field "data.0"/);
	});

	it('send the selected value', async () => {
		await run('translate', {
			text: 'Good morning',
			from: { __rl: true, mode: 'list', value: 'en' },
			to: chosen('fr'),
		});
		expect(sent()).toEqual([{ text: 'Good morning', from: 'en', to: 'fr', encoding: 'json' }]);
	});
});
