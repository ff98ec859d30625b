import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import NodeId3 from 'node-id3';
import { File } from 'node-taglib-sharp';
import { PNG } from 'pngjs';
import type { AudioTags } from '../../../nodes/Speech/tags/audioTags';
import { id3Tag } from '../../../nodes/Speech/tags/id3';
import { threeLetterCode } from '../../../nodes/Speech/tags/languages';
import { audioDuration } from '../../integration/Speech/audioDuration';
import { decode, probe, readWithMusicMetadata } from '../../audioTools';
import { allOf } from './joined';
import { joinAll, spoken, SPOKEN_FORMATS, type SpokenFormat } from './spoken';

/** A picture of 300 kB, which needs several pages of Ogg. */
function noise(): Buffer {
	const picture = new PNG({ width: 330, height: 330 });
	let state = 1;
	for (let index = 0; index < picture.data.length; index++) {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		picture.data[index] = index % 4 === 3 ? 255 : state >>> 16;
	}
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
const MIME_TYPES: Record<SpokenFormat, string> = { mp3: 'audio/mpeg', opus: 'audio/ogg', wav: 'audio/wav' };

async function tagged(format: SpokenFormat, tags: AudioTags | undefined): Promise<Buffer> {
	const { joiner } = await joinAll([spoken('Good morning, everybody.'.repeat(3), format), 0.5]);
	return await allOf(joiner.chunks(tags));
}

describe.each(SPOKEN_FORMATS)('The tags of a %s file', (format) => {
	it('are read by ffprobe, with chapters and cover, and the file decodes without a warning', async () => {
		const bytes = await tagged(format, TAGS);
		const { format: container, streams, chapters } = probe(bytes);
		const found = container.tags ?? streams[0].tags ?? {};
		const tags = Object.fromEntries(Object.entries(found).map(([name, text]) => [name.toLowerCase(), text]));
		expect(tags).toMatchObject({
			title: TAGS.title,
			artist: TAGS.artist,
			album: TAGS.album,
			date: TAGS.date,
		});
		expect(tags.language).toBe(format === 'opus' ? 'zh-CN' : 'zho');
		expect(streams[1]).toMatchObject({
			codec_name: 'png',
			width: 330,
			tags: { comment: 'Cover (front)' },
		});
		const inOrder = chapters.sort((one, other) => Number(one.start_time) - Number(other.start_time));
		expect(inOrder.map(({ start_time: start, tags: own }) => [Number(start), own?.title])).toEqual(
			TAGS.chapters.map(({ title, startSeconds }) => [startSeconds, title]),
		);
		expect(decode(bytes).warnings.replace(/^Guessed Channel Layout.*$/m, '')).toBe('');
	});

	it('are read by music-metadata', async () => {
		const file = { bytes: await tagged(format, TAGS), mimeType: MIME_TYPES[format] };
		const [{ common, format: facts }] = readWithMusicMetadata([file]);
		expect(common).toMatchObject({ title: TAGS.title, artist: TAGS.artist, album: TAGS.album, year: 2026 });
		expect(common.picture![0].data).toBe(COVER.bytes.toString('base64'));
		if (format !== 'opus') {
			expect(facts.chapters?.map(({ title, start }) => [title, start])).toEqual(
				TAGS.chapters.map(({ title, startSeconds }) => [title, startSeconds]),
			);
		}
	});

	it('are read by TagLib', async () => {
		const folder = mkdtempSync(path.join(tmpdir(), 'tags-'));
		try {
			const name = path.join(folder, `audio.${format}`);
			writeFileSync(name, await tagged(format, TAGS));
			const { tag, properties } = File.createFromPath(name);
			expect([tag.title, tag.performers, tag.album, tag.year]).toEqual([
				TAGS.title,
				[TAGS.artist],
				TAGS.album,
				2026,
			]);
			expect(tag.pictures[0].data.length).toBe(COVER.bytes.length);
			expect(properties.durationMilliseconds / 1000).toBeCloseTo(
				audioDuration(await tagged(format, undefined))!,
				2,
			);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});

	it('change nothing of the sound', async () => {
		const soundOf = async (tags: AudioTags | undefined) =>
			Buffer.from(decode(await tagged(format, tags)).samples.buffer);
		expect((await soundOf(TAGS)).equals(await soundOf(undefined))).toBe(true);
	});
});

describe('An ID3 tag', () => {
	it('names languages by three letters', () => {
		expect(['en', 'zh-CN', 'pt_BR', 'DE', 'yue', 'xx', '', 'gsw-CH'].map(threeLetterCode)).toEqual([
			'eng',
			'zho',
			'por',
			'deu',
			'yue',
			'',
			'',
			'gsw',
		]);
	});

	it('has no frame for what is not given', () => {
		expect(NodeId3.read(id3Tag({ title: '', chapters: [] }))).toEqual({ raw: {} });
		expect(id3Tag({ chapters: [] })).toHaveLength(10);
	});
});
