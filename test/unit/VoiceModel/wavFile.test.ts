import { streamFrom } from '../../../nodes/shared/answer/byteStream';
import { inspectWavFile } from '../../../nodes/VoiceModel/samples';
import { chunkOf, wav } from '../../integration/VoiceModel/voiceSamples';

/** A file that counts how many bytes are read. */
function file(bytes: Buffer, size: number | undefined = bytes.length, chunkBytes = 4096) {
	const counts = { read: 0, closed: false };
	async function* content(): AsyncGenerator<Buffer> {
		try {
			for (let at = 0; at < bytes.length; at += chunkBytes) {
				counts.read += chunkBytes;
				yield bytes.subarray(at, at + chunkBytes);
			}
		} finally {
			counts.closed = true;
		}
	}
	return { counts, source: { size, identity: 'file', open: async () => streamFrom(content()) } };
}

describe('WAV file inspection', () => {
	it.each([1, 7, 4096])('reads only the header in chunks of %i bytes', async (chunkBytes) => {
		const chunk = chunkOf('LIST', Buffer.alloc(5001));
		const { counts, source } = file(wav({ seconds: 60, chunk }), undefined, chunkBytes);
		const sized = { ...source, size: wav({ seconds: 60, chunk }).length };
		expect(await inspectWavFile(sized)).toEqual({
			sampleRate: 16_000,
			channels: 1,
			seconds: 60,
			isUncompressed: true,
		});
		expect(counts.read).toBeLessThan(5100 + 3 * chunkBytes);
		expect(counts.closed).toBe(true);
	});

	it('reads the whole file when its size is not known', async () => {
		const { counts, source } = file(wav({ seconds: 12 }).subarray(0, 100_000), undefined);
		const unsized = { open: source.open, identity: 'file', size: undefined };
		expect((await inspectWavFile(unsized))?.seconds).toBeCloseTo((100_000 - 44) / 32_000, 6);
		expect(counts.read).toBeGreaterThanOrEqual(100_000);
	});

	it('reads RF64 and the extensible format', async () => {
		const long = wav({ seconds: 30, container: 'RF64', extensible: true, channels: 2, sampleRate: 24_000 });
		expect(await inspectWavFile(file(long).source)).toEqual({
			sampleRate: 24_000,
			channels: 2,
			seconds: 30,
			isUncompressed: true,
		});
	});

	it('stops early when a file is not WAV', async () => {
		const { counts, source } = file(Buffer.alloc(1_000_000, 'x'));
		expect(await inspectWavFile(source)).toBeUndefined();
		expect(counts.read).toBeLessThan(20_000);
		expect(
			await inspectWavFile({ size: 3, identity: 'file', open: async () => Buffer.from('RIF') }),
		).toBeUndefined();
	});
});
