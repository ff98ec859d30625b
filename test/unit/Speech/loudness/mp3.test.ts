import { Mp3Scanner, sideInfoLength } from '../../../../nodes/Speech/audio/mp3Frames';
import { joinerFor } from '../../../../nodes/Speech/audio/formats';
import { audioInMemory, partFails } from '../../../../nodes/Speech/audio/joiner';
import { silencesIn } from '../../../../nodes/Speech/loudness/levels';
import { integrated, loudnessFrom } from '../../../../nodes/Speech/loudness/loudness';
import { amplifiedFrame } from '../../../../nodes/Speech/loudness/mp3/mp3Gain';
import { Mp3Meter } from '../../../../nodes/Speech/loudness/mp3/mp3Meter';
import { PAIR_CODES, QUAD_CODE } from '../../../../nodes/Speech/loudness/mp3/huffmanCodes';
import { decode, loudnessOf, synthesize } from '../../../audioTools';
import { allOf } from '../joined';

const NOISE = 'anoisesrc=d=6:c=pink:a=0.4:seed=1,tremolo=f=3:d=0.9';
const STEREO =
	'anoisesrc=d=6:c=pink:a=0.4:seed=1[a];anoisesrc=d=6:c=pink:a=0.2:seed=2[b];[a][b]join=inputs=2:channel_layout=stereo';
/** A click every 0.3 s, for which encoders use short blocks. */
const CLICKS = String.raw`aevalsrc=0.5*sin(1000*t)*lt(mod(t\,0.3)\,0.01):d=5`;
const mp3Of = (source: string, codec: string) => synthesize(source, 'mp3', codec.split(' '));

function levelsOf(mp3: Buffer): number[] {
	const meter = new Mp3Meter();
	const scanner = new Mp3Scanner((frame, bytes) => meter.add(frame, bytes));
	scanner.add(mp3);
	scanner.end();
	return meter.levels;
}
const lufsOf = (mp3: Buffer) => integrated(loudnessFrom(levelsOf(mp3)))!;

describe('The loudness of an MP3 file, of which no sample is decoded,', () => {
	it.each([
		['a tone', 'sine=f=1000:d=5,volume=-3dB', '-ac 1 -ar 24000 -b:a 32k', 0.1],
		['a low tone', 'sine=f=200:d=5', '-ac 1 -ar 44100 -b:a 128k', 0.1],
		['noise with few bits', NOISE, '-ac 1 -ar 24000 -b:a 32k', 0.3],
		['noise with many bits', NOISE, '-ac 1 -ar 24000 -b:a 160k', 0.2],
		['stereo of two equal channels', NOISE, '-ac 2 -ar 44100 -b:a 128k', 0.2],
		['stereo of different channels', STEREO, '-ar 48000 -b:a 128k', 0.2],
		['channels that are encoded separately', STEREO, '-ar 48000 -b:a 128k -joint_stereo 0', 0.2],
		['a variable bit rate', NOISE, '-ac 1 -ar 44100 -q:a 2', 0.2],
		['MPEG 1, 32 kHz', NOISE, '-ac 1 -ar 32000 -b:a 64k', 0.2],
		['MPEG 2, 22 kHz', NOISE, '-ac 1 -ar 22050 -b:a 48k', 0.2],
		['MPEG 2, 16 kHz', NOISE, '-ac 1 -ar 16000 -b:a 32k', 0.3],
		['MPEG 2.5, 11 kHz', NOISE, '-ac 1 -ar 11025 -b:a 16k', 0.4],
		['MPEG 2.5, 8 kHz', NOISE, '-ac 1 -ar 8000 -b:a 16k', 0.4],
		['short blocks', CLICKS, '-ac 1 -ar 44100 -b:a 128k', 0.4],
		['short blocks, MPEG 2', CLICKS, '-ac 1 -ar 24000 -b:a 64k', 0.4],
	])('is what ffmpeg measures of its samples: %s', (_what, source, codec, tolerance) => {
		const mp3 = mp3Of(source, codec);
		expect(Math.abs(lufsOf(mp3) - loudnessOf(mp3))).toBeLessThan(tolerance);
	});

	it('is unknown for silence', () => {
		expect(
			integrated(loudnessFrom(levelsOf(mp3Of('anullsrc=r=24000:cl=mono,atrim=0:3', '-b:a 32k')))),
		).toBeUndefined();
	});

	it('is a number for any bytes after a header', () => {
		const frame = mp3Of(NOISE, '-ac 1 -ar 24000 -b:a 64k');
		for (let seed = 0; seed < 50; seed++) {
			const odd = Buffer.from(
				frame.map((byte, index) => (index % 192 > 3 ? (byte * 31 + seed * index) & 255 : byte)),
			);
			expect(levelsOf(odd).every((level) => Number.isFinite(level) && level >= 0)).toBe(true);
		}
	});
});

