import { buffer } from 'node:stream/consumers';
import NodeId3 from 'node-id3';
import { PNG } from 'pngjs';
import { type AudioTags, tagText } from '../../../nodes/audio/audioTags';
import { id3Tag, threeLetterCode } from '../../../nodes/audio/id3';
import { decode, probe } from '../../audioTools';
import { seededRandom } from '../seededRandom';
import { joinAll, spoken, SPOKEN_FORMATS, type SpokenFormat } from './joined';

/** A picture of 300 kB, which needs several pages of Ogg. */
function noise(): Buffer {
	const picture = new PNG({ width: 330, height: 330 });
	const random = seededRandom(1);
	for (const at of picture.data.keys()) picture.data[at] = at % 4 === 3 ? 255 : 256 * random();
	return PNG.sync.write(picture);
}

const COVER = { bytes: noise(), mimeType: 'image/png' } as const;
const TAGS: AudioTags = {
	title: '早间节目 🎙 “Morning”',
	artist: 'Ärzte & Söhne',
	album: 'صباح الخير',
	date: '2026-11-23',
	language: 'zh-CN',
	cover: COVER,
	chapters: [
		{ title: 'Nachrichten «heute»', startSeconds: 0, endSeconds: 2.5 },
		{ title: '天气 ☀️', startSeconds: 2.5, endSeconds: 4.321 },
	],
};

async function tagged(format: SpokenFormat, tags: AudioTags | undefined): Promise<Buffer> {
	const { joiner } = await joinAll([spoken('Good morning, everybody.'.repeat(3), format), 0.5]);
	return await buffer(joiner.chunks(tags));
}

describe.each(SPOKEN_FORMATS)('The tags of a %s file', (format) => {
	it('are read by ffprobe, with chapters and cover, and the file decodes without a warning', async () => {
		const bytes = await tagged(format, TAGS);
		const { format: container, streams, chapters } = probe(bytes);
		const found = container.tags ?? streams[0].tags ?? {};
		const tags = Object.fromEntries(Object.entries(found).map(([name, text]) => [name.toLowerCase(), text]));
		const { title, artist, album, date } = TAGS;
		expect(tags).toMatchObject({ title, artist, album, date });
		expect(tags.language).toBe(format === 'opus' ? 'zh-CN' : 'zho');
		const cover = { codec_name: 'png', width: 330, tags: { comment: 'Cover (front)' } };
		expect(streams[1]).toMatchObject(cover);
		const inOrder = chapters.sort((one, other) => Number(one.start_time) - Number(other.start_time));
		expect(inOrder.map(({ start_time: start, tags: own }) => [Number(start), own?.title])).toEqual(
			TAGS.chapters.map(({ title, startSeconds }) => [startSeconds, title]),
		);
		expect(decode(bytes).warnings).toBe('');
	});

	it('change nothing of the sound', async () => {
		const soundOf = async (tags: AudioTags | undefined) =>
			Buffer.from(decode(await tagged(format, tags)).samples.buffer);
		expect((await soundOf(TAGS)).equals(await soundOf(undefined))).toBe(true);
	});
});

it('The header of a WAV file counts its tags, whose cue points have the title and the length of a chapter', async () => {
	const bytes = await tagged('wav', TAGS);
	expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
	const cues = bytes.indexOf('cue ') + 8;
	expect(bytes.readUInt32LE(cues)).toBe(2);
	const points = [cues + 4, cues + 28].map((at) => [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]);
	expect(points).toEqual([
		[0, 0],
		[1, 60_000],
	]);
	const regions = [bytes.indexOf('ltxt'), bytes.lastIndexOf('ltxt')];
	expect(regions.map((at) => [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)])).toEqual([
		[0, 60_000],
		[1, 43_704],
	]);
	for (const [index, at] of [bytes.indexOf('labl'), bytes.lastIndexOf('labl')].entries()) {
		expect(bytes.readUInt32LE(at + 8)).toBe(index);
		const length = bytes.readUInt32LE(at + 4);
		expect(bytes.toString('utf8', at + 12, at + 8 + length)).toBe(`${TAGS.chapters[index].title}\0`);
	}
});

describe('An ID3 tag', () => {
	it('names languages by three letters', () => {
		const codes = ['en', 'zh-CN', 'pt_BR', 'DE', 'yue', 'xx', '', 'gsw-CH'].map(threeLetterCode);
		expect(codes.join(' ')).toBe('eng zho por deu yue   gsw');
	});

	it.each([1, 255, 256])('has each of %d chapters, and lists them if the table has room', (count) => {
		const chapters = Array.from({ length: count }, (_, index) => ({
			title: `${index}`,
			startSeconds: index,
			endSeconds: index + 1,
		}));
		const { chapter, tableOfContents } = NodeId3.read(id3Tag({ chapters }));
		expect(chapter!.map(({ startTimeMs, endTimeMs, tags }) => [startTimeMs, endTimeMs, tags?.title])).toEqual(
			chapters.map(({ title, startSeconds, endSeconds }) => [startSeconds * 1000, endSeconds * 1000, title]),
		);
		const listed = chapter!.map(({ elementID }) => elementID);
		expect(new Set(listed).size).toBe(count);
		expect(tableOfContents?.[0].elements).toEqual(count < 256 ? listed : undefined);
	});
});

it.each([
	['zero bytes', 'a\0b\0', 'ab'],
	['a byte order mark before it', '\0\ufeff\ufeffa\ufeffb', 'a\ufeffb'],
	['halves of characters', 'a\ud83db\ude00🎙', 'a\ufffdb\ufffd🎙'],
	['what is no character', '\ufffe\uffff', '\ufffd\ufffd'],
	['anything else', '= / \n שלום 👩‍👩‍👧', '= / \n שלום 👩‍👩‍👧'],
])('A text of a tag with %s can be written and read', (_what, text, expected) => {
	expect(tagText(text)).toBe(expected);
});
