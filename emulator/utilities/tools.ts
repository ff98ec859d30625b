import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { unescape } from 'node:querystring';
import * as zlib from 'node:zlib';
import type { Call, Endpoint } from './endpoint';
import { drawQrCode } from './qrCode';
import { Dice } from './random';
import { type Answer, type Body, describe, Refusal } from './reply';

const defaultQrSize = 256;

function qrCode({ parameters }: Call): Answer {
	const { text } = parameters.required('text');
	const asked = parameters.integer('size', defaultQrSize);
	const size = asked > 0 ? asked : defaultQrSize;
	const level = parameters.text('level', 'M');
	const version = parameters.integer('type', 0);
	const image = drawQrCode(text, size, level, version >= 1 && version <= 40 ? version : 0);
	const base64 = image.toString('base64');
	const dataUri = `data:image/gif;base64,${base64}`;
	const imageBody = (): Body => ({ kind: 'file', contentType: 'image/gif', content: image });
	const answer = describe(
		{ mime_type: 'image/gif', text, base64, data_uri: dataUri },
		() => base64,
		() =>
			`# 二维码生成\n\n**内容**: ${text}\n\n**尺寸**: ${size}px\n\n**纠错级别**: ${level}\n\n![QR Code](${dataUri})`,
		{ image: imageBody },
	);
	return { ...answer, fallback: imageBody };
}

/** Decodes a hexadecimal text; empty if the decoder rejects it. */
function decoded(hex: string, decode: (bytes: Buffer) => Buffer): string {
	try {
		return decode(Buffer.from(hex.replace(/\s/g, ''), 'hex')).toString('utf8');
	} catch {
		return '';
	}
}

/** There is no operation parameter: one answer contains all digests, encodings and compressions (observed). */
function hash({ parameters }: Call): Answer {
	const { content } = parameters.required('content');
	const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
	const bytes = Buffer.from(content);
	const data = {
		source: content,
		md5: digest('md5'),
		sha: { sha1: digest('sha1'), sha256: digest('sha256'), sha512: digest('sha512') },
		base64: { encoded: bytes.toString('base64'), decoded: Buffer.from(content, 'base64').toString('utf8') },
		// A stray percent sign crashes the real service here, and also the emulator.
		url: { encoded: encodeURIComponent(content), decoded: decodeURIComponent(content) },
		gzip: { encoded: zlib.gzipSync(bytes).toString('hex'), decoded: decoded(content, zlib.unzipSync) },
		deflate: {
			encoded: zlib.deflateSync(bytes).toString('hex'),
			decoded: decoded(content, zlib.inflateSync),
		},
		brotli: {
			encoded: zlib.brotliCompressSync(bytes).toString('hex'),
			decoded: decoded(content, zlib.brotliDecompressSync),
		},
	};
	const code = (value: string) => `\`${value}\``;
	return describe(
		data,
		// The real service prints nested values as [object Object].
		() =>
			`Hash 等编码转换结果\n\n${Object.entries(data)
				.map(([name, value]) => `${name} => ${typeof value === 'string' ? value : '[object Object]'}`)
				.join('\n')}`,
		() =>
			[
				'# Hash & 编码转换',
				`## 原始内容\n\n\`\`\`\n${content}\n\`\`\``,
				'## Hash 值',
				`**MD5**: ${code(data.md5)}`,
				`**SHA1**: ${code(data.sha.sha1)}`,
				`**SHA256**: ${code(data.sha.sha256)}`,
				`**SHA512**: ${code(data.sha.sha512)}`,
				'## 编码结果',
				`### Base64\n- **编码**: ${code(data.base64.encoded)}\n- **解码**: ${code(data.base64.decoded)}`,
				`### URL\n- **编码**: ${code(data.url.encoded)}\n- **解码**: ${code(data.url.decoded)}`,
			].join('\n\n'),
	);
}

const nonPageExtension = /\.(?:json|xml|txt|csv|pdf|png|jpe?g|gif|svg|webp|mp3|mp4|zip)$/i;
const unreachable = /\.(?:invalid|localhost)$/;