describe('The codes of values', () => {
	it.each(Object.entries({ ...PAIR_CODES, quad: QUAD_CODE }))('of table %s are complete', (_table, code) => {
		const symbols = code.replaceAll('.', '').match(/../g)!;
		expect(new Set(symbols).size).toBe(symbols.length);
		expect(code.split('.')).toHaveLength(symbols.length);
		expect([4, 9, 16, 36, 64, 256]).toContain(symbols.length);
	});
});

describe('Silence in an MP3 file', () => {
	it.each(['-ac 1 -ar 24000 -b:a 64k', '-ac 2 -ar 44100 -b:a 128k', '-ac 1 -ar 16000 -b:a 32k'])(
		'is found where its samples are silent: %s',
		(codec) => {
			const mp3 = mp3Of(String.raw`aevalsrc=0.3*random(0)*gt(mod(t\,1.5)\,0.5):d=6`, codec);
			const { samples } = decode(mp3);
			// Of decoded samples, which begin later than those of the encoder.
			const loud = Array.from({ length: Math.floor(samples.length / 240) }, (_, index) =>
				Math.max(...samples.subarray(240 * index, 240 * index + 240).map(Math.abs)) > 1000 ? 1 : 0,
			);
			const silences = silencesIn(levelsOf(mp3), samples.length / 24_000);
			expect(silences.length).toBeGreaterThanOrEqual(4);
			for (const { startSeconds, endSeconds } of silences.slice(1, 4)) {
				const middle = Math.round(50 * (startSeconds + endSeconds));
				let [start, end] = [middle, middle];
				while (!loud[start - 1]) start -= 1;
				while (!loud[end]) end += 1;
				expect(Math.abs(startSeconds - start / 100)).toBeLessThan(0.05);
				expect(Math.abs(endSeconds - end / 100)).toBeLessThan(0.05);
			}
		},
	);
});

describe('Levelling MP3 files', () => {
	it.each(['-ac 1 -ar 24000 -b:a 64k', '-ac 2 -ar 44100 -q:a 4'])(
		'makes all stories equally loud, in steps of 1.5 dB, and changes nothing else: %s',
		async (codec) => {
			const parts = ['1', '0.1', '0.35'].map((gain) => mp3Of(`${NOISE},volume=${gain}`, codec));
			const sources = parts.map((bytes, index) => audioInMemory(bytes, partFails(index + 1)));
			const joiner = await joinerFor(sources[0], { levels: true });
			for (const [index, source] of sources.entries()) (await joiner.read(source)).append(index);
			const whole = await allOf(joiner.chunks({ chapters: [] }));
			const { samples, warnings } = decode(whole);
			expect(warnings).toBe('');
			const third = Math.floor(samples.length / 3);
			const rms = [0, 1, 2].map((index) => {
				const own = samples.subarray(index * third, (index + 1) * third);
				return 10 * Math.log10(own.reduce((sum, sample) => sum + sample * sample, 0) / third);
			});
			expect(Math.max(...rms) - Math.min(...rms)).toBeLessThan(1.6);
			// The quietest one stays as it is, because nobody knows how loud its loudest sample is.
			const quietest = decode(parts[1]).samples;
			const before = 10 * Math.log10(quietest.reduce((sum, one) => sum + one * one, 0) / quietest.length);
			expect(Math.abs(rms[1] - before)).toBeLessThan(0.3);
			expect(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(32_767);
			const plain = await joinerFor(sources[0]);
			for (const source of sources) (await plain.read(source)).append();
			expect(await allOf(joiner.chunks())).toHaveLength((await allOf(plain.chunks())).length);
		},
	);

	it('keeps the checksums of frames right', () => {
		const scanner = new Mp3Scanner((frame, bytes) => {
			const checked = Buffer.concat([bytes.subarray(0, 4), Buffer.alloc(2), bytes.subarray(4, -2)]);
			checked[1] &= 0xfe;
			for (const steps of [0, 3]) {
				const louder = amplifiedFrame(frame, checked, steps);
				const secured = Buffer.concat([louder.subarray(2, 4), louder.subarray(6, 6 + sideInfoLength(frame))]);
				expect(louder.readUInt16BE(4)).toBe(remainder(secured));
			}
		});
		scanner.add(mp3Of(NOISE.replace('d=6', 'd=0.2'), '-ac 1 -ar 24000 -b:a 64k -write_xing 0'));
		scanner.end();
		expect.hasAssertions();
	});
});

/** What is left of a polynomial of bits (all ones before it) that is divided by x^16 + x^15 + x^2 + 1. */
function remainder(bytes: Buffer): number {
	const length = 8 * bytes.length;
	let rest = (BigInt(`0x${bytes.toString('hex')}`) << 16n) ^ (0xffffn << BigInt(length));
	for (let bit = length - 1; bit >= 0; bit--) {
		if ((rest >> BigInt(bit + 16)) & 1n) rest ^= 0x18005n << BigInt(bit);
	}
	return Number(rest);
}
