import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { WavScanner } from '../../../nodes/shared/files/wavScanner';
import { decode, encode, probe } from '../../audioTools';
import { memoryInUse } from '../../memoryInUse';
import {
	allOf,
	audioDuration,
	joinAll,
	packetsOf,
	scanned,
	soundFrames,
	spoken,
	SPOKEN_FORMATS,
	type SpokenFormat,
} from './joined';

/** The sound of a file in its smallest units. */
function soundOf(bytes: Buffer, format: SpokenFormat): Buffer[] {
	if (format === 'opus') return packetsOf(bytes)!.map((packet) => packet.bytes);
	if (format === 'wav') {
		const { dataOffset, declaredLength } = scanned(new WavScanner(), bytes).facts!;
		return [bytes.subarray(dataOffset, dataOffset + declaredLength!)];
	}
	return soundFrames(bytes).map(({ offset, length }) => bytes.subarray(offset, offset + length));
}

const written = async (parts: Buffer[], chunkBytes?: number) =>
	await allOf((await joinAll(parts, chunkBytes)).joiner.chunks());

const piece = fc.oneof(
	fc.constantFrom('Hello.', 'A story of the day, which is longer.', '新闻。').map((text) => ({ text })),
	fc.constantFrom(0, 0.01, 0.3, 1).map((seconds) => ({ seconds })),
);
const pieces = fc
	.array(piece, { minLength: 1, maxLength: 6 })
	.filter((all) => all.some((one) => 'text' in one));
type PieceOfTest = { text: string } | { seconds: number };
const made = (all: PieceOfTest[], format: SpokenFormat) =>
	all.map((one) => ('text' in one ? spoken(one.text, format) : one.seconds));

/** Memory in use after a few turns of the event loop, because one collection does not free everything at once. */
async function settledMemory(): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let turn = 0; turn < 3; turn++) {
		await setImmediate();
		least = Math.min(least, memoryInUse());
	}
	return least;
}

describe.each(SPOKEN_FORMATS)('Joining %s files', (format) => {
	it('gives the same sound in one step or in several, and loses or doubles none of it', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.constantFrom('One.', 'Two, longer.', '三。'), { minLength: 2, maxLength: 5 }),
				async (texts) => {
					const parts = texts.map((text) => spoken(text, format));
					const all = Buffer.concat(parts.flatMap((part) => soundOf(part, format)));
					const [first, ...others] = parts;
					let inSteps = first;
					for (const part of others) inSteps = await written([inSteps, part]);
					for (const bytes of [inSteps, await written(parts)]) {
						expect(Buffer.concat(soundOf(bytes, format)).equals(all)).toBe(true);
					}
				},
			),
			{ numRuns: 20 },
		);
	});

	it('gives the same file for any chunks of its sources', async () => {
		const parts = [spoken('One sentence.', format), spoken('Another, which is longer.', format)];
		const expected = await written(parts);
		for (const size of [1, 7, 1000, 100_000]) {
			expect((await written(parts, size)).equals(expected)).toBe(true);
		}
	});

	it('keeps none of its sources in memory', async () => {
		const part = spoken('A story of some length. '.repeat(20), format);
		const before = await settledMemory();
		let most = 0;
		const { joiner } = await joinAll(
			Array.from({ length: 40 }, () => part),
			65_536,
		);
		let chunks = 0;
		for await (const chunk of joiner.chunks({ chapters: [] })) {
			expect(chunk.length).toBeLessThan(200_000);
			if (chunks++ % 300 > 0) continue;
			most = Math.max(most, (await settledMemory()) - before);
		}
		expect(most).toBeLessThan((40 * part.length) / 4);
	});

	it('puts everything in its place, one after another, up to the end of the file', async () => {
		await fc.assert(
			fc.asyncProperty(pieces, async (given) => {
				const all = made(given, format);
				const { joiner, places } = await joinAll(all);
				let end = 0;
				for (const place of places) {
					expect(place.startSeconds).toBe(end);
					expect(place.endSeconds).toBeGreaterThanOrEqual(place.startSeconds);
					end = place.endSeconds;
				}
				expect(end).toBeCloseTo(joiner.seconds, 6);
				const lengths = all.map((one) => (typeof one === 'number' ? one : audioDuration(one)!));
				const total = lengths.reduce((sum, length) => sum + length, 0);
				// Silence consists of whole frames, and Opus files have a little silence at their ends.
				expect(Math.abs(end - total)).toBeLessThan(0.0241 * all.length);
				expect(audioDuration(await allOf(joiner.chunks())) ?? 0).toBeCloseTo(joiner.seconds, 6);
			}),
			{ numRuns: 40 },
		);
	});

	it('is silent in the pauses, and sounds like each part in between', async () => {
		const part = spoken('Loud and clear', format);
		const { joiner, places } = await joinAll([0.5, part, 0.7, part]);
		const { samples, warnings } = decode(await allOf(joiner.chunks({ chapters: [] })));
		expect(warnings.replace(/^Guessed Channel Layout.*$/m, '')).toBe('');
		const loudest = ({ startSeconds, endSeconds }: (typeof places)[0], margin: number) =>
			samples
				.slice((startSeconds + margin) * 24_000, (endSeconds - margin) * 24_000)
				.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
		const [before, first, pause, second] = places;
		// Decoders smear sound by a frame.
		expect([loudest(before, 0.06), loudest(pause, 0.06)].every((sample) => sample <= 8)).toBe(true);
		expect(Math.abs(loudest(first, 0) - loudest(second, 0))).toBeLessThan(300);
		expect(loudest(first, 0)).toBeGreaterThan(3000);
	});
});

