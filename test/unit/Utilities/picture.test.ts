import { pictureIn } from '../../../nodes/Utilities/picture';

const GIF = Buffer.from('R0lGODdhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
const IMAGE = 'https://files.example/f?id=7&sig=a.b';

describe('A picture in JSON', () => {
	it('is the Base64 of a QR code', () => {
		const data = { mime_type: 'image/gif', text: 'x'.repeat(60), base64: GIF.toString('base64') };
		expect(pictureIn(data)).toMatchObject({ bytes: GIF });
	});

	it.each([
		['the daily digest', { cover: 'https://news.example/cover', image: IMAGE, link: 'https://news.example' }],
		['a wallpaper', { title: 'A lake', cover: IMAGE, link: 'https://news.example' }],
	])('has its address in %s', (_what, data) => {
		expect(pictureIn(data)).toEqual({ address: IMAGE });
	});

	it.each([
		[{ text: IMAGE, link: IMAGE }],
		[{ base64: 'not a picture' }],
		[{ image: 'soon', cover: null }],
		[[IMAGE]],
		['text'],
		[null],
	])('is not in %j', (data) => {
		expect(pictureIn(data)).toBeUndefined();
	});
});
