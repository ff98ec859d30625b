import { decode, synthesize } from '../../audioTools';
import { joined } from './joined';

const TONE = 'sine=f=440:d=1,volume=-6dB';
const wav = (...codec: string[]) => synthesize(TONE, 'wav', ['-ac', '1', '-ar', '24000', ...codec]);

/** A file whose header says how long it is, unlike that of a program that writes to a pipe. */
const PLAIN = withSound(wav(), 48_000);

/** Joins a plain file, the given one, and the plain one again. */
const between = async (bytes: Buffer) => (await joined([PLAIN, bytes, PLAIN])).bytes;

/** A file whose chunk of sound has another length than it says, or is said to have. */
function withSound(bytes: Buffer, length: number, declared = length): Buffer {
	const at = bytes.indexOf('data') + 4;
	const changed = Buffer.from(bytes.subarray(0, at + 4 + length));
	changed.writeUInt32LE(declared, at);
	return changed;
}

describe('A WAV file', () => {
	it.each([
		[
			'24 bits',
			'24000 Hz, 1 channel, 24 bits instead of 24000 Hz, 1 channel, 16 bits',
			['-c:a', 'pcm_s24le'],
		],
		['floating point', '32 bits, floating point', ['-c:a', 'pcm_f32le']],
		['μ-law', 'μ-law', ['-c:a', 'pcm_mulaw']],
		['another sample rate', '22050 Hz, 1 channel, 16 bits', ['-ar', '22050']],
		['a compression in blocks', 'is compressed in a way that cannot be joined', ['-c:a', 'adpcm_ima_wav']],
	])('with %s does not fit the others, and the failure says why', async (_what, why, codec) => {
		await expect(between(wav(...codec))).rejects.toThrow(why);
	});

	it('fits the others if its header says the same in another way', async () => {
		const head = Buffer.alloc(68);
		head.write('RIFF....WAVEfmt ', 'latin1');
		head.writeUInt32LE(40, 16);
		PLAIN.copy(head, 20, PLAIN.indexOf('fmt ') + 8, PLAIN.indexOf('fmt ') + 24);
		head.writeUInt16LE(0xfffe, 20);
		head.writeUInt16LE(22, 36);
		head.writeUInt16LE(16, 38);
		head.writeUInt16LE(1, 44);
		head.write('data', 60, 'latin1');
		const sound = PLAIN.subarray(PLAIN.indexOf('data') + 8);
		head.writeUInt32LE(sound.length, 64);
		const { samples } = decode(await between(Buffer.concat([head, sound])));
		expect(samples.length).toBe(72_000);
	});

	it('that ends in the middle of a sample shifts nothing behind it', async () => {
		const { samples } = decode(await between(withSound(PLAIN, 24_001)));
		expect(samples).toHaveLength(60_000);
		const plain = decode(PLAIN).samples;
		expect(samples.subarray(-plain.length)).toEqual(plain);
	});

	it('without sound, and one that is cut off, cannot be joined', async () => {
		await expect(between(withSound(PLAIN, 0))).rejects.toThrow('contains no sound');
		await expect(between(withSound(PLAIN, 20_000, 48_000))).rejects.toThrow('is cut off');
		await expect(between(Buffer.from('RIFFxxxxWAVE'))).rejects.toThrow('part 2 is not a readable WAV file');
	});

	it('may be a little shorter than it says, or say nothing', async () => {
		for (const [length, declared] of [
			[47_900, 48_000],
			[20_000, 0xffff_ffff],
			[20_000, 1_500_000_000],
		]) {
			expect(decode(await between(withSound(PLAIN, length, declared))).samples).toHaveLength(
				48_000 + length / 2,
			);
		}
	});
});
