import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { AUDIO_FORMATS } from '../../../nodes/audio/formats';
import { WavScanner } from '../../../nodes/audio/wavScanner';
import { decode, encode, probe } from '../../audioTools';
import { memoryInUse } from '../../memoryInUse';
import {
	audioDuration,
	joinAll,
	packetsOf,
	scanned,
	soundFrames,
	spoken,
	SPOKEN_FORMATS,
	type SpokenFormat,
	joined,
} from './joined';
import { oggPage, oggPageLength, OggWriter } from '../../../nodes/audio/ogg';
import { samplesOf } from '../../../nodes/audio/opusReader';

/** The sound of a file in its smallest units. */
function soundOf(bytes: Buffer, format: SpokenFormat): Buffer[] {
	if (format === 'opus') return packetsOf(bytes)!.map((packet) => packet.bytes);
	if (format === 'mp3') return soundFrames(bytes);
	return scanned(new WavScanner(), bytes).spans.map(({ offset, length }) =>
		bytes.subarray(offset, offset + length),
	);
}

const written = async (parts: Buffer[], chunkBytes?: number) =>
	await buffer((await joinAll(parts, chunkBytes)).joiner.chunks());

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

it('The emulator speaks, and the tests below join, every format', () => {
	expect([...SPOKEN_FORMATS].sort()).toEqual(AUDIO_FORMATS.map(({ value }) => value).sort());
});

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
		const parts = [spoken('One.', format), spoken('A longer one.', format)];
		const expected = await written(parts);
		for (const size of [3, 1000]) {
			expect((await written(parts, size)).equals(expected)).toBe(true);
		}
	});

	it('puts everything in its place, one after another, up to the end of the file', async () => {
		await fc.assert(
			fc.asyncProperty(pieces, async (given) => {
				const all = made(given, format);
				const { joiner, places } = await joinAll(all);
				let end = 0;
				expect(places).toHaveLength(all.length);
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
				expect(audioDuration(await buffer(joiner.chunks())) ?? 0).toBeCloseTo(joiner.seconds, 6);
			}),
			{ numRuns: 40 },
		);
	});
});

/** Memory in use is under a limit after at most a few turns of the event loop: one collection does not free everything. */
async function isMemoryBelow(limit: number): Promise<boolean> {
	for (let turn = 0; turn < 3; turn++) {
		await setImmediate();
		if (memoryInUse() < limit) return true;
	}
	return false;
}

it('Joining keeps none of its sources in memory', async () => {
	const parts = SPOKEN_FORMATS.map((format) => spoken('A story of some length. '.repeat(20), format));
	const before = memoryInUse();
	for (const part of parts) {
		const { joiner } = await joinAll(
			Array.from({ length: 40 }, () => part),
			65_536,
		);
		let [passed, longest] = [0, 0];
		let isFreed: boolean | undefined;
		for await (const chunk of joiner.chunks({ chapters: [] })) {
			longest = Math.max(longest, chunk.length);
			passed += chunk.length;
			// Once, near the end: it takes a while in a process that has much in memory.
			if (passed > 36 * part.length) isFreed ??= await isMemoryBelow(before + (40 * part.length) / 4);
		}
		expect(longest).toBeLessThan(200_000);
		expect(isFreed).toBe(true);
	}
});

