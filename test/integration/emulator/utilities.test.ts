import { createHash } from 'node:crypto';
import { utilityEndpoints } from '../../../emulator/utilities';
import { documented } from '../../unit/Utilities/documented';
import { useGateway } from './gateway';

// The clock stands still, so that only what is asked for changes an answer.
const gateway = useGateway({ now: () => Date.parse('2026-08-21T12:00:00Z') });

/** Asks a utility. @param address below `/v2/apis`, such as `/weather?query=上海` */
const ask = async (address: string) => {
	const { status, headers, data } = await gateway.get(`/v2/apis${address}`, {
		responseType: 'arraybuffer',
	});
	const bytes = Buffer.from(data as ArrayBuffer);
	return { status, type: String(headers['content-type']), bytes, text: bytes.toString() };
};

const endpoints = documented.map(({ path, parameters, encodings }) => {
	const own = path.slice('/v2/apis'.length).replace(/\{(\w+)\}/g, ':$1');
	const { example } = utilityEndpoints.find((one) => one.path === own)!;
	const required = parameters.filter(
		({ key, notes }) => notes.includes('required') && !path.includes(`{${key}}`),
	);
	return { path, example, encodings, required: required.map(({ key }) => key) };
});

const withQuery = (address: string, query: string) =>
	`${address}${address.includes('?') ? '&' : '?'}${query}`;

const TYPES: Record<string, [status: number, type: RegExp, body: RegExp]> = {
	json: [200, /^application\/json/, /^\{"code":200,"message":".+","data":[[{]/],
	text: [200, /^text\/plain/, /\S/],
	markdown: [200, /^text\/plain/, /^# \S/],
	html: [200, /^text\/html/, /^<!DOCTYPE html>/],
	image: [302, /^text\/plain/, /^Redirecting to http/],
	'image-proxy': [200, /^image\/png/, /^.PNG/],
};

it('The emulator has exactly the paths of the document', () => {
	expect(utilityEndpoints).toHaveLength(documented.length);
});

describe.each(endpoints)('GET $path', ({ path, example, encodings, required }) => {
	it('answers in each documented encoding, without an undefined value', async () => {
		expect((await ask(example)).status).toBe(200);
		for (const encoding of encodings) {
			const { status, type, text } = await ask(withQuery(example, `encoding=${encoding}`));
			const [expected, ofType, withBody] = TYPES[encoding];
			expect([encoding, status]).toEqual([encoding, expected]);
			expect([type, text]).toEqual([expect.stringMatching(ofType), expect.stringMatching(withBody)]);
			expect(text).not.toMatch(/undefined|NaN|\{\w+\}|\[object/);
		}
	});

	if (required.length === 0) return;
	it('refuses a request without a required parameter, in JSON', async () => {
		const { status, text } = await ask(withQuery(path.slice('/v2/apis'.length), 'encoding=text'));
		expect(status).toBe(400);
		for (const name of required)
			expect(JSON.parse(text)).toMatchObject({ code: 400, message: expect.stringContaining(name) });
	});
});

describe('A parameter reaches the answer', () => {
	it.each([
		['/60s', 'date=2026-08-01', '2026-08-01'],
		['/60s', 'force-update=true', '2026-08-21 20:00:00'],
		['/ai-news', 'all=1', '"all"'],
		['/ai-news', 'date=2026-08-02', '2026-08-02'],
		['/today-in-history', 'date=2026-08-03', '08-03'],
		['/exchange-rate', 'currency=EUR', '"base_code":"EUR"'],
		['/weather', 'query=广州', '广州'],
		['/weather/forecast', 'query=广州', '广州'],
		['/weather/forecast', 'query=上海&days=8', '2026-08-28'],
		['/lyric', 'query=晴天&clean=false', '作词'],
		['/fanyi', 'text=good&from=fr&to=de', '"type":"de"'],
		['/encyclopedia', 'word=茶', '"title":"茶"'],
		['/whois', 'domain=example.org', 'example.org'],
		['/og', 'url=https://example.org', 'example.org'],
		['/health', 'height=180&weight=70&age=30&gender=female', '女性'],
		['/password', 'length=20', '"length":20'],
		['/password', 'symbols=true', '"symbols":"'],
		['/password/check', 'password=secret', 'secret'],
		['/color/random', 'color=f53', '#FF5533'],
		['/color/palette', 'color=00FF00', '#00FF00'],
		['/fuel-price', 'region=广东', '广东'],
		['/olympics', 'id=paris-2024', 'paris-2024'],
		['/fabing', 'name=张三', '张三'],
		['/hash', 'content=fox', createHash('sha256').update('fox').digest('hex')],
	])('of %s: %s', async (path, query, expected) => {
		expect((await ask(`${path}?${query}`)).text).toContain(expected);
	});

	it('of a QR code, in its size and its level', async () => {
		const code = async (query: string) => (await ask(`/qrcode?text=fox&${query}`)).bytes;
		const [usual, large, strong] = await Promise.all([code(''), code('size=512'), code('level=H')]);
		expect([usual.readUInt16LE(6), large.readUInt16LE(6)]).toEqual([256, 512]);
		expect(strong.equals(usual)).toBe(false);
	});
});
