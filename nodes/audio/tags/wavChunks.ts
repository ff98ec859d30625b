import { type AudioTags, type Chapter, filledTexts, littleEndian, tagText } from './audioTags';
import { id3Tag } from './id3';

/**
 * Writes what stands after the sound of a WAV file, in UTF-8: tags (`LIST INFO`), chapters (`cue ` and `LIST adtl`), and an
 * ID3 tag, because these chunks have no cover and name no encoding.
 */
export function wavChunks(tags: AudioTags, sampleRate: number): Buffer {
	const { title, artist, album, date, language, chapters } = tags;
	const texts = { INAM: title, IART: artist, IPRD: album, ICRD: date, ILNG: language };
	const infos = filledTexts(texts).map(([name, text]) => chunk(name, textOf(text)));
	return Buffer.concat([
		...(infos.length > 0 ? [chunk('LIST', Buffer.from('INFO'), ...infos)] : []),
		...(chapters.length > 0 ? chapterChunks(chapters, sampleRate) : []),
		chunk('id3 ', id3Tag(tags)),
	]);
}

function chapterChunks(chapters: Chapter[], sampleRate: number): Buffer[] {
	const sampleAt = (seconds: number) => Math.round(seconds * sampleRate);
	// Numbered from zero like those of the ID3 tag, so that readers of both do not take them for different chapters.
	const points = chapters.map(({ startSeconds }, index) => {
		const position = sampleAt(startSeconds);
		return Buffer.concat([littleEndian(index, position), Buffer.from('data'), littleEndian(0, 0, position)]);
	});
	const names = chapters.flatMap(({ title, startSeconds, endSeconds }, index) => {
		const length = sampleAt(endSeconds) - sampleAt(startSeconds);
		return [
			chunk('labl', littleEndian(index), textOf(title)),
			chunk('ltxt', littleEndian(index, length), Buffer.from('rgn '), littleEndian(0, 0)),
		];
	});
	return [
		chunk('cue ', littleEndian(chapters.length), ...points),
		chunk('LIST', Buffer.from('adtl'), ...names),
	];
}

/** A chunk; it begins at an even position, and so does the next one. */
export function chunk(name: string, ...content: Buffer[]): Buffer {
	const length = content.reduce((sum, part) => sum + part.length, 0);
	return Buffer.concat([
		Buffer.from(name, 'latin1'),
		littleEndian(length),
		...content,
		Buffer.alloc(length % 2),
	]);
}

function textOf(text: string): Buffer {
	return Buffer.from(`${tagText(text)}\0`);
}
