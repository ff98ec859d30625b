import { inspectMp3 } from './mp3';

/** A silent frame: MPEG 2, layer III, 64 kbit/s, 24 kHz, mono; 192 bytes, 24 ms. */
const frame = Buffer.alloc(192);
frame.set([0xff, 0xf3, 0x84, 0xc4]);

describe('inspectMp3', () => {
	it('returns the number of frames and their duration', () => {
		const { frames, seconds } = inspectMp3(Buffer.concat([frame, frame, frame]));
		expect(frames).toBe(3);
		expect(seconds).toBeCloseTo(0.072, 10);
	});

	it('calculates the length of MPEG 1 frames with and without padding', () => {
		// 128 kbit/s at 44.1 kHz: 417 bytes, or 418 with padding.
		const plain = Buffer.alloc(417);
		plain.set([0xff, 0xfb, 0x90, 0x64]);
		const padded = Buffer.alloc(418);
		padded.set([0xff, 0xfb, 0x92, 0x64]);
		expect(inspectMp3(Buffer.concat([plain, padded, plain])).frames).toBe(3);
	});

	it('skips an ID3 tag at the start', () => {
		const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 1, 2]), Buffer.alloc(130)]);
		expect(inspectMp3(Buffer.concat([tag, frame])).frames).toBe(1);
	});

	it.each([
		[
			'a stray byte between frames',
			Buffer.concat([frame, Buffer.from([0]), frame]),
			/No MPEG frame at byte 192/,
		],
		['a tag between frames', Buffer.concat([frame, Buffer.from('ID3\x04\0\0\0\0\0\0'), frame]), /byte 192/],
		['a frame that is cut off', Buffer.concat([frame, frame.subarray(0, 100)]), /at byte 192 is cut off/],
	])('rejects %s', (_case, bytes, message) => {
		expect(() => inspectMp3(bytes)).toThrow(message);
	});
});
