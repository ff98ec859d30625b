import { audioIn, receiveAudio } from '../../../nodes/Speech/audioAnswer';
import { readSubmittedTask } from '../../../nodes/Music/tasks/readSubmittedTask';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { streamFrom } from '../../../nodes/shared/answer/byteStream';

const find = (body: unknown) => audioIn(body, (text) => text.startsWith('key/'));

const SENTENCE = 'The model is currently loading';

it.each<[string, (answer: Answer) => Promise<unknown>]>([
	['audio', async (answer) => await receiveAudio(answer, jest.fn())],
	['a task', readSubmittedTask],
])('A sentence as a JSON string in place of %s is in the failure', async (_what, read) => {
	const body = streamFrom([Buffer.from(JSON.stringify(SENTENCE))]);
	const headers = { 'content-type': 'application/json' };
	await expect(read({ status: 200, headers, url: 'https://gateway.example/', body })).rejects.toMatchObject({
		message: expect.stringContaining(SENTENCE),
		facts: { partial: { answer: expect.stringContaining(SENTENCE) } },
	});
});

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
