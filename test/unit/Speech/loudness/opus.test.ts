import { joinerFor } from '../../../../nodes/Speech/audio/formats';
import { audioInMemory, partFails } from '../../../../nodes/Speech/audio/joiner';
import { OpusReader } from '../../../../nodes/Speech/audio/opusReader';
import { integrated, loudnessFrom } from '../../../../nodes/Speech/loudness/loudness';
import { framesOf, modeOf } from '../../../../nodes/Speech/loudness/opus/opusFrames';
import { OpusMeter } from '../../../../nodes/Speech/loudness/opus/opusMeter';
import { loudnessOf, probe, synthesize } from '../../../audioTools';
import { oggChecksum } from '../../../integration/emulator/audioFiles';
import { allOf } from '../joined';

const NOISE = 'anoisesrc=d=6:c=pink:a=0.4:seed=1,tremolo=f=3:d=0.9';
/** Harmonics of a voice that rises and falls. */
const VOICE = String.raw`aevalsrc=0.1*(sin(900*t+8*sin(3*t))+sin(1800*t+16*sin(3*t))+sin(2700*t+24*sin(3*t))+0.5*sin(4500*t+40*sin(3*t))+0.2*random(0))*(0.3+0.7*abs(sin(3*t))):d=10`;
const opusOf = (source: string, codec: string) =>
	synthesize(source, 'ogg', ['-c:a', 'libopus', ...codec.split(' ')]);

function meterOf(ogg: Buffer): OpusMeter {
	const meter = new OpusMeter();
	const reader = new OpusReader((packet) => meter.add(packet));
	reader.add(ogg);
	reader.end();
	return meter;
}

describe('The loudness of an Opus file, of which no sample is decoded,', () => {
	it.each([
		['noise', NOISE, '-ac 1 -b:a 64k', 0.3],
		['a constant bit rate', NOISE, '-ac 1 -b:a 64k -vbr off', 0.3],
		['stereo', NOISE, '-ac 2 -b:a 96k', 0.4],
		['frames of 10 ms', NOISE, '-ac 1 -b:a 64k -frame_duration 10', 0.3],
		['frames of 5 ms', NOISE, '-ac 1 -b:a 64k -frame_duration 5', 0.4],
		['frames of 2.5 ms', NOISE, '-ac 1 -b:a 96k -frame_duration 2.5', 1],
		['several frames in a packet', NOISE, '-ac 1 -b:a 64k -frame_duration 60', 0.3],
		['sound with a pitch', VOICE, '-ac 1 -b:a 64k', 2],
		['a rising tone', String.raw`aevalsrc=0.2*sin(600*t+200*t*t):d=6`, '-ac 1 -b:a 64k', 2],
	])('is about what ffmpeg measures of its samples: %s', (_what, source, codec, tolerance) => {
		const ogg = opusOf(source, codec);
		const meter = meterOf(ogg);
		expect(meter.isMeasured).toBe(true);
		expect(Math.abs(integrated(loudnessFrom(meter.levels))! - loudnessOf(ogg))).toBeLessThan(tolerance);
	});

	it('is unknown if its frames are those for speech at low bit rates', () => {
		expect(meterOf(opusOf(NOISE, '-ac 1 -b:a 16k -application voip')).isMeasured).toBe(false);
	});

	it('is what a joined file tells players, relative to -23 LUFS in steps of 1/256 dB', async () => {
		const ogg = opusOf(NOISE, '-ac 1 -b:a 64k');
		const source = audioInMemory(ogg, partFails(1));
		const tagsOf = async (listens: boolean) => {
			const joiner = await joinerFor(source, { listens });
			(await joiner.read(source)).append();
			return probe(await allOf(joiner.chunks({ chapters: [] }))).streams[0].tags;
		};
		expect(Number((await tagsOf(true))?.R128_TRACK_GAIN) / 256).toBeCloseTo(-23 - loudnessOf(ogg), 0);
		expect((await tagsOf(false))?.R128_TRACK_GAIN).toBeUndefined();
	});

	it('includes the gain of its header', async () => {
		const ogg = opusOf(NOISE, '-ac 1 -b:a 64k');
		const loudnessAt = async (gainDb: number) => {
			const bytes = Buffer.from(ogg);
			bytes.writeInt16LE(256 * gainDb, bytes.indexOf('OpusHead') + 16);
			const firstPage = bytes.subarray(0, bytes.indexOf('OpusHead') + 19);
			firstPage.writeUInt32LE(oggChecksum(firstPage), 22);
			const source = audioInMemory(bytes, partFails(1));
			const joiner = await joinerFor(source, { listens: true });
			(await joiner.read(source)).append();
			return (
				Number(probe(await allOf(joiner.chunks({ chapters: [] }))).streams[0].tags?.R128_TRACK_GAIN) / 256
			);
		};
		expect((await loudnessAt(-6)) - (await loudnessAt(0))).toBeCloseTo(6, 1);
	});

	it('is a number for any bytes in a packet', () => {
		for (let seed = 0; seed < 400; seed++) {
			const bytes = Buffer.from(
				Array.from({ length: 1 + (seed % 60) }, (_, index) => (seed * 73 + index * index * 31) & 255),
			);
			const meter = new OpusMeter();
			meter.add({ bytes, samples: 960 });
			meter.add({ bytes, samples: 960 });
			expect(meter.levels.every((level) => Number.isFinite(level) && level >= 0)).toBe(true);
		}
	});
});

