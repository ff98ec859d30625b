import fc from 'fast-check';
import { mp3File } from '../../emulator/audio/mp3';
import { oggOpusFile } from '../../emulator/audio/oggOpus';
import { wavFile } from '../../emulator/audio/wav';
import { detectMediaType } from '../../nodes/shared/files/mediaTypes';
import type { AudioScanner } from '../../nodes/shared/files/audioScanner';
import { WavScanner } from '../../nodes/shared/files/wavScanner';
import { joined as join } from '../unit/Speech/joined';
import { Mp3Scanner } from '../../nodes/Speech/audio/mp3Frames';
import { OpusReader } from '../../nodes/Speech/audio/opusReader';
import { chunkSizes, damaged, damages, inChunks } from './damage';
import { expectFailureOrValue } from './expectations';
import { holds } from './holds';

const FILES = [
	Buffer.concat([...mp3File([1, 2])]),
	Buffer.concat([...oggOpusFile([1, 2])]),
	Buffer.concat([...wavFile([1], 1)]).subarray(0, 2000),
];
const MARKS = [
	'ID3\x04\0\0\0\0\0\x7f',
	'OggS',
	'RIFF',
	'WAVEfmt ',
	'data\xff\xff\xff\xff',
	'\xff\xfb\x90\xc4',
];
const valid = fc.constantFrom(...FILES);
const random = fc
	.array(
		fc.oneof(
			fc.constantFrom(...MARKS).map((mark) => Buffer.from(mark, 'latin1')),
			fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
		),
		{ maxLength: 12 },
	)
	.map((parts) => Buffer.concat(parts));
const bad = fc.tuple(valid, damages).map(([file, all]) => damaged(file, all));
const file: fc.Arbitrary<Buffer> = fc.oneof(
	{ weight: 1, arbitrary: valid },
	{ weight: 4, arbitrary: bad },
	{ weight: 2, arbitrary: random },
	{ weight: 2, arbitrary: fc.tuple(bad, random, bad).map((parts) => Buffer.concat(parts)) },
);

function secondsOf(scanner: AudioScanner, chunks: Iterable<Buffer>): number | undefined {
	for (const chunk of chunks) scanner.add(chunk);
	scanner.end();
	return scanner.seconds;
}

describe('An audio file', () => {
	holds('has the same sane duration in any chunks', [file, chunkSizes], (bytes, sizes) => {
		for (const create of [() => new Mp3Scanner(), () => new OpusReader(), () => new WavScanner()]) {
			const seconds = secondsOf(create(), [bytes]);
			const inParts = secondsOf(
				create(),
				inChunks(
					bytes,
					sizes.map((size) => size * 5),
				),
			);
			if (seconds !== inParts) throw new Error(`${seconds} seconds, in chunks ${inParts}`);
			if (seconds !== undefined && !(seconds >= 0 && Number.isFinite(seconds)))
				throw new Error(`${seconds} seconds`);
		}
	});

	holds(
		'is joined, or the failure names a part',
		[fc.array(file, { minLength: 1, maxLength: 4 })],
		async (parts) => {
			const file = (await expectFailureOrValue(async () => await join(parts))) as
				Awaited<ReturnType<typeof join>> | undefined;
			if (file === undefined) return;
			const { bytes, durationSeconds: joined } = file;
			if (detectMediaType(bytes) !== detectMediaType(parts[0])) throw new Error('It has another format');
			if (!(joined >= 0 && Number.isFinite(joined))) throw new Error(`It lasts ${joined} seconds`);
			const total = parts.reduce((sum, part) => sum + part.length, 0);
			// Headers are written anew, and packets get pages of their own.
			if (bytes.length > 2 * total + 10_000)
				throw new Error(`It has ${bytes.length} bytes instead of ${total}`);
		},
	);
});