describe('Files of real encoders', () => {
	it.each([
		['MPEG 1, stereo, with a bit reservoir', 'mp3', ['-ar', '44100', '-ac', '2', '-b:a', '128k']],
		['MPEG 1, joint stereo, variable', 'mp3', ['-ar', '48000', '-ac', '2', '-q:a', '4']],
		['MPEG 2, mono', 'mp3', ['-ar', '24000', '-ac', '1', '-b:a', '48k']],
		['MPEG 2.5, mono', 'mp3', ['-ar', '11025', '-ac', '1', '-b:a', '16k']],
		['Opus, stereo', 'ogg', ['-c:a', 'libopus', '-ac', '2', '-b:a', '64k']],
		[
			'Opus, packets of 60 ms',
			'ogg',
			['-c:a', 'libopus', '-ac', '1', '-b:a', '16k', '-frame_duration', '60'],
		],
		[
			'Opus, packets of 2.5 ms',
			'ogg',
			['-c:a', 'libopus', '-ac', '1', '-frame_duration', '2.5', '-application', 'lowdelay'],
		],
		['WAV, 24 bits, stereo', 'wav', ['-c:a', 'pcm_s24le', '-ac', '2', '-ar', '44100']],
		['WAV, floating point', 'wav', ['-c:a', 'pcm_f32le', '-ac', '1', '-ar', '16000']],
		['WAV, 8 bits', 'wav', ['-c:a', 'pcm_u8', '-ac', '1', '-ar', '8000']],
	])(
		'are joined with silence between them, and decode without a warning: %s',
		async (_name, container, codec) => {
			const part = encode(container, codec, 1.5);
			const { joiner, places } = await joinAll([part, 0.5, part, 0.5]);
			const bytes = await allOf(joiner.chunks({ title: 'Real', chapters: [] }));
			expect(Math.abs(Number(probe(bytes).format.duration) - joiner.seconds)).toBeLessThan(0.03);
			const { samples, warnings } = decode(bytes);
			expect(warnings.replace(/^Guessed Channel Layout.*$/m, '').trim()).toBe('');
			const { startSeconds, endSeconds } = places[3];
			const silence = samples.slice((startSeconds + 0.1) * 24_000, (endSeconds - 0.05) * 24_000);
			expect(silence.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(40);
			expect(silence.length).toBeGreaterThan(2400);
		},
	);
});
