import { WavScanner } from '../../../nodes/shared/files/wavScanner';
import { chunkOf, wav } from '../../integration/VoiceModel/voiceSamples';

/** Reads a file that arrives in chunks. @returns how many of its bytes were read, too */
async function read(bytes: Buffer, size: number | undefined, chunkBytes = 4096) {
	let count = 0;
	function* content(): Generator<Buffer> {
		for (let at = 0; at < bytes.length; at += chunkBytes) {
			count += chunkBytes;
			yield bytes.subarray(at, at + chunkBytes);
		}
	}
	const scanner = new WavScanner(size);
	await scanner.readAll(content());
	return { seconds: scanner.seconds, facts: scanner.facts, count };
}

describe('A recording', () => {
	it.each([1, 7, 4096])('is read only up to its sound, in chunks of %i bytes', async (chunkBytes) => {
		const bytes = wav({ seconds: 60, chunk: chunkOf('LIST', Buffer.alloc(5001)) });
		const { seconds, facts, count } = await read(bytes, bytes.length, chunkBytes);
		expect(facts).toMatchObject({ sampleRate: 16_000, channels: 1, isUncompressed: true });
		expect(seconds).toBe(60);
		expect(count).toBeLessThan(5100 + 3 * chunkBytes);
	});

	it('is read to its end when its size is not known', async () => {
		const { seconds, count } = await read(wav({ seconds: 12 }).subarray(0, 100_000), undefined);
		expect(seconds).toBeCloseTo((100_000 - 44) / 32_000, 6);
		expect(count).toBeGreaterThanOrEqual(100_000);
	});

	it('is not read to its end when it is not WAV', async () => {
		const { facts, count } = await read(Buffer.alloc(1_000_000, 'x'), 1_000_000);
		expect(facts).toBeUndefined();
		expect(count).toBeLessThan(20_000);
		expect((await read(Buffer.from('RIF'), 3)).facts).toBeUndefined();
	});
});
