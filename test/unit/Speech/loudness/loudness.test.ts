import fc from 'fast-check';
import NodeId3 from 'node-id3';
import { type WavFacts, WavScanner } from '../../../../nodes/shared/audio/wavScanner';
import { joinerFor } from '../../../../nodes/Speech/audio/formats';
import { audioInMemory, partFails, type Place } from '../../../../nodes/Speech/audio/joiner';
import {
	integrated,
	levelGains,
	type Loudness,
	loudnessFrom,
	together,
} from '../../../../nodes/Speech/loudness/loudness';
import { SampleMeter } from '../../../../nodes/Speech/loudness/sampleMeter';
import { amplified, sampleFormatOf } from '../../../../nodes/Speech/loudness/samples';
import { id3Tag } from '../../../../nodes/Speech/tags/id3';
import { loudnessOf, synthesize } from '../../../audioTools';
import { allOf } from '../joined';

const factsOf = (wav: Buffer): WavFacts => {
	const scanner = new WavScanner();
	scanner.add(wav);
	scanner.end();
	return scanner.facts!;
};
/** The loudness of a WAV file, or of a part of it. */
function measured(wav: Buffer, { startSeconds, endSeconds }: Partial<Place> = {}): Loudness {
	const { dataOffset, channels, sampleRate, byteRate, declaredLength, ...facts } = factsOf(wav);
	const meter = new SampleMeter(
		sampleFormatOf({ ...facts, dataOffset, channels, sampleRate, byteRate, declaredLength })!,
		channels,
		sampleRate,
	);
	const blockBytes = byteRate / sampleRate;
	const at = (seconds: number) => dataOffset + Math.round(seconds * sampleRate) * blockBytes;
	meter.add(
		wav.subarray(
			at(startSeconds ?? 0),
			endSeconds === undefined ? at(0) + (declaredLength ?? 1e9) : at(endSeconds),
		),
	);
	return loudnessFrom(meter.levels, meter.peak);
}
const SPEECH_LIKE = 'anoisesrc=d=6:c=pink:a=0.4:seed=1,tremolo=f=3:d=0.9';
const wavOf = (source: string, codec: string[]) => synthesize(source, 'wav', codec);
const mono = (gain: string) => wavOf(`${SPEECH_LIKE},volume=${gain}`, ['-ac', '1', '-ar', '24000']);