describe('Files of real encoders', () => {
	it.each([
		['MPEG 1, stereo, with a bit reservoir', 'mp3', '-ar 44100 -ac 2 -b:a 128k'],
		['MPEG 1, joint stereo, variable', 'mp3', '-ar 48000 -ac 2 -q:a 4'],
		['MPEG 2, mono', 'mp3', '-ar 24000 -ac 1 -b:a 48k'],
		['MPEG 2.5, mono', 'mp3', '-ar 11025 -ac 1 -b:a 16k'],
		['Opus, stereo', 'ogg', '-c:a libopus -ac 2 -b:a 64k'],
		['Opus, packets of 60 ms', 'ogg', '-c:a libopus -ac 1 -b:a 16k -frame_duration 60'],
		['Opus, packets of 2.5 ms', 'ogg', '-c:a libopus -ac 1 -frame_duration 2.5 -application lowdelay'],
		['WAV, 24 bits, stereo', 'wav', '-c:a pcm_s24le -ac 2 -ar 44100'],
		['WAV, floating point', 'wav', '-c:a pcm_f32le -ac 1 -ar 16000'],
		['WAV, 8 bits', 'wav', '-c:a pcm_u8 -ac 1 -ar 8000'],
	])(
		'are joined with silence between them, and decode without a warning: %s',
		async (_name, container, codec) => {
			const part = encode(container, codec.split(' '), 1.5);
			const { joiner, places } = await joinAll([part, 0.5, part, 0.5]);
			const bytes = await buffer(joiner.chunks({ title: 'Real', chapters: [] }));
			expect(Math.abs(Number(probe(bytes).format.duration) - joiner.seconds)).toBeLessThan(0.03);
			const { samples, warnings } = decode(bytes);
			expect(warnings).toBe('');
			const { startSeconds, endSeconds } = places[3];
			const silence = samples.slice((startSeconds + 0.1) * 24_000, (endSeconds - 0.05) * 24_000);
			expect(silence.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeLessThan(40);
			expect(silence.length).toBeGreaterThan(2400);
		},
	);
});

/** An Ogg Opus file with the given properties. */
function madeOpus({ packets = 50, packetBytes = 40, channels = 1, gain = 0, serial = 7 } = {}): Buffer {
	const head = Buffer.alloc(19);
	head.write('OpusHead', 'latin1');
	head.set([1, channels], 8);
	head.writeUInt16LE(312, 10);
	head.writeInt16LE(gain, 16);
	const writer = new OggWriter(serial);
	const pages = [writer.page([head], 0), writer.page([Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1')], 0)];
	const packet = Buffer.alloc(packetBytes, 1);
	packet[0] = 0x98;
	const samples = samplesOf(packet)!;
	for (let sent = 1; sent <= packets; sent++) {
		pages.push(writer.page([packet], sent * samples, sent === packets));
	}
	return Buffer.concat(pages);
}

function pagesOf(bytes: Buffer) {
	const pages = [];
	for (let offset = 0; offset < bytes.length;) {
		const length = oggPageLength(bytes.subarray(offset)) ?? 0;
		const page = oggPage(bytes.subarray(offset, offset + length));
		if (!page) throw new Error(`No page at byte ${offset}`);
		const isLast = (bytes[offset + 5] & 4) !== 0;
		pages.push({ ...page, isLast, sequence: bytes.readUInt32LE(offset + 18) });
		offset += length;
	}
	return pages;
}

async function join(parts: Buffer[]) {
	const { bytes, durationSeconds } = await joined(parts);
	return { bytes, durationSeconds, pages: pagesOf(bytes) };
}

describe('Opus joiner', () => {
	it('writes one logical stream with consistent serial numbers, sequence, positions, and flags', async () => {
		const parts = ['Good morning, everybody.', 'Second part here.', 'And the last of the three!'].map(
			(text) => spoken(text.repeat(8), 'opus'),
		);
		const { bytes, pages } = await join(parts);
		expect(new Set(pages.map(({ serial }) => serial)).size).toBe(1);
		expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
		expect(pages.map(({ isFirst }) => isFirst)).toEqual(pages.map((_, index) => index === 0));
		expect(pages.map(({ isLast }) => isLast)).toEqual(pages.map((_, index) => index === pages.length - 1));
		expect(bytes.toString('latin1').match(/OpusHead/g)).toHaveLength(1);
		expect(bytes.toString('latin1').match(/OpusTags/g)).toHaveLength(1);
		// Players seek to the beginnings of pages, about one per second.
		const granules = pages.slice(2).map(({ granule }) => granule!);
		expect(
			Math.max(...granules.map((granule, index) => granule - (granules[index - 1] ?? 0))),
		).toBeLessThanOrEqual(49_000);
	});

	it('joins packets that span segments and pages, and concatenated files', async () => {
		const long = madeOpus({ packets: 300, packetBytes: 1020 });
		const { bytes, durationSeconds } = await join([
			long,
			Buffer.concat([madeOpus({ serial: 1 }), madeOpus({ serial: 2 })]),
		]);
		expect(durationSeconds).toBeCloseTo((300 + 50 + 50) * 0.02, 6);
		expect(packetsOf(bytes)!.filter((packet) => packet.bytes.length === 1020)).toHaveLength(300);
	});

	const damaged = madeOpus();
	damaged[200] ^= 1;
	it.each([
		['has other channels', madeOpus({ channels: 2 }), 'part 2 differs from the others'],
		['has another gain', madeOpus({ gain: 256 }), 'part 2 differs from the others'],
		['is damaged', damaged, 'part 2 is not a readable Ogg Opus file'],
		['is cut off', madeOpus().subarray(0, -10), 'part 2 is not a readable Ogg Opus file'],
		['has another format', spoken('Hi.', 'wav'), 'the format WAV, but the others are in the format OPUS'],
		['has no page', Buffer.from('OggS'), 'part 2 is not a readable Ogg Opus file'],
	])('names the part that %s', async (_what, part, words) => {
		await expect(joined([madeOpus(), part])).rejects.toThrow(words);
	});
});

it('An Opus packet lasts as long as its first bytes say, up to 120 ms (RFC 6716, 3)', () => {
	const durations = (...heads: number[][]) => heads.map((head) => (samplesOf(Buffer.from(head)) ?? 0) / 48);
	const [silk, hybrid, celt] = ['10 20 40 60', '10 20', '2.5 5 10 20'];
	const all = durations(...Array.from({ length: 32 }, (_, index) => [index << 3])).join(' ');
	expect(all).toBe([silk, silk, silk, hybrid, hybrid, celt, celt, celt, celt].join(' '));
	expect(durations([0x19], [0x1a], [0x03, 0xc5], [0x1b, 3], [3])).toEqual([120, 120, 50, 0, 0]);
});

const PAGE_BYTES = 255 * 255;

describe('A header packet of an Ogg stream', () => {
	it.each([0, 254, 255, 256, PAGE_BYTES - 1, PAGE_BYTES, PAGE_BYTES + 1, 5 * PAGE_BYTES, 300_000])(
		'of %d bytes is written on as few pages as possible, and ends on the last one',
		(length) => {
			const packet = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
			const writer = new OggWriter(7);
			const first = writer.page([Buffer.from('OpusHead')], 0);
			const pages = pagesOf(Buffer.concat([first, ...writer.headerPages(packet)])).slice(1);
			const last = Math.floor(length / PAGE_BYTES);
			expect(Buffer.concat(pages.flatMap(({ pieces }) => pieces)).equals(packet)).toBe(true);
			expect(pages).toMatchObject(
				Array.from({ length: last + 1 }, (_, index) => ({
					sequence: index + 1,
					continues: index < last,
					isContinued: index > 0,
					isFirst: false,
					isLast: false,
					// A position is that of the last packet that ends on the page (RFC 3533, 6).
					granule: index < last ? undefined : 0,
				})),
			);
		},
	);
});
