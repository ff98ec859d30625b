import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import qrcode from 'qrcode-generator';
import { endpoints, words } from './answers.json';
import type { Values } from './generate';
import { Crash, noSuchPath, Refusal, refuse } from './refusal';

// By default, the library keeps only the low byte of each UTF-16 unit, which garbles everything beyond Latin-1.
qrcode.stringToBytes = qrcode.stringToBytesFuncs['UTF-8']!;

/** The parameters of a request, each once, including those in the path and the defaults. */
export type Asked = Record<string, string>;

/** Returns an integer, limited to the range from `low` to `high`. A text without a number counts as `other`. */
const within = (text: string, low: number, high: number, other: number) =>
	Math.min(Math.max(Number.parseInt(text, 10) || other, low), high);

function color({ color: asked = '#3366CC' }: Asked): Values {
	const [, digits = ''] = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(asked) ?? [];
	if (!digits) throw refuse('无效的颜色编码。请提供有效的 HEX 颜色编码，例如：#FF5733 或 FF5733');
	const hex = (digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toUpperCase();
	const [red, green, blue] = hex.match(/../g)!.map((part) => Number.parseInt(part, 16));
	return { hex: `#${hex}`, red, green, blue };
}

/** @throws Crash for an unknown level or a text that does not fit, with the real service's message */
function qrCode({ text, size, level }: Asked): Values {
	try {
		const code = qrcode(0, level as Parameters<typeof qrcode>[1]);
		code.addData(text);
		code.make();
		const pixels = within(size, 1, 4096, 256);
		const modules = code.getModuleCount();
		const quietZone = 4;
		const moduleSize = Math.max(Math.floor(pixels / (modules + 2 * quietZone)), 1);
		// The margin fills the rest of the size. It may end in half a pixel, because the library rounds per pixel.
		const address = code.createDataURL(moduleSize, Math.max((pixels - modules * moduleSize) / 2, 0));
		return { qrCode: address.slice(address.indexOf(',') + 1) };
	} catch {
		// The library throws strings in both cases.
		throw new Crash('Text too long to encode');
	}
}

/** Calculates all digests, encodings, and compressions of a text. There is no parameter that selects one (observed). */
function hash({ content }: Asked): Values {
	const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
	const bytes = Buffer.from(content);
	const packed = (compressed: Buffer) => ({ encoded: compressed.toString('hex'), decoded: '' });
	return {
		digests: {
			source: content,
			md5: digest('md5'),
			sha: { sha1: digest('sha1'), sha256: digest('sha256'), sha512: digest('sha512') },
			base64: { encoded: bytes.toString('base64'), decoded: Buffer.from(content, 'base64').toString() },
			// A stray percent sign crashes the real service here, and the emulator too.
			url: { encoded: encodeURIComponent(content), decoded: decodeURIComponent(content) },
			gzip: packed(gzipSync(bytes)),
			deflate: packed(deflateSync(bytes)),
			brotli: packed(brotliCompressSync(bytes)),
		},
	};
}

const ALPHABETS: Record<string, string> = {
	lowercase: 'abcdefghjkmnpqrstuvwxyz',
	uppercase: 'ABCDEFGHJKMNPQRSTUVWXYZ',
	numbers: '23456789',
	symbols: '!@#$%^&*_+-=',
	exclude_similar: 'ilo01',
	exclude_ambiguous: '{}[]()',
};

/** Makes a password. By default, it has no symbols and no characters that can be mistaken for others. */
function password({ length: asked = '16', ...switches }: Asked): Values {
	const length = Number(asked);
	if (!(length >= 4 && length <= 128)) throw refuse('密码长度必须在 4-128 之间');
	const isOn = (name: string) => (switches[name] ?? String(name !== 'symbols')) === 'true';
	const isUsed = (name: string) => isOn(name) !== name.startsWith('exclude_');
	const sets = Object.fromEntries(Object.entries(ALPHABETS).filter(([name]) => isUsed(name)));
	const characters = Object.values(sets).join('');
	if (!characters) throw refuse('至少需要包含一种字符类型（数字、符号、小写字母、大写字母）');
	const drawn = Array.from({ length }, (_, index) => characters[(index * 37 + length) % characters.length]);
	return { password: drawn.join(''), length, characterSets: sets };
}

function health({ height, weight, age, gender }: Asked): Values {
	const [tall, heavy, old] = [height, weight, age].map(Number);
	if (!['male', 'female'].includes(gender)) throw refuse('参数 gender 必须是 "male" 或 "female"');
	const fits = tall >= 50 && tall <= 300 && heavy >= 10 && heavy <= 300 && old >= 1 && old <= 150;
	if (!fits) throw refuse('参数超出合理范围：身高 (50-300cm)，体重 (10-300kg)，年龄 (1-150岁)');
	const bmi = Number((heavy / (tall / 100) ** 2).toFixed(2));
	return { bmi, genderName: gender === 'male' ? '男性' : '女性' };
}

const PER_YUAN = { CNY: 1, USD: 0.1423, EUR: 0.1222, GBP: 0.1046, JPY: 20.8, HKD: 1.108, CHF: 0.1118 };

function exchangeRate({ currency: asked }: Asked): Values {
	const currency = asked.toUpperCase();
	const known = new Map(Object.entries(PER_YUAN));
	const base = known.get(currency);
	// The real service crashes on a currency that its source does not know.
	if (!base) throw new Crash('Cannot convert undefined or null to object');
	const rateOf = (perYuan: number) => Number((perYuan / base).toPrecision(6));
	return {
		currency,
		rates: [...known].map(([code, perYuan]) => ({ currency: code, rate: rateOf(perYuan) })),
	};
}

function translation({ text, from, to }: Asked): Values {
	const names = new Map(endpoints['/fanyi/langs'].data.map(({ code, label }) => [code, label]));
	const isKnown = (code: string) => code === 'auto' || names.has(code);
	if (!isKnown(from) || !isKnown(to))
		throw refuse('不支持的语言类型，请通过 /fanyi/langs 接口查询支持的语言类型');
	const detected = /\p{Script=Han}/u.test(text) ? 'zh-CHS' : 'en';
	const source = from === 'auto' ? detected : from;
	const opposite = source === 'zh-CHS' ? 'en' : 'zh-CHS';
	const target = to === 'auto' ? opposite : to;
	const translated = `${text} (${target})`;
	return { from: source, to: target, fromName: names.get(source), toName: names.get(target), translated };
}

/** The additional values that result from the parameters of an endpoint. */
const EFFECTS: Record<string, (asked: Asked) => Values> = {
	// More than 8 days count as 8, and a value that is not positive returns no days (observed).
	'/weather/forecast': ({ days }) => ({ days: within(days, 0, 8, 0) }),
	'/color/random': color,
	'/color/palette': color,
	'/qrcode': qrCode,
	'/hash': hash,
	'/password': password,
	'/password/check': ({ password: text }) => ({ length: text.length }),
	'/health': health,
	'/exchange-rate': exchangeRate,
	'/fanyi': translation,
	'/ai-news': ({ all, date }) => (all ? { asked: 'all', count: 15 } : { asked: date, count: 5 }),
	// Only the exact value `false` turns cleaning off (observed).
	'/lyric': ({ clean }) => ({ credits: clean === 'false' ? '作词：王之涣\n' : '' }),
	'/tech-news/:type': ({ limit = '' }) => ({ limit: within(limit, 1, 35, 10) }),
	'/og': ({ url }) => ({ host: new URL(url).hostname }),
	// An unknown chart is an empty list (observed).
	'/music-rank/:id': ({ id }) => {
		const index = words.chartId.findIndex((chart) => String(chart) === id);
		return { tracks: index < 0 ? 0 : 20, chartName: words.chart[index] ?? '' };
	},
};

/** A pattern for the names of places: Chinese characters, except for Mars. */
const PLACE = /^(?!.*火星)\p{Script=Han}+$/u;
const noPlace = (query: string) =>
	new Refusal(200, 404, '获取成功', { error: `未找到城市: ${query}。请检查城市名称拼写是否正确` });

/** The values that a parameter may have, and the service's answer to others (observed). */
const LIMITS: Record<string, [name: string, allowed: RegExp, refusal: (value: string) => Error]> = {
	'/weather': ['query', PLACE, noPlace],
	'/weather/forecast': ['query', PLACE, noPlace],
	'/fuel-price': ['region', PLACE, (region) => new Refusal(200, 400, `暂不支持 ${region} 区域查询`)],
	'/encyclopedia': ['word', /^(?!.*火星)/, () => new Refusal(404, 404, '未找到相关词条')],
	'/lyric': ['query', /[\p{L}\p{N}]/u, () => new Refusal(404, 404, '未找到歌曲或歌词')],
	'/whois': ['domain', /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u, (domain) => refuse(`域名 ${domain} 格式不正确`)],
	'/og': ['url', /^https?:\/\/\w/i, () => new Refusal(400, 500, 'OG 信息解析失败: 无效的 URL')],
	'/password/check': ['password', /^.{1,128}$/, () => refuse('密码长度不能超过 128 个字符')],
	'/tech-news/:type': ['type', /^(?:new|top|best)$/, () => noSuchPath(404)],
	'/olympics': ['id', /^(?:milano-cortina-2026|paris-2024)$/, () => new Crash('获取数据失败: 404 Not Found')],
};

/** @throws Refusal, Crash where the real service fails */
export function effectsOf(path: string, asked: Asked): Values {
	const [name, allowed, refusal] = LIMITS[path] ?? [];
	if (name && !allowed.test(asked[name])) throw refusal(asked[name]);
	return EFFECTS[path]?.(asked) ?? {};
}