/** HTTP 400 with code 500 inside (observed). */
function noMetadata(reason: string): Refusal {
	return new Refusal(400, 500, `OG 信息解析失败: ${reason}`);
}

function pageMetadata({ parameters, fileUrl }: Call): Answer {
	const { url: address } = parameters.required('url');
	if (!URL.canParse(address) || !/^https?:/i.test(address)) throw noMetadata('无效的 URL');
	const url = new URL(address);
	if (unreachable.test(url.hostname)) throw noMetadata('fetch failed');
	if (nonPageExtension.test(url.pathname)) throw noMetadata('目标 URL 不是一个 HTML 页面，无法解析 OG 信息');
	const words = unescape(url.pathname)
		.split(/[/\-_.]+/)
		.filter((word) => word && !/^html?$/i.test(word));
	const site = url.hostname.replace(/^www\./, '');
	const topic = words.join(' ') || 'Home';
	const dice = new Dice('og', url.href);
	const lead = dice.pick(['An introduction to', 'Everything about', 'Notes on', 'A closer look at']);
	const data = {
		title: `${topic} - ${site}`,
		image: fileUrl(`og-${dice.integer(100_000, 999_999)}-1200x630.png`),
		description: `${lead} ${topic}, published on ${site}.`,
	};
	return describe(
		data,
		() => `标题: ${data.title}\n描述: ${data.description}`,
		() =>
			`# Open Graph 信息\n\n## [${data.title}](${address})\n\n> ${data.description}\n\n![预览图](${data.image})`,
	);
}

const places: ReadonlyArray<
	[prov: string, city: string, adcode: string, areacode: string, lat: number, lng: number]
> = [
	['北京市', '北京市', '110000', '010', 39.9, 116.41],
	['上海市', '上海市', '310000', '021', 31.23, 121.47],
	['广东省', '深圳市', '440300', '0755', 22.54, 114.06],
	['浙江省', '杭州市', '330100', '0571', 30.27, 120.16],
	['四川省', '成都市', '510100', '028', 30.57, 104.07],
];
const privateAddress = /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cde])/i;

function callerIp({ parameters, callerAddress }: Call): Answer {
	const ip = parameters.text('ip', callerAddress);
	const dice = new Dice('ip', ip);
	const [prov, city, adcode, areacode, lat, lng] = dice.pick(places);
	const isPublic = isIP(ip) !== 0 && !privateAddress.test(ip);
	const known = (value: string) => (isPublic ? value : '');
	const carrier = dice.pick(['中国电信', '中国联通', '中国移动']);
	const data = {
		ip,
		continent: known('亚洲'),
		country: isPublic ? '中国' : '局域网',
		zipcode: known(`${adcode.slice(0, 4)}00`),
		timezone: known('UTC+8'),
		accuracy: known('城市'),
		owner: isPublic ? carrier : '局域网',
		isp: known(carrier),
		source: known('数据挖掘'),
		areacode: known(areacode),
		adcode: known(adcode),
		asnumber: known(String(dice.integer(4134, 9929))),
		lat: isPublic ? lat : 0,
		lng: isPublic ? lng : 0,
		radius: known(dice.decimal(5, 60, 4).toFixed(4)),
		prov: known(prov),
		city: known(city),
		district: '',
	};
	return describe(
		data,
		() => ip,
		() =>
			`# IP 信息\n\n- **IP**: ${ip}\n- **国家**: ${data.country}\n- **省份**: ${data.prov}\n- **城市**: ${data.city}\n- **运营商**: ${data.isp}`,
	);
}

/** Group Tools: QR codes, digests and encodings, page metadata and the caller's address. */
export const toolEndpoints: Endpoint[] = [
	{ path: '/qrcode', example: '/qrcode?text=hello+世界&size=128&level=H', answer: qrCode },
	{ path: '/hash', example: '/hash?content=hello', answer: hash },
	{ path: '/og', example: '/og?url=https%3A%2F%2Fexample.com%2Fblog%2Ffirst-post', answer: pageMetadata },
	{ path: '/ip', answer: callerIp },
];
