import { readSubmittedTask } from '../../../nodes/Music/tasks/musicTask';
import { audioIn, receiveAudio, requireAudio } from '../../../nodes/Speech/audioAnswer';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { readBytes, streamFrom } from '../../../nodes/shared/answer/byteStream';
import { spoken } from './joined';

const SENTENCE = 'The model is currently loading';
const WAV = spoken('Hello.', 'wav').subarray(0, 20_000);
const base64 = WAV.toString('base64');

const answerOf = (body: string | Buffer, type = 'application/json'): Answer => ({
	status: 200,
	headers: { 'content-type': type },
	url: 'https://gateway.example/',
	body: streamFrom([Buffer.from(body)]),
});
/** Stores audio as its bytes. */
const received = async (body: string | Buffer, type?: string) =>
	await receiveAudio(answerOf(body, type), async (audio) => await readBytes(audio.body, 1e6));

it.each<[string, (answer: Answer) => Promise<unknown>]>([
	['audio', async (answer) => await receiveAudio(answer, jest.fn())],
	['a task', readSubmittedTask],
])('A sentence as a JSON string in place of %s is in the failure', async (_what, read) => {
	await expect(read(answerOf(JSON.stringify(SENTENCE)))).rejects.toMatchObject({
		message: expect.stringContaining(SENTENCE),
		facts: { partial: { answer: expect.stringContaining(SENTENCE) } },
	});
});

describe('Audio', () => {
	it.each<[string, string | Buffer, string?]>([
		['is the response itself', WAV, 'audio/wav'],
		['is the response itself, whatever its type', WAV],
		['is a file in JSON', JSON.stringify({ audio: base64 })],
		['is a short text in JSON', JSON.stringify({ data: { audio: WAV.toString('base64').slice(0, 400) } })],
		['is in JSON without its type', JSON.stringify({ audio: base64 }), 'text/plain'],
	])('%s', async (_where, body, type = 'application/json') => {
		const audio = (await received(body, type)) as Buffer;
		expect(audio.equals(WAV.subarray(0, audio.length))).toBe(true);
		expect(audio.length).toBeGreaterThanOrEqual(300);
	});

	it('may be elsewhere, or missing', async () => {
		expect(await received('{"url":"https://x/a.mp3"}')).toEqual({ link: 'https://x/a.mp3' });
		await expect(received('{"id":"a","audio":"abcd"}')).rejects.toMatchObject({
			message: expect.stringContaining('it is JSON without audio'),
			facts: { partial: { answer: { id: 'a' } } },
		});
	});

	it.each<[string, string | Buffer, string, string?]>([
		['nothing', '', 'it is empty'],
		['a picture', Buffer.from('GIF89a, and so on'), 'it is image/gif instead of audio'],
		['a web page', '<!doctype html><p>Sign in</p>', 'web page', 'text/html'],
		['a sentence', SENTENCE, `it is text instead of audio: ${SENTENCE}`, 'audio/mpeg'],
	])('is not %s', async (_what, body, words, type = 'application/json') => {
		await expect(requireAudio(answerOf(body, type))).rejects.toThrow(words);
	});

	it('is kept as it is if nothing is known of its bytes', async () => {
		for (const bytes of [WAV, Buffer.from([1, 2, 3, 255])]) {
			const audio = await requireAudio(answerOf(bytes, 'text/plain'));
			expect((await readBytes(audio, 1e6)).equals(bytes)).toBe(true);
		}
	});
});

describe('Audio in JSON', () => {
	const find = (body: unknown) => audioIn(body, (text) => text.startsWith('key/'));

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
