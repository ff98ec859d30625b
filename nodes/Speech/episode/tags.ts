import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { inputFile } from '../../shared/files/sentFiles';
import { detectMediaType } from '../../shared/files/mediaTypes';
import { ByteCollector, withinSize } from '../../shared/answer/byteStream';
import { chunksOf } from '../../shared/send/requestBody';
import type { Call } from '../../shared/run/call';
import { OptionValues } from '../../shared/run/parameterReader';
import { asRecord } from '../../shared/plain/values';
import type { AudioTags } from '../../audio/audioTags';
import { choiceField, flagField, textField } from '../../shared/fields/field';

export const CHAPTER = textField(
	'Chapter Title',
	'chapterTitle',
	'Title of the chapter that begins with this item. Leave empty for no chapter.',
	{ placeholder: 'e.g. {{ $json.title }}' },
);

export const BOTH_SUBTITLES = 'both';

const SUBTITLES = choiceField('Subtitles', 'subtitles', {
	default: 'srt',
	description: 'Subtitles to add as files of their own, for example data_srt next to data',
	options: [
		{ name: 'None', value: 'none' },
		{ name: 'SRT', value: 'srt', description: 'For video editors and players' },
		{ name: 'SRT and WebVTT', value: BOTH_SUBTITLES },
		{ name: 'WebVTT', value: 'vtt', description: 'For web pages and podcast apps' },
	],
});

const tag = (displayName: string, name: string, placeholder: string, description: string) =>
	textField(displayName, name, description, { placeholder });

const TITLE = tag('Title', 'title', 'e.g. Morning show of {{ $today.toISODate() }}', 'Title of the file');
const ARTIST = tag('Artist', 'artist', 'e.g. Radio Hangzhou', 'Who speaks or publishes the file');
const ALBUM = tag('Album', 'album', 'e.g. Morning show', 'Album, or name of the podcast');
const DATE = tag('Date', 'date', 'e.g. 2026-11-23', 'Date of publication: a year, or a date like 2026-11-23');
const LANGUAGE = tag('Language', 'language', 'e.g. zh-CN', 'Code of the language that is spoken');
const COVER = tag(
	'Cover Field',
	'coverField',
	'e.g. cover',
	'Name of the binary field of the first item with the cover image, a JPEG or PNG file',
);

const NO_TAGS = flagField(
	'Leave Out Chapters and Tags',
	'withoutTags',
	'Whether to write no chapters and tags into the file, for files that are processed further',
);

export const SENTENCES = flagField(
	'Speak Sentences Separately',
	'eachSentence',
	'Whether to send one request per sentence, so that subtitles begin exactly with their sentences. Otherwise, their times are estimated from the length of the text. The voice may sound less fluent, and requests may be charged one by one.',
);

/** The parameters for chapters, subtitles, and other texts that players show. */
export const TAGS: INodeProperties = {
	displayName: 'Chapters, Subtitles, and Tags',
	name: 'tags',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: [ALBUM, ARTIST, CHAPTER, COVER, DATE, LANGUAGE, NO_TAGS, SENTENCES, SUBTITLES, TITLE],
};

/** Returns the entries of Chapters, Subtitles, and Tags of an item. */
export function tagsOf(call: Call): OptionValues {
	return new OptionValues((asRecord(call.value(TAGS)) ?? {}) as IDataObject);
}

/**
 * Reads the `title` and the `tags` of the whole file, undefined if it gets none, and its `subtitles`: an extension,
 * {@link BOTH_SUBTITLES}, or anything else for none. @throws GatewayFailure (kind `input`)
 */
export async function readTags(call: Call) {
	const values = tagsOf(call);
	const title = values.text(TITLE);
	const subtitles = values.text(SUBTITLES);
	if (values.flag(NO_TAGS)) return { title, subtitles, tags: undefined };
	const tags = {
		title,
		artist: values.text(ARTIST),
		album: values.text(ALBUM),
		date: dateOf(values.text(DATE)),
		language: languageOf(values.text(LANGUAGE)),
		cover: await readCover(call, values.text(COVER)),
	};
	return { title, subtitles, tags };
}

const DATE_PATTERN = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?(?![\d-])/;

/** Reads a year, a month, or a day. Anything after it, such as a time of day, is left out. */
function dateOf(text: string): string {
	const date = DATE_PATTERN.exec(text)?.[0];
	if (text === '' || date !== undefined) return date ?? '';
	throw inputFailure(
		DATE,
		`is “${text}”, which is not a date`,
		'Enter a year, or a date such as 2026-11-23.',
	);
}

const LANGUAGE_PATTERN = /^(?:[a-z]{2,3}(?:[-_][a-z\d]+)*)?$/i;

function languageOf(text: string): string {
	if (LANGUAGE_PATTERN.test(text)) return text;
	throw inputFailure(
		LANGUAGE,
		`is “${text}”, which is not a code`,
		'Enter the code of a language, such as en or zh-CN.',
	);
}

/** The largest cover. Players show only small ones. */
const MAX_COVER_BYTES = 10_000_000;

async function readCover(call: Call, field: string): Promise<AudioTags['cover']> {
	if (field === '') return undefined;
	const unsuitable = (what: string) =>
		inputFailure(
			COVER,
			`refers to the binary field "${field}", whose file ${what}`,
			'Use a square JPEG or PNG image of up to 3,000 pixels.',
		);
	const file = await inputFile(call.context, call.itemIndex, field, COVER);
	const mimeType = detectMediaType(file.firstBytes);
	if (mimeType !== 'image/jpeg' && mimeType !== 'image/png') throw unsuitable('is not a JPEG or PNG image');
	try {
		const bytes = new ByteCollector();
		for await (const chunk of withinSize(chunksOf(file), MAX_COVER_BYTES)) bytes.add(chunk);
		return { mimeType, bytes: bytes.all() };
	} catch {
		throw unsuitable('cannot be read or is longer than 10 MB');
	}
}
