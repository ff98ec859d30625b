import { envelopeOf, useUtilities } from './gateway';

const json = 'application/json; charset=UTF-8';

const utilities = useUtilities();
describe('Required parameters', () => {
	const required: Array<[path: string, names: string]> = [
		['/hash', 'content'],
		['/og', 'url'],
		['/fanyi', 'text'],
		['/qrcode', 'text'],
		['/health', 'height, weight, gender, age'],
		['/password/check', 'password'],
		['/encyclopedia', 'word'],
		['/whois', 'domain'],
		['/lyric', 'query'],
	];
	const encodings = ['', 'text', 'markdown', 'image'];

	it.each(required)('of %s (%s) are reported as missing, as JSON in every encoding', async (path, names) => {
		for (const encoding of encodings) {
			const reply = await utilities.call(`${path}?encoding=${encoding}`);
			expect(reply.status).toBe(400);
			expect(reply.contentType).toBe(json);
			expect(envelopeOf(reply)).toEqual({
				code: 400,
				message: `参数 ${names} 不能为空。如为 query 参数，请进行必要的 URL 编码`,
				data: null,
			});
		}
	});
});

const refused: Array<[address: string, status: number, code: number, message: string]> = [
	['/health?height=175&weight=70&age=30&gender=x', 400, 400, '参数 gender 必须是 "male" 或 "female"'],
	['/password?length=abc', 400, 400, '密码长度必须在 4-128 之间'],
	['/color/random?color=zzz', 400, 400, '无效的颜色编码。请提供有效的 HEX 颜色编码，例如：#FF5733 或 FF5733'],
	['/fanyi?text=hi&to=xx-nope', 400, 400, '不支持的语言类型，请通过 /fanyi/langs 接口查询支持的语言类型'],
	['/og?url=https%3A%2F%2Fnowhere.invalid%2F', 400, 500, 'OG 信息解析失败: fetch failed'],
	['/encyclopedia?word=qwertz-nothing', 404, 404, '未找到相关词条'],
	['/lyric?query=%21%21%21', 404, 404, '未找到歌曲或歌词'],
	['/whois?domain=not-a-domain', 400, 400, '域名 not-a-domain 格式不正确'],
	['/qrcode?text=x&level=Z', 500, 500, '服务器出错了... Text too long to encode'],
	['/exchange-rate?currency=XXX', 500, 500, '服务器出错了... Cannot convert undefined or null to object'],
	['/olympics?id=nowhere-1900', 500, 500, '服务器出错了... 获取奖牌榜数据失败: 404 Not Found'],
];

describe('Refusals', () => {
	it.each(refused)('of %s have HTTP status %i and code %i', async (address, status, code, message) => {
		const reply = await utilities.call(address);
		expect(reply.status).toBe(status);
		expect(reply.contentType).toBe(json);
		expect(envelopeOf(reply)).toEqual({ code, message, data: null });
	});
});
