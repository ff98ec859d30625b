import { type AudioTags, bigEndian, type Chapter, tagText } from './audioTags';

/**
 * Version 2.3, because all players read it. Older Windows and car radios do not know 2.4, and Apple Podcasts shows no
 * chapters of a 2.4 tag that has a long title (https://github.com/radio-t/radio-t-site/pull/211). Texts are in UTF-16, the
 * only Unicode encoding of this version. Some readers take a slash in the artist for the next artist.
 */
const VERSION = 3;
const UTF_16 = 1;
const LATIN_1 = 0;
const FRONT_COVER = 3;
/** A position in bytes that is not given. */
const NO_OFFSET = 0xffff_ffff;
const FLAGS = { topLevel: 2, ordered: 1 };
/** A table of contents has one byte for the number of its entries. */
const MAX_ENTRIES = 255;
/**
 * Podcast tools write a title; without it, chapters are reported to be missing in Apple Podcasts
 * (https://github.com/Zeugma440/atldotnet/issues/23).
 */
const CONTENTS_TITLE = 'Chapters';

/** Writes the ID3v2.3 tag of an MP3 file with chapters (Chapter Frame Addendum), which browser-id3-writer lacks. */
export function id3Tag({ title, artist, album, date, language, cover, chapters }: AudioTags): Buffer {
	const [year, month, day] = (date ?? '').split('-');
	const frames = Buffer.concat([
		textFrame('TIT2', title),
		textFrame('TPE1', artist),
		textFrame('TALB', album),
		textFrame('TYER', year),
		textFrame('TDAT', month && day ? day + month : ''),
		textFrame('TLAN', threeLetterCode(language ?? '')),
		cover ? pictureFrame(cover) : Buffer.alloc(0),
		contents(chapters.length),
		...chapters.map(chapterFrame),
	]);
	const head = Buffer.from([0x49, 0x44, 0x33, VERSION, 0, 0, 0, 0, 0, 0]);
	// Seven bits per byte, so that no byte looks like the beginning of a frame of sound.
	for (let index = 0; index < 4; index++) head[9 - index] = (frames.length >> (7 * index)) & 0x7f;
	return Buffer.concat([head, frames]);
}

function frame(id: string, ...content: Buffer[]): Buffer {
	const length = content.reduce((sum, part) => sum + part.length, 0);
	const flags = Buffer.alloc(2);
	return Buffer.concat([Buffer.from(id, 'latin1'), bigEndian(length), flags, ...content]);
}

function textFrame(id: string, text = ''): Buffer {
	const clean = tagText(text);
	if (clean === '') return Buffer.alloc(0);
	return frame(id, Buffer.from([UTF_16]), Buffer.from(`\ufeff${clean}\0`, 'utf16le'));
}

function pictureFrame({ bytes, mimeType }: NonNullable<AudioTags['cover']>): Buffer {
	const head = [Buffer.from([LATIN_1]), name(mimeType), Buffer.from([FRONT_COVER]), name('')];
	return frame('APIC', ...head, bytes);
}

/** Writes the table of contents, unless there are more chapters than it can list. */
function contents(count: number): Buffer {
	if (count === 0 || count > MAX_ENTRIES) return Buffer.alloc(0);
	const ids = Array.from({ length: count }, (_, index) => name(chapterId(index)));
	const counts = Buffer.from([FLAGS.topLevel | FLAGS.ordered, count]);
	return frame('CTOC', name('toc'), counts, ...ids, textFrame('TIT2', CONTENTS_TITLE));
}

function chapterFrame({ title, startSeconds, endSeconds }: Chapter, index: number): Buffer {
	const milliseconds = [startSeconds, endSeconds].map((seconds) => Math.round(seconds * 1000));
	const times = bigEndian(...milliseconds, NO_OFFSET, NO_OFFSET);
	return frame('CHAP', name(chapterId(index)), times, textFrame('TIT2', title));
}

function chapterId(index: number): string {
	return `ch${index + 1}`;
}

/** Writes a text in Latin letters that ends with a zero byte. */
function name(text: string): Buffer {
	return Buffer.from(`${text}\0`, 'latin1');
}

/** Languages as ISO 639-1 and ISO 639-2/T name them. */
const CODES = new Map(
	(
		'af:afr am:amh ar:ara az:aze be:bel bg:bul bn:ben bo:bod bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng ' +
		'eo:epo es:spa et:est eu:eus fa:fas fi:fin fil:fil fr:fra ga:gle gl:glg gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye ' +
		'id:ind is:isl it:ita ja:jpn jv:jav ka:kat kk:kaz km:khm kn:kan ko:kor ky:kir lo:lao lt:lit lv:lav mk:mkd ml:mal ' +
		'mn:mon mr:mar ms:msa my:mya nb:nob ne:nep nl:nld nn:nno no:nor pa:pan pl:pol ps:pus pt:por ro:ron ru:rus si:sin ' +
		'sk:slk sl:slv so:som sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel tg:tgk th:tha tk:tuk tr:tur ug:uig uk:ukr ur:urd ' +
		'uz:uzb vi:vie yue:yue zh:zho zu:zul'
	)
		.split(' ')
		.map((pair) => pair.split(':') as [string, string]),
);

/** Returns the three-letter code of a language, as in ID3; empty if it is not known. */
export function threeLetterCode(tag: string): string {
	const [language] = tag.toLowerCase().split(/[-_]/);
	return CODES.get(language) ?? (/^[a-z]{3}$/.test(language) ? language : '');
}
