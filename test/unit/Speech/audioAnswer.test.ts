import { audioIn } from '../../../nodes/Speech/audioAnswer';

const find = (body: unknown) => audioIn(body, (text) => text.startsWith('key/'));

describe('Audio in JSON', () => {
	it.each<[unknown, object]>([
		[{ audio: 'abcd' }, { inline: 'abcd' }],
		[{ data: { audio: 'abcd' } }, { inline: 'abcd' }],
		[{ data: 'abcd' }, { inline: 'abcd' }],
		[{ audio: { data: 'abcd' } }, { inline: 'abcd' }],
		[{ audio: 'key/0', note: 'x' }, { key: 'key/0' }],
		[{ url: 'https://x/a.mp3' }, { link: 'https://x/a.mp3' }],
		[{ output: { audio: { url: 'https://x/a.mp3' } } }, { link: 'https://x/a.mp3' }],
		[{ audio_base64: 'abcd', alignment: {} }, { inline: 'abcd' }],
	])('is found in %j', (body, place) => expect(find(body)).toEqual(place));

	it.each([{}, { message: 'Hello' }, [], null, 'abcd', { audio: 7 }])('is not found in %j', (body) => {
		expect(find(body)).toBeUndefined();
	});
});
