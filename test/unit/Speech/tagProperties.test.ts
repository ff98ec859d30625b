import fc from 'fast-check';
import NodeId3 from 'node-id3';
import type { AudioTags } from '../../../nodes/Speech/tags/audioTags';
import { id3Tag } from '../../../nodes/Speech/tags/id3';
import { opusTags } from '../../../nodes/Speech/tags/vorbisComments';
import { wavChunks } from '../../../nodes/Speech/tags/wavChunks';
import { audioDuration } from '../../integration/Speech/audioDuration';
import { allOf, soundFrames } from './joined';
import { type FoundTags, readOpusTags, readWavChunks, riffChunks } from './readTags';
import { joinAll, spoken, SPOKEN_FORMATS, type SpokenFormat } from './spoken';

const SAMPLE_RATE = 24_000;

interface ReadId3 {
	title?: string;
	artist?: string;
	album?: string;
	year?: string;
	chapter?: Array<{
		elementID: string;
		startTimeMs: number;
		endTimeMs: number;
		/** Undefined when it is not given. */
		startOffsetBytes?: number;
		endOffsetBytes?: number;
		tags: { title?: string };
	}>;
	tableOfContents?: Array<{ elementID: string; elements: string[]; tags: { title?: string } }>;
}
const readId3 = (bytes: Buffer) => NodeId3.read(bytes) as unknown as ReadId3;

/** How each format is written, and read by somebody else. */
const FORMATS: Record<SpokenFormat, { write: (tags: AudioTags) => Buffer; read: (b: Buffer) => FoundTags }> =
	{
		mp3: {
			write: id3Tag,
			read: (bytes) => {
				const { title, artist, album, year, chapter = [] } = readId3(bytes);
				return {
					texts: Object.fromEntries(
						Object.entries({ title, artist, album, date: year }).flatMap(([name, text]) =>
							text === undefined ? [] : [[name, text]],
						),
					),
					chapters: chapter.map(({ startTimeMs: start, endTimeMs: end, tags }) => ({
						title: tags.title ?? '',
						start,
						end,
					})),
				};
			},
		},
		opus: { write: opusTags, read: readOpusTags },
		wav: {
			write: (tags) => wavChunks(tags, SAMPLE_RATE),
			read: (bytes) => readWavChunks(bytes, SAMPLE_RATE),
		},
	};
const WAV_NAMES: Record<string, string> = { title: 'INAM', artist: 'IART', album: 'IPRD', date: 'ICRD' };
const nameOf = (field: string, format: SpokenFormat) =>
	({ mp3: field, opus: field.toUpperCase(), wav: WAV_NAMES[field] })[format];

const anyText = fc
	.array(
		fc.oneof(
			fc.string({ unit: 'binary', maxLength: 12 }),
			fc.constantFrom('\0', '\ud83d', '\ude00', '\ufeff', '\ufffe', '\uffff', '=', '/', '\n', 'שלום', '👩‍👩‍👧'),
		),
		{ maxLength: 5 },
	)
	.map((parts) => parts.join(''));

