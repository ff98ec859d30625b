import type { Rule, SpeechRecord } from '../../../emulator';
import { decode, loudnessOf } from '../../audioTools';
import { SPOKEN_TEXTS } from '../../fixtures/spokenTexts';
import { mp3Frames, opusPackets, wavFormat } from './audioFiles';
import { speechBody, useGateway } from './gateway';

const gateway = useGateway();
const route = 'POST /v1/audio/speech';

/** Speaks a text under a rule. @returns the file and what the journal knows of it */
async function speak(
	input: string,
	speech: Rule['speech'],
	more: object = {},
): Promise<{ bytes: Buffer; speech: SpeechRecord }> {
	gateway.emulator.behaviour.set(route, { speech });
	const { data } = await gateway.post('/v1/audio/speech', speechBody(input, more), {
		responseType: 'arraybuffer',
	});
	const record = gateway.emulator.journal.entries(route).at(-1)?.speech;
	if (!record) throw new Error('Nothing was spoken.');
	return { bytes: Buffer.from(data), speech: record };
}

const samplesPerMs = 24;
/** A sample above this is not silence, -50 dB. */
const audible = 100;

/** The loudest sample of each millisecond. */
function loudnessByMs(samples: Int16Array): number[] {
	return Array.from({ length: Math.ceil(samples.length / samplesPerMs) }, (_, ms) =>
		samples
			.subarray(ms * samplesPerMs, (ms + 1) * samplesPerMs)
			.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
	);
}

/** The pauses between words, and the silence at both ends, in seconds. */
function pausesOf({ words, seconds }: SpeechRecord, longerThan: number): Array<[start: number, end: number]> {
	const edges = [0, ...words!.flatMap(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]), seconds];
	return Array.from({ length: edges.length / 2 }, (_, index): [number, number] => [
		edges[index * 2],
		edges[index * 2 + 1],
	]).filter(([start, end]) => end - start > longerThan);
}

const formats = {
	mp3: { frameMs: 24, toleranceMs: 24, seconds: (bytes: Buffer) => mp3Frames(bytes).seconds },
	opus: { frameMs: 20, toleranceMs: 20, seconds: (bytes: Buffer) => opusPackets(bytes).seconds },
	wav: { frameMs: 1, toleranceMs: 2, seconds: (bytes: Buffer) => wavFormat(bytes).seconds },
};
const formatNames = Object.keys(formats) as Array<keyof typeof formats>;
const firstParagraph = (text: string) => text.split('\n\n', 1)[0];
const timed = { timing: 'words' } as const;
const texts = [
	['English', firstParagraph(SPOKEN_TEXTS.English)],
	['Chinese', firstParagraph(SPOKEN_TEXTS.Chinese)],
	['Arabic', firstParagraph(SPOKEN_TEXTS.Arabic)],
] as const;

describe.each(formatNames)('Speech with timed words as %s', (format) => {
	const { frameMs, toleranceMs, seconds } = formats[format];

	it.each(texts)(
		'is silent in the pauses of %s and sounds right before and after them',
		async (_language, text) => {
			const { bytes, speech } = await speak(text, timed, { response_format: format });
			const { samples, warnings } = decode(bytes);
			// Files without the optional headers are fine.
			expect(warnings.replace(/^.*(?:Estimating duration|Guessed Channel).*$/gm, '').trim()).toBe('');
			const loudness = loudnessByMs(samples);
			const pauses = pausesOf(speech, 0.1);
			expect(pauses.length).toBeGreaterThan(10);
			for (const [start, end] of pauses) {
				const [from, to] = [Math.round(start * 1000), Math.round(end * 1000)];
				expect(loudness.slice(from + toleranceMs, to).filter((each) => each > audible)).toEqual([]);
				const around = (first: number, last: number) => Math.max(...loudness.slice(first, last));
				if (from > 0) expect(around(from - toleranceMs, from)).toBeGreaterThan(audible);
				if (to < Math.floor(speech.seconds * 1000))
					expect(around(to, to + toleranceMs)).toBeGreaterThan(audible);
			}
		},
	);

	it('is as long as the journal says', async () => {
		const { bytes, speech } = await speak(SPOKEN_TEXTS.German, timed, { response_format: format });
		expect(seconds(bytes)).toBeCloseTo(speech.seconds, 6);
		expect(decode(bytes).samples.length / 24_000).toBeCloseTo(speech.seconds, 2);
	});

	it('begins and ends words with frames', async () => {
		const { speech } = await speak(SPOKEN_TEXTS.Japanese, timed, { response_format: format });
		for (const { startSeconds, endSeconds } of speech.words!) {
			for (const frames of [(startSeconds * 1000) / frameMs, (endSeconds * 1000) / frameMs]) {
				expect(frames).toBeCloseTo(Math.round(frames), 6);
			}
			expect(endSeconds - startSeconds).toBeGreaterThanOrEqual(frameMs / 1000 - 1e-9);
		}
	});

	it('is the same for the same request', async () => {
		const first = await speak('Hello, world.', timed, { response_format: format });
		expect(await speak('Hello, world.', timed, { response_format: format })).toEqual(first);
	});

	it('lasts half as long at speed 2, within a frame per word', async () => {
		const usual = await speak(SPOKEN_TEXTS.Korean, timed, { response_format: format });
		const fast = await speak(SPOKEN_TEXTS.Korean, timed, { response_format: format, speed: 2 });
		expect(fast.speech.words).toHaveLength(usual.speech.words!.length);
		fast.speech.words!.forEach(({ startSeconds }, index) => {
			const expected = usual.speech.words![index].startSeconds / 2;
			expect(Math.abs(startSeconds - expected)).toBeLessThan((2 * frameMs) / 1000);
		});
		expect(seconds(fast.bytes)).toBeLessThan(0.51 * seconds(usual.bytes));
	});

	it('keeps the silence that the rule asks for', async () => {
		const silence = { start: 0.48, end: 1.2 };
		const { speech } = await speak('One two.', { ...timed, silence }, { response_format: format });
		expect(speech.words![0].startSeconds).toBeCloseTo(0.48);
		const { seconds: all, words } = speech;
		expect(Math.abs(all - words![1].endSeconds - 1.2)).toBeLessThanOrEqual(frameMs / 1000);
	});

	it('is timed in characters without the rule, and the journal knows how long it is', async () => {
		const text = 'The quick brown fox jumps over the lazy dog.';
		const { bytes, speech } = await speak(text, {}, { response_format: format });
		expect(speech).toEqual({ text, voice: 'Sunny', seconds: speech.seconds, words: null });
		expect(speech.seconds).toBeCloseTo(Math.ceil(text.length / 14 / 0.12) * 0.12);
		expect(seconds(bytes)).toBeCloseTo(speech.seconds, 6);
	});
});

