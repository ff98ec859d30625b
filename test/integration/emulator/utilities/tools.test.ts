import { createHash } from 'node:crypto';
import jsQR from 'jsqr';
import { GifReader } from 'omggif';
import { envelopeOf, startUtilities, type Utilities } from './gateway';

let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities();
});
afterAll(async () => await utilities.close());

describe('GET /qrcode', () => {
	function scan(gif: Buffer) {
		const reader = new GifReader(gif);
		const pixels = new Uint8ClampedArray(reader.width * reader.height * 4);
		reader.decodeAndBlitFrameRGBA(0, pixels);
		const code = jsQR(pixels, reader.width, reader.height);
		return { width: reader.width, height: reader.height, text: code?.data, version: code?.version };
	}

	const draw = async (query: string) => (await utilities.call(`/qrcode?${query}`)).bytes;

	it.each(['hello', 'https://example.com/a?b=c&d=e', 'hello 世界', '\u{1f30f} ñ', '1'.repeat(90)])(
		'returns a code that scans as %s',
		async (text) => {
			expect(scan(await draw(`text=${encodeURIComponent(text)}`)).text).toBe(text);
		},
	);

	it.each([
		[128, 'size=128'],
		[131, 'size=131'],
		[400, 'size=400'],
		[256, ''],
		[256, 'size=abc'],
		[256, 'size=0'],
	])('returns an image of %i pixels for "%s"', async (pixels, size) => {
		expect(scan(await draw(`text=hello&${size}`))).toEqual({
			width: pixels,
			height: pixels,
			text: 'hello',
			version: 1,
		});
	});

	it('returns at least one pixel per module', async () => {
		expect(scan(await draw('text=hello&size=5'))).toMatchObject({ width: 21, height: 21 });
	});

	it.each([
		[3, 'L'],
		[4, 'M'],
		[5, 'Q'],
		[6, 'H'],
	])('returns version %i for error correction level %s', async (version, level) => {
		expect(scan(await draw(`text=${'a'.repeat(50)}&level=${level}`)).version).toBe(version);
	});

	it('accepts a version', async () => {
		expect(scan(await draw('text=x&type=5'))).toMatchObject({ text: 'x', version: 5 });
	});

	it('returns the same image in every encoding', async () => {
		const query = 'text=hello+world&size=128&level=H';
		const image = await draw(query);
		const base64 = image.toString('base64');
		expect(scan(image).text).toBe('hello world');
		expect(envelopeOf(await utilities.call(`/qrcode?${query}&encoding=json`)).data).toEqual({
			mime_type: 'image/gif',
			text: 'hello world',
			base64,
			data_uri: `data:image/gif;base64,${base64}`,
		});
		expect((await utilities.call(`/qrcode?${query}&encoding=text`)).text).toBe(base64);
		const { text } = await utilities.call(`/qrcode?${query}&encoding=markdown`);
		expect(text).toContain(`![QR Code](data:image/gif;base64,${base64})`);
		expect(text).toContain('**尺寸**: 128px');
	});
});

describe('GET /hash', () => {
	interface Coded {
		encoded: string;
		decoded: string;
	}
	interface Hashes {
		source: string;
		md5: string;
		sha: Record<'sha1' | 'sha256' | 'sha512', string>;
		base64: Coded;
		url: Coded;
		gzip: Coded;
		deflate: Coded;
		brotli: Coded;
	}
	const hash = async (content: string) =>
		await utilities.data<Hashes>(`/hash?content=${encodeURIComponent(content)}`);

	it('returns known digests', async () => {
		const { md5, sha } = await hash('hello');
		expect(md5).toBe('5d41402abc4b2a76b9719d911017c592');
		expect(sha.sha1).toBe('aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d');
		expect(sha.sha256).toBe('2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824');
		expect((await hash('你好')).sha.sha512).toBe(createHash('sha512').update('你好').digest('hex'));
	});

	it.each(['gzip', 'deflate', 'brotli'] as const)('decodes its own %s', async (method) => {
		const { encoded } = (await hash('你好, world'))[method];
		expect(encoded).toMatch(/^[0-9a-f]+$/);
		expect((await hash(encoded))[method].decoded).toBe('你好, world');
	});

	it('decodes gzip of other programs, and returns an empty text for other content', async () => {
		const made = await hash('1f8b0800000000000003cb48cdc9c9070086a6103605000000');
		expect(made.gzip.decoded).toBe('hello');
		expect((await hash('hello')).gzip.decoded).toBe('');
	});

	it('encodes and decodes base64 and URLs', async () => {
		expect((await hash('a b&c')).url.encoded).toBe('a%20b%26c');
		expect((await hash('a%20b')).url.decoded).toBe('a b');
		expect((await hash('hello')).base64.encoded).toBe('aGVsbG8=');
		expect((await hash('aGVsbG8=')).base64.decoded).toBe('hello');
	});

	it('prints nested values like the real service', async () => {
		const { text } = await utilities.call('/hash?content=hello&encoding=text');
		expect(text).toContain('md5 => 5d41402abc4b2a76b9719d911017c592\nsha => [object Object]');
	});
});

describe('GET /ip', () => {
	const asText = async (query: string, headers?: Record<string, string>) =>
		(await utilities.call(`/ip?encoding=text&${query}`, { headers })).text;

	it('returns the address of the caller, of a proxy header or of the parameter', async () => {
		expect(await asText('')).toBe('127.0.0.1');
		expect(await asText('', { 'x-forwarded-for': '1.2.3.4, 10.0.0.1' })).toBe('1.2.3.4');
		expect(await asText('ip=8.8.8.8', { 'x-forwarded-for': '1.2.3.4' })).toBe('8.8.8.8');
	});

	it('locates only public addresses', async () => {
		expect(await utilities.data('/ip?ip=8.8.8.8')).toMatchObject({ country: '中国' });
		expect(await utilities.data('/ip?ip=192.168.1.7')).toMatchObject({ country: '局域网', lat: 0 });
	});
});

describe('GET /og', () => {
	it('returns metadata that depends on the address', async () => {
		const metadata = async (url: string) =>
			await utilities.data<{ title: string; image: string }>(`/og?url=${encodeURIComponent(url)}`);
		const post = await metadata('https://www.example.com/blog/first-post.html');
		expect(post.title).toBe('blog first post - example.com');
		expect((await fetch(post.image)).headers.get('content-type')).toBe('image/png');
		expect((await metadata('https://example.com/100%')).title).toBe('100% - example.com');
	});
});

describe('Query parameters', () => {
	it('use the first of repeated values', async () => {
		const { text } = await utilities.call('/answer?id=0&encoding=text&encoding=json&id=5');
		expect(text).toBe('寻求更多的选择');
	});

	it('are case-sensitive for encodings', async () => {
		expect((await utilities.call('/answer?encoding=TEXT')).contentType).toMatch('application/json');
	});
});
