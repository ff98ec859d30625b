import { pictureAddressIn, pictureIn } from '../../../nodes/Utilities/picture';
import { openEnvelope } from '../../../nodes/Utilities/readUtility';

const GIF = Buffer.from('R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
const BASE64 = GIF.toString('base64');
const URI = `data:image/gif;base64,${BASE64}`;
const inJson = (body: unknown) => pictureIn({ kind: 'json', ...openEnvelope(body) });
const inText = (text: string) => pictureIn({ kind: 'text', text });

describe('A picture', () => {
	it.each([
		[
			'Base64 in the data',
			{ code: 200, data: { mime_type: 'image/gif', text: 'x'.repeat(60), base64: BASE64 } },
		],
		['a data URI in the data', { code: 200, data: { text: 'hello', data_uri: URI } }],
		['the data itself', { code: 200, data: BASE64 }],
		['a bare body', { image: URI }],
		['a list', { data: [{ images: [{ b64_json: BASE64 }] }] }],
	])('is found in JSON as %s', (_what, body) => {
		expect(inJson(body)?.bytes).toEqual(GIF);
	});

	it.each([
		['Base64', `\n${BASE64}\n`],
		['Base64 in lines', BASE64.replace(/.{20}/g, '$&\r\n')],
		['a data URI', URI],
		['a data URI with parameters', `data:image/gif;charset=utf-8;base64,${BASE64}`],
		['Markdown', `# QR code\n\n![QR](${URI})\n`],
		['HTML', `<p>QR</p><img src="${URI}" alt="QR">`],
	])('is found in text as %s', (_what, text) => {
		expect(inText(text)?.bytes).toEqual(GIF);
	});

	it('may be a drawing', () => {
		const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect/></svg>';
		const expected = { bytes: Buffer.from(drawing), mimeType: 'image/svg+xml' };
		const base64 = expected.bytes.toString('base64');
		expect(inText(drawing)).toEqual(expected);
		expect(inText(`<?xml version="1.0"?>\n${drawing}`)?.mimeType).toBe('image/svg+xml');
		expect(inText(`data:image/svg+xml,${encodeURIComponent(drawing)}`)).toEqual(expected);
		expect(inJson({ data: `data:image/svg+xml;base64,${base64}` })).toEqual(expected);
	});

	it.each([
		['a sentence', 'There is no picture here, only words, and more words.'],
		['Base64 of a text', Buffer.from('Not a picture at all, however long it is').toString('base64')],
		['hexadecimal digits', 'ab'.repeat(40)],
		['an address', 'https://example.com/pictures/of/a/qr/code/that/has/a/long/path.png'],
		['a broken data URI', 'data:image/svg+xml,%E0%A4%A and something more behind it'],
		[
			'another file',
			`data:application/pdf;base64,${Buffer.from('%PDF-1.7 and more, and more').toString('base64')}`,
		],
		['nothing', ''],
	])('is not found in %s', (_what, text) => {
		expect(inText(text)).toBeUndefined();
		expect(inJson({ code: 200, message: 'ok', data: { text } })).toBeUndefined();
	});

	it('is not looked for in files and empty responses, and not in deep or endless JSON', () => {
		expect(pictureIn({ kind: 'file' })).toBeUndefined();
		expect(pictureIn({ kind: 'empty' })).toBeUndefined();
		expect(inJson({ a: { b: { c: { d: { e: { f: { g: URI } } } } } } })).toBeUndefined();
		expect(inJson({ data: [...Array.from({ length: 2000 }, () => 1), URI] })).toBeUndefined();
	});
});

describe('The address of a picture', () => {
	const IMAGE = 'https://files.example/2026-08-21.png';
	const OTHER = 'https://news.example/article';
	const addressInJson = (body: unknown) => pictureAddressIn({ kind: 'json', ...openEnvelope(body) });
	const addressInText = (text: string) => pictureAddressIn({ kind: 'text', text });

	it.each([
		[
			'the field of the daily digest',
			{ code: 200, data: { cover: `${OTHER}.png`, image: IMAGE, link: OTHER } },
		],
		[
			'the cover of a wallpaper',
			{ code: 200, message: 'ok', data: { title: 'A lake', cover: IMAGE, link: OTHER } },
		],
		['its ending', { data: { news: [{ link: OTHER }], share: IMAGE } }],
		['a list', { data: [{ image_url: IMAGE }] }],
		['the data itself', { code: 200, data: IMAGE }],
		['all of it', IMAGE],
	])('is found in JSON by %s', (_what, body) => {
		expect(addressInJson(body)).toBe(IMAGE);
	});

	it('needs no ending in a field for it, or when it is all of the response', () => {
		const signed = 'https://files.example/f?id=7&sig=a.b';
		expect(addressInJson({ data: { url: signed } })).toBe(signed);
		expect(addressInText(`${signed}\n`)).toBe(signed);
	});

	it.each([
		['alone', `\n${IMAGE}\n`],
		['in Markdown', `# Today\n\n![Digest](${IMAGE})\n`],
		['in HTML', `<img src="${IMAGE}">`],
		['in a sentence', `Redirecting to ${IMAGE}.`],
	])('is found in text %s', (_where, text) => {
		expect(addressInText(text)).toBe(IMAGE);
	});

	it('is not any other address', () => {
		expect(addressInJson({ data: { text: IMAGE } })).toBeUndefined();
		expect(addressInJson({ data: { news: [{ title: 'A', link: OTHER }] } })).toBeUndefined();
		expect(addressInText(`Read ${OTHER} for more.`)).toBeUndefined();
		expect(pictureAddressIn({ kind: 'empty' })).toBeUndefined();
	});
});