describe('The loudness of a WAV file', () => {
	it.each([
		['a tone, 16 bits, stereo', 'sine=f=1000:d=5,volume=-3dB', ['-ac', '2', '-ar', '48000']],
		['noise like speech, 24 kHz', SPEECH_LIKE, ['-ac', '1', '-ar', '24000']],
		[
			'noise, 24 bits, stereo',
			'anoisesrc=d=5:c=white:a=0.2:seed=2',
			['-ac', '2', '-ar', '44100', '-c:a', 'pcm_s24le'],
		],
		['noise, 32 bits', SPEECH_LIKE, ['-ac', '1', '-ar', '22050', '-c:a', 'pcm_s32le']],
		[
			'a tone with pauses, floating point',
			'sine=f=200:d=8,tremolo=f=0.2:d=0.95',
			['-ac', '1', '-ar', '16000', '-c:a', 'pcm_f32le'],
		],
		['floating point, 64 bits', SPEECH_LIKE, ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_f64le']],
		['noise, 8 bits', SPEECH_LIKE, ['-ac', '1', '-ar', '8000', '-c:a', 'pcm_u8']],
	])('is what ffmpeg measures: %s', (_name, source, codec) => {
		const wav = wavOf(source, codec);
		// ffmpeg resamples to 48 kHz first, which changes how the highest frequencies of a low sample rate count.
		const tolerance = factsOf(wav).sampleRate < 22_000 ? 0.3 : 0.11;
		expect(Math.abs(integrated(measured(wav))! - loudnessOf(wav))).toBeLessThanOrEqual(tolerance);
	});

	it('of a stereo tone of 1 kHz at -23 dB of full scale is -23 LUFS (EBU Tech 3341)', () => {
		const wav = wavOf('sine=f=1000:d=5,volume=-4.938dB', ['-ac', '2', '-ar', '48000', '-c:a', 'pcm_f32le']);
		const { peak } = measured(wav);
		expect(integrated(measured(wav))! - 20 * Math.log10(peak!)).toBeCloseTo(0, 1);
	});

	it('of parts together is that of the whole', () => {
		const wav = mono('1');
		const halves = [
			measured(wav, { startSeconds: 0, endSeconds: 3 }),
			measured(wav, { startSeconds: 3, endSeconds: 6 }),
		];
		expect(Math.abs(integrated(together(halves))! - integrated(measured(wav))!)).toBeLessThan(0.1);
	});

	it('is unknown for silence, and for less than 400 ms', () => {
		expect(integrated(measured(wavOf('anullsrc=r=24000', ['-t', '2'])))).toBeUndefined();
		expect(integrated(measured(wavOf('sine=d=0.35', ['-ar', '24000'])))).toBeUndefined();
	});

	it('is not measured in a format whose samples are compressed', () => {
		expect(sampleFormatOf(factsOf(wavOf('sine=d=1', ['-ar', '8000', '-c:a', 'pcm_alaw'])))).toBeUndefined();
	});
});

describe('Levelling', () => {
	it('makes all stories equally loud, whose parts keep their differences, and distorts none of them', async () => {
		const parts = [mono('0.9'), mono('0.1'), mono('0.3'), mono('0.15')];
		const sources = parts.map((bytes, index) => audioInMemory(bytes, partFails(index + 1)));
		const joiner = await joinerFor(sources[0], { levels: true });
		const read = [];
		for (const source of sources) read.push(await joiner.read(source));
		const groups = [0, 1, 2, 2];
		const places = read.map((audio, index) => audio.append(groups[index]));
		const wav = await allOf(joiner.chunks());
		const lufs = places.map((place) => integrated(measured(wav, place))!);
		const third = integrated(together([measured(wav, places[2]), measured(wav, places[3])]))!;
		expect(Math.abs(lufs[0] - lufs[1])).toBeLessThan(0.1);
		expect(Math.abs(lufs[0] - third)).toBeLessThan(0.1);
		expect(lufs[2] - lufs[3]).toBeCloseTo(6, 0);
		expect(measured(wav).peak).toBeLessThanOrEqual(10 ** (-1 / 20) + 1e-4);
	});

	it('aims at -16 LUFS, or at what the least loud one can be without distortion', () => {
		const constant = (lufs: number, peak: number): Loudness => ({
			blocks: [10 ** ((lufs + 0.691) / 10)],
			peak,
		});
		const db = (gains: number[]) => gains.map((gain) => Math.round(200 * Math.log10(gain)) / 10);
		expect(db(levelGains([constant(-26, 0.1), constant(-20, 0.2), undefined]))).toEqual([10, 4, 0]);
		expect(db(levelGains([constant(-26, 1), constant(-20, 0.2)]))).toEqual([-1, -7]);
		expect(levelGains([])).toEqual([]);
	});

	it('changes each sample by the same factor, however the chunks are cut', async () => {
		const codecs = ['pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le', 'pcm_u8'];
		const files = codecs.map((codec) =>
			wavOf(SPEECH_LIKE.replace('d=6', 'd=0.1'), ['-ac', '2', '-ar', '8000', '-c:a', codec]),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...files),
				fc.integer({ min: 1, max: 50 }),
				fc.double({ min: 0.05, max: 1, noNaN: true }),
				async (wav, size, gain) => {
					const facts = factsOf(wav);
					const format = sampleFormatOf(facts)!;
					const data = wav.subarray(facts.dataOffset);
					async function* cut() {
						for (let from = 0; from < data.length; from += size) yield data.subarray(from, from + size);
					}
					const changed = await allOf(amplified(cut(), format, 2, gain));
					expect(changed).toHaveLength(data.length);
					for (let offset = 0; offset + format.bytes <= data.length; offset += format.bytes) {
						const difference = format.read(changed, offset) - format.read(data, offset) * gain;
						expect(Math.abs(difference)).toBeLessThanOrEqual(0.51 / 2 ** (format.bytes === 1 ? 7 : 15));
					}
				},
			),
			{ numRuns: 60 },
		);
	});

	it('leaves a gain for players in the tag', () => {
		const loudness = { blocks: [10 ** ((-20 + 0.691) / 10)], peak: 0.5 };
		const { userDefinedText } = NodeId3.read(id3Tag({ chapters: [], loudness }));
		expect(userDefinedText).toEqual([
			{ description: 'REPLAYGAIN_TRACK_GAIN', value: '2.00 dB' },
			{ description: 'REPLAYGAIN_TRACK_PEAK', value: '0.500000' },
		]);
	});
});