/** What remains of a text, as the documentation says. */
function cleaned(text: string): string {
	const units = text.split('').filter((unit) => unit !== '\0');
	while (units[0] === '\ufeff') units.shift();
	const isReplaced = (code: number) =>
		(code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;
	return [...units.join('')]
		.map((character) => (isReplaced(character.codePointAt(0)!) ? '\ufffd' : character))
		.join('');
}

/** Chapters one after another, in milliseconds. */
const anyChapters = fc
	.array(fc.record({ title: anyText, length: fc.integer({ min: 1, max: 4_000_000 }) }), { maxLength: 20 })
	.map((all) => {
		let end = 0;
		return all.map(({ title, length }) => ({ title, start: end, end: (end += length) }));
	});
/** Chapters that begin around whole seconds, minutes, and hours. */
const WHOLE_TIMES = [0, 999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 36_000_000, 86_400_000].map(
	(start) => ({ title: 'A', start, end: start + 1 }),
);
const inSeconds = (chapters: Array<{ title: string; start: number; end: number }>) =>
	chapters.map(({ title, start, end }) => ({ title, startSeconds: start / 1000, endSeconds: end / 1000 }));

/** Tags with numbers that nobody should give. */
const anyTags: fc.Arbitrary<AudioTags> = fc.record(
	{
		title: anyText,
		artist: anyText,
		album: anyText,
		date: anyText,
		language: anyText,
		cover: fc.record({
			bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
			mimeType: fc.constantFrom('image/png' as const, 'image/jpeg' as const),
		}),
		chapters: fc.array(fc.record({ title: anyText, startSeconds: fc.double(), endSeconds: fc.double() }), {
			maxLength: 5,
		}),
	},
	{ requiredKeys: ['chapters'] },
);

describe.each(SPOKEN_FORMATS)('The tags of a %s file, whatever they contain,', (format) => {
	const { write, read } = FORMATS[format];

	it('keep any text in any field', () => {
		const texts = fc.record({ title: anyText, artist: anyText, album: anyText });
		fc.assert(
			fc.property(texts, (given) => {
				const expected = Object.entries(given).flatMap(([field, text]) =>
					cleaned(text) === '' ? [] : [[nameOf(field, format), cleaned(text)]],
				);
				const { texts: found } = read(write({ ...given, date: '2026', chapters: [] }));
				expect(found).toEqual(Object.fromEntries([...expected, [nameOf('date', format), '2026']]));
			}),
			{ numRuns: 300 },
		);
	});

	it('keep any list of chapters, to the millisecond', () => {
		fc.assert(
			fc.property(anyChapters, (chapters) => {
				const found = read(write({ chapters: inSeconds(chapters) })).chapters;
				const expected = chapters.map(({ title, start, end }) => ({
					title: cleaned(title),
					start,
					...(format === 'opus' ? {} : { end }),
				}));
				expect(found).toEqual(expected);
			}),
			{ numRuns: 200, examples: [[WHOLE_TIMES]] },
		);
	});

	it('can be written and read, and no chapter ends before it begins', () => {
		fc.assert(
			fc.property(anyTags, (tags) => {
				const { chapters } = read(write(tags));
				expect(chapters).toHaveLength(tags.chapters.length);
				for (const { start, end } of chapters) {
					expect(start).toBeGreaterThanOrEqual(0);
					expect(end ?? start).toBeGreaterThanOrEqual(start);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('change nothing of the duration', async () => {
		const file = spoken('Good morning.', format);
		const { joiner } = await joinAll([file]);
		await fc.assert(
			fc.asyncProperty(anyTags, async (tags) => {
				expect(audioDuration(await allOf(joiner.chunks(tags)))).toBe(audioDuration(file));
			}),
			{ numRuns: 50 },
		);
	});
});

describe('An ID3 tag, whatever it contains,', () => {
	it('says how long it is in bytes of seven bits, and its frames fill it', () => {
		fc.assert(
			fc.property(anyTags, (tags) => {
				const tag = id3Tag(tags);
				const [one, two, three, four] = tag.subarray(6, 10);
				expect(Math.max(one, two, three, four)).toBeLessThan(128);
				expect(((one * 128 + two) * 128 + three) * 128 + four + 10).toBe(tag.length);
				let offset = 10;
				while (offset < tag.length) {
					expect(tag.toString('latin1', offset, offset + 4)).toMatch(/^[A-Z][A-Z0-9]{3}$/);
					offset += 10 + tag.readUInt32BE(offset + 4);
				}
				expect(offset).toBe(tag.length);
			}),
		);
	});

	it('is never taken for sound, even if its cover is an MP3 file', () => {
		const file = spoken('Good morning.', 'mp3');
		const sound = soundFrames(file).map(({ length }) => length);
		const piece = fc.oneof(
			fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
			fc.constantFrom(file, Buffer.from('ID3'), Buffer.from([0xff, 0xfb, 0x90, 0]), id3Tag({ chapters: [] })),
		);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 4 }), anyText, (pieces, title) => {
				const cover = { bytes: Buffer.concat(pieces), mimeType: 'image/png' as const };
				const tag = id3Tag({ title, cover, chapters: [] });
				const frames = soundFrames(Buffer.concat([tag, file]));
				expect(frames[0].offset).toBe(tag.length);
				expect(frames.map(({ length }) => length)).toEqual(sound);
			}),
			{ numRuns: 60 },
		);
	});

	it.each([1, 255, 256, 65_026])(
		'lists each of %d chapters once, in order, in tables with at most 255 entries',
		(count) => {
			const chapters = Array.from({ length: count }, () => ({ title: '', startSeconds: 0, endSeconds: 0 }));
			const tag = id3Tag({ chapters });
			const { chapter, tableOfContents } = readId3(tag);
			const tables = new Map(tableOfContents!.map((table) => [table.elementID, table]));
			expect(tables.size).toBe(tableOfContents!.length);
			const listed = (id: string): string[] => tables.get(id)?.elements.flatMap(listed) ?? [id];
			const [top] = tableOfContents!;
			expect(listed(top.elementID)).toEqual(chapter!.map(({ elementID }) => elementID));
			for (const { elementID, elements, tags } of tables.values()) {
				expect(elements.length).toBeGreaterThan(0);
				expect(elements.length).toBeLessThan(256);
				expect(tags.title).toBe('Chapters');
				// Ordered, and at the top level or not. The last time that a name occurs is in its own frame.
				const flags = tag[tag.lastIndexOf(`${elementID}\0`) + elementID.length + 1];
				expect(flags).toBe(elementID === top.elementID ? 3 : 1);
			}
		},
	);
});

describe('The chapters of an ID3 tag', () => {
	it('are found by their times, not by positions in bytes', () => {
		const [chapter] = readId3(
			id3Tag({ chapters: [{ title: 'A', startSeconds: 1, endSeconds: 2 }] }),
		).chapter!;
		expect([chapter.startOffsetBytes, chapter.endOffsetBytes]).toEqual([undefined, undefined]);
	});
});

describe('The chunks of a WAV file', () => {
	it('contain the same ID3 tag as an MP3 file', () => {
		fc.assert(
			fc.property(anyTags, (tags) => {
				const last = riffChunks(wavChunks(tags, SAMPLE_RATE)).at(-1)!;
				expect(last.name).toBe('id3 ');
				expect(last.content.equals(id3Tag(tags))).toBe(true);
			}),
		);
	});
});
