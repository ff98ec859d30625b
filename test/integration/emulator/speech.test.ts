import { opusPackets, mp3Frames, wavFormat } from './audioFiles';
import { speechBody, useGateway } from './gateway';

const gateway = useGateway();

async function speak(input: string, more: object = {}): Promise<{ type: string; bytes: Buffer }> {
	const answer = await gateway.post('/v1/audio/speech', speechBody(input, more), {
		responseType: 'arraybuffer',
	});
	return { type: String(answer.headers['content-type']), bytes: Buffer.from(answer.data) };
}

/** The duration of the audio in seconds, read from the structure of each format. */
const formats = {
	mp3: { type: 'audio/mpeg', seconds: (bytes: Buffer) => mp3Frames(bytes).seconds },
	wav: { type: 'audio/wav', seconds: (bytes: Buffer) => wavFormat(bytes).seconds },
	opus: { type: 'audio/ogg', seconds: (bytes: Buffer) => opusPackets(bytes).seconds },
};
const formatNames = Object.keys(formats) as Array<keyof typeof formats>;
const latin = 'The quick brown fox jumps over the lazy dog. '.repeat(7);
const chinese = '今天天气很好适合出门散步'.repeat(3);

describe.each(formatNames)('POST /v1/audio/speech as %s', (format) => {
	const { type, seconds } = formats[format];

	it.each([
		['an alphabet at 14 characters per second', latin, {}, latin.length / 14],
		['Chinese at 4 characters per second', chinese, {}, chinese.length / 4],
		['an alphabet twice as fast at speed 2', latin, { speed: 2 }, latin.length / 28],
		['Chinese half as fast at speed 0.5', chinese, { speed: 0.5 }, chinese.length / 2],
	])('speaks %s', async (_case, input, more, expected) => {
		const speech = await speak(input, { response_format: format, ...more });
		expect(speech.type).toBe(type);
		expect(seconds(speech.bytes)).toBeGreaterThanOrEqual(expected - 0.001);
		expect(seconds(speech.bytes)).toBeLessThanOrEqual(expected + 0.121);
	});

	it('returns the same audio for the same request, and other audio for another voice or text', async () => {
		const speech = (await speak('Hello there', { response_format: format })).bytes;
		expect((await speak('Hello there', { response_format: format })).bytes).toEqual(speech);
		expect((await speak('Hello three', { response_format: format })).bytes).not.toEqual(speech);
		expect((await speak('Hello there', { response_format: format, voice: '元气少女' })).bytes).not.toEqual(
			speech,
		);
	});
});
