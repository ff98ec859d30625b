import { startUtilities, type Utilities } from './gateway';

let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities();
});
afterAll(async () => await utilities.close());

const queryOf = (values: Record<string, string>) => new URLSearchParams(values).toString();

describe('GET /fanyi', () => {
	interface Translation {
		source: { text: string; type: string; type_desc: string };
		target: { text: string; type: string; type_desc: string };
	}
	const translate = async (values: Record<string, string>) =>
		await utilities.data<Translation>(`/fanyi?${queryOf(values)}`);

	it('lists 109 different languages by letter', async () => {
		const list = await utilities.data<Array<{ code: string; alphabet: string }>>('/fanyi/langs');
		expect(new Set(list.map(({ code }) => code)).size).toBe(109);
		const letters = list.map(({ alphabet }) => alphabet);
		expect(letters).toEqual([...letters].sort());
	});

	it('detects the source and translates between Chinese and English by default', async () => {
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
	])('writes %s in its script and keeps numbers and punctuation', async (to, pattern) => {
		const { target } = await translate({ text: 'zebra 42!', to });
		expect(target.text).toMatch(pattern);
		expect(target.type).toBe(to);
	});
});

describe('GET /lyric', () => {
	interface Lyrics {
		title: string;
		lyrics: Array<{ ms: number; time: string; label: string; lyric: string }>;
		formatted: string;
		raw_lyric: string;
	}
	const lyric = async (values: Record<string, string>) =>
		await utilities.data<Lyrics>(`/lyric?${queryOf(values)}`);

	it.each<Record<string, string>>([{}, { clean: 'true' }, { clean: '0' }])(
		'omits the credits for %o',
		async (clean) => {
			const { formatted, raw_lyric, lyrics } = await lyric({ query: '静夜思', ...clean });
			expect(formatted).toMatch(/^床前明月光\n疑是地上霜/);
			expect(raw_lyric).toContain('作词：李白');
			expect(lyrics[0].lyric).toBe('床前明月光');
		},
	);

	it('keeps the credits for clean=false', async () => {
		const { formatted, lyrics } = await lyric({ query: '静夜思', clean: 'false' });
		expect(formatted).toMatch(/^作词：李白/);
		expect(lyrics[0].lyric).toBe('作词：李白');
	});

	it('returns increasing times', async () => {
		const { lyrics } = await lyric({ query: '晴天' });
		lyrics.forEach(({ ms, time, label }, index) => {
			expect(ms).toBeGreaterThan(lyrics[index - 1]?.ms ?? 0);
			expect(label).toMatch(new RegExp(`^\\[${time}\\.\\d\\d\\]$`));
		});
	});
});

describe('GET /whois', () => {
	it('accepts domains in every form', async () => {
		const whois = async (domain: string) =>
			await utilities.data<{ domain: string }>(`/whois?${queryOf({ domain })}`);
		expect((await whois('https://www.example.com/path')).domain).toBe('example.com');
		expect((await whois('shop.example.co.uk')).domain).toBe('example.co.uk');
		expect(await whois('www.例子.中国')).toMatchObject({
			unicode_domain: '例子.中国',
			punycode_domain: 'xn--fsqu00a.xn--fiqs8s',
		});
	});
});