describe('Silence in an Opus file', () => {
	it.each([
		'-b:a 64k',
		'-b:a 96k -vbr off',
		'-b:a 24k -application voip',
		'-b:a 12k -application voip',
		'-b:a 16k -application voip -frame_duration 60',
	])('is found where the voice is silent: %s', async (codec) => {
		const pauses = String.raw`*gt(mod(t\,2)\,0.6):d=10`;
		const source = audioInMemory(opusOf(VOICE.replace(':d=10', pauses), `-ac 1 ${codec}`), partFails(1));
		const joiner = await joinerFor(source, { listens: true });
		const { silences } = await joiner.read(source);
		expect(silences).toHaveLength(5);
		silences!.forEach(({ startSeconds, endSeconds }, index) => {
			expect(Math.abs(startSeconds - 2 * index)).toBeLessThan(0.1);
			expect(Math.abs(endSeconds - (2 * index + 0.6))).toBeLessThan(0.03);
		});
	});
});

describe('A packet of Opus', () => {
	const bytes = (...values: number[]) => Buffer.from(values);
	it.each([
		['one frame', bytes(0xf8, 1, 2, 3), [[1, 2, 3]]],
		[
			'two frames of one length',
			bytes(0xf9, 1, 2, 3, 4),
			[
				[1, 2],
				[3, 4],
			],
		],
		['two frames of different lengths', bytes(0xfa, 1, 9, 2, 3), [[9], [2, 3]]],
		['several frames of one length', bytes(0xfb, 3, 1, 2, 3), [[1], [2], [3]]],
		['several frames of different lengths', bytes(0xfb, 0x83, 2, 0, 7, 7, 8), [[7, 7], [], [8]]],
		['padding', bytes(0xfb, 0x42, 2, 5, 6, 0, 0), [[5], [6]]],
		['frames that are cut off', bytes(0xfb, 0x83, 200, 9, 1), [[1], [], []]],
	])('consists of %s', (_what, packet, frames) => {
		expect(framesOf(packet).map((frame) => [...frame])).toEqual(frames);
	});

	it.each([
		[0x08, { layer: 'silk', samples: 960, channels: 1 }],
		[0x18, { layer: 'silk', samples: 2880, channels: 1 }],
		[0x78, { layer: 'hybrid', samples: 960, channels: 1 }],
		[0x84, { layer: 'celt', samples: 120, bands: 13, channels: 2 }],
		[0xb8, { layer: 'celt', samples: 960, bands: 17, channels: 1 }],
		[0xfc, { layer: 'celt', samples: 960, bands: 21, channels: 2 }],
	])('says in its first byte how it is encoded: %i', (first, mode) => {
		expect(modeOf(bytes(first))).toMatchObject(mode);
	});
});
