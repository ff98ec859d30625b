import type { INodeProperties } from 'n8n-workflow';
import { OUTPUT_FILE } from '../../shared/fields/options';
import { FORMAT, MODEL, REMOVE_FORMATTING, speechOptions, TEXT, VOICE } from '../fields';
import { choiceField, flagField, numberField, textField } from '../../shared/fields/field';

const FROM_TEXT = 'text';
export const FROM_FILE = 'file';

const NOTICE: INodeProperties = {
	displayName:
		'All input items become one file, in their order. Settings that concern the whole file are taken from the first item.',
	name: 'notice',
	type: 'notice',
	default: '',
};

export const SOURCE = choiceField('Source', 'source', {
	default: FROM_TEXT,
	description: 'What an item contributes. With an expression, items can differ.',
	options: [
		{ name: 'Audio File', value: FROM_FILE, description: 'A file of the input item, as it is' },
		{ name: 'Text', value: FROM_TEXT, description: 'Text to speak' },
	],
});

const ofText = { show: { source: [FROM_TEXT] } };
const ofFile = { show: { source: [FROM_FILE] } };

export const AUDIO_FIELD = textField(
	'Input Data Field Name',
	'audioFieldName',
	'Name of the binary field with the audio file',
	{
		default: 'data',
		displayOptions: ofFile,
		hint: 'The name of the input field containing the binary file data to be processed',
	},
);

export const TRANSCRIPT = textField(
	'Transcript',
	'transcript',
	'What is said in the audio file, for the subtitles',
	{ typeOptions: { rows: 2 }, displayOptions: ofFile, placeholder: 'e.g. {{ $json.text }}' },
);

export const CHAPTER = textField(
	'Chapter Title',
	'chapterTitle',
	'Title of the chapter that begins with this item. Leave empty for no chapter.',
	{ placeholder: 'e.g. {{ $json.title }}' },
);

export const PAUSE = numberField(
	'Pause Between Items (Seconds)',
	'pauseSeconds',
	0.7,
	'Length of the silence between two items',
	{ typeOptions: { minValue: 0, maxValue: 60, numberPrecision: 2 } },
);

export const IF_FAILS = choiceField('If an Item Fails', 'ifItemFails', {
	default: 'stop',
	description: 'What to do when an item cannot be spoken, or when its audio does not fit the others',
	options: [
		{ name: 'Leave It Out', value: 'skip', description: 'Join the other items' },
		{
			name: 'Stop',
			value: 'stop',
			description: 'Do not join the items. What has been spoken is kept for a retry.',
		},
	],
});

export const BOTH_SUBTITLES = 'both';

export const SUBTITLES = choiceField('Subtitles', 'subtitles', {
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

export const TITLE = tag(
	'Title',
	'title',
	'e.g. Morning show of {{ $today.toISODate() }}',
	'Title of the file',
);
export const ARTIST = tag('Artist', 'artist', 'e.g. Radio Hangzhou', 'Who speaks or publishes the file');
export const ALBUM = tag('Album', 'album', 'e.g. Morning show', 'Album, or name of the podcast');
export const DATE = tag(
	'Date',
	'date',
	'e.g. 2026-11-23',
	'Date of publication: a year, or a date like 2026-11-23',
);
export const LANGUAGE = tag('Language', 'language', 'e.g. zh-CN', 'Code of the language that is spoken');
export const COVER = tag(
	'Cover Field',
	'coverField',
	'e.g. cover',
	'Name of the binary field of the first item with the cover image, a JPEG or PNG file',
);

export const NO_TAGS = flagField(
	'Leave Out Chapters and Tags',
	'withoutTags',
	'Whether to write no chapters and tags into the file, for files that are processed further',
);

export const EPISODE_FIELD = { ...OUTPUT_FILE, required: false } satisfies INodeProperties;

export const JOINED_FORMAT = {
	...FORMAT,
	description: 'File format of the audio. Audio files of the input must have the same format.',
} satisfies INodeProperties;

export const SENTENCES = flagField(
	'Speak Sentences Separately',
	'eachSentence',
	'Whether to send one request per sentence, so that subtitles begin exactly with their sentences. Otherwise, their times are estimated from the length of the text. The voice may sound less fluent, and requests may be charged one by one.',
);

/** Texts that players show. */
export const TAGS: INodeProperties = {
	displayName: 'Chapters, Subtitles, and Tags',
	name: 'tags',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: [ALBUM, ARTIST, CHAPTER, COVER, DATE, LANGUAGE, NO_TAGS, SENTENCES, SUBTITLES, TITLE],
};

/** Parameters of Speech → Join Items. */
export const joinItemsFields: INodeProperties[] = [
	NOTICE,
	SOURCE,
	{ ...MODEL, displayOptions: ofText },
	{ ...TEXT, displayOptions: ofText },
	{ ...VOICE, displayOptions: ofText },
	AUDIO_FIELD,
	TRANSCRIPT,
	{ ...REMOVE_FORMATTING, displayOptions: ofText },
	TAGS,
	...speechOptions([JOINED_FORMAT, IF_FAILS, PAUSE, EPISODE_FIELD]),
];