describe('A word in WAV', () => {
	it('begins with a new note, at its very millisecond', async () => {
		const { bytes, speech } = await speak(SPOKEN_TEXTS.Spanish, timed, { response_format: 'wav' });
		const loudness = loudnessByMs(wavFormat(bytes).samples);
		expect(speech.words!.length).toBeGreaterThan(200);
		for (const { startSeconds, endSeconds } of speech.words!) {
			const start = Math.round(startSeconds * 1000);
			if (endSeconds - startSeconds < 0.02) continue;
			// A note grows for 12 ms.
			expect(loudness[start]).toBeLessThan(500);
			expect(Math.max(...loudness.slice(start + 8, start + 14))).toBeGreaterThan(3000);
		}
	});
});

describe('A voice that a rule makes quieter', () => {
	const gainDb = { Vera: -6.0206 };

	it('has half the amplitude in WAV', async () => {
		const of = async (speech: Rule['speech']) =>
			wavFormat((await speak('Good morning', speech, { voice: 'Vera', response_format: 'wav' })).bytes)
				.samples;
		const usual = await of({});
		const quiet = await of({ gainDb });
		expect(quiet).toHaveLength(usual.length);
		expect(quiet.filter((sample, index) => Math.abs(sample - usual[index] / 2) > 1)).toHaveLength(0);
	});

	it.each([
		['wav', -12, -12],
		['wav', -5, -5],
		['mp3', -12, -12.04],
		['mp3', -5, -4.52],
	])('is quieter by that much in %s, in steps of 1.5 dB in MP3', async (format, gain, expected) => {
		const loudness = async (speech: Rule['speech']) =>
			loudnessOf(
				(
					await speak(firstParagraph(SPOKEN_TEXTS.English), speech, {
						voice: 'Vera',
						response_format: format,
					})
				).bytes,
			);
		const difference = (await loudness({ ...timed, gainDb: { Vera: gain } })) - (await loudness(timed));
		expect(Math.abs(difference - expected)).toBeLessThan(0.15);
	});

	it('is as loud as usual in Opus, and so are all other voices', async () => {
		for (const more of [
			{ response_format: 'opus', voice: 'Vera' },
			{ voice: 'Anders' },
			{ response_format: 'wav' },
		]) {
			const usual = await speak('Good morning', {}, more);
			expect((await speak('Good morning', { gainDb }, more)).bytes).toEqual(usual.bytes);
		}
	});
});

describe('The rule for speech', () => {
	it('rejects unknown timings, louder voices, and negative silence', () => {
		const { behaviour } = gateway.emulator;
		for (const speech of [
			{ timing: 'notes' },
			{ gainDb: { Vera: 1 } },
			{ silence: { start: -1 } },
			{ tempo: 1 },
		]) {
			expect(() => behaviour.set(route, { speech } as never)).toThrow();
		}
	});

	it('adds up with the rule of a shorter pattern', async () => {
		gateway.emulator.behaviour.set('*', { speech: { timing: 'words', silence: { start: 1 } } });
		const { speech } = await speak('One', { silence: { end: 2 } });
		expect(speech.seconds - speech.words![0].endSeconds).toBeCloseTo(2, 1);
	});

	it('can be set over HTTP, and the journal shows the words', async () => {
		await gateway.client.put('/__emulator/behaviour', { [route]: { speech: timed } });
		await gateway.post('/v1/audio/speech', speechBody('One two'));
		await gateway.post('/v1/audio/speech', speechBody('One', { voice: 'Nobody' }));
		const { entries } = (await gateway.get('/__emulator/journal')).data;
		expect(entries[0].speech.words.map(({ text }: { text: string }) => text)).toEqual(['One', 'two']);
		expect(entries[1].speech).toBeNull();
	});
});
