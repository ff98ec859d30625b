import type { INodeProperties } from 'n8n-workflow';
import { toFailure } from '../../shared/failure/failure';
import { inputFailure } from '../../shared/failure/words';
import { OUTPUT_FILE } from '../../shared/fields/options';
import { choiceField, noticeField, numberField, textField } from '../../shared/fields/field';
import { fileOfItem, inputFile } from '../../shared/files/sentFiles';
import { chunksOf } from '../../shared/send/requestBody';
import type { Call } from '../../shared/run/call';
import { FORMAT, MODEL, REMOVE_FORMATTING, speechOptions, TEXT, VOICE } from '../fields';
import { readSpeech, readTextToSpeak } from '../speak';
import { splitSentences, splitText } from '../splitText';
import type { Story } from './story';
import { CHAPTER, readTags, SENTENCES, TAGS, tagsOf } from './tags';

const FROM_TEXT = 'text';
const FROM_FILE = 'file';
const MIXED = 'mixed';

const NOTICE = noticeField(
	'notice',
	'All input items become one file, in their order. Settings that concern the whole file are taken from the first item.',
);

const SOURCE = choiceField('Source', 'source', {
	default: FROM_TEXT,
	description: 'What an item contributes',
	options: [
		{ name: 'Audio File', value: FROM_FILE, description: 'A file of the input item, as it is' },
		{
			name: 'Mixed',
			value: MIXED,
			description: 'The audio file of an item that has one, and the text of the others',
		},
		{ name: 'Text', value: FROM_TEXT, description: 'Text to speak' },
	],
});

// The editor shows an expression's fields for one item only, so items of both kinds need a choice of their own.
const ofText = { show: { source: [FROM_TEXT, MIXED] } };
const ofFile = { show: { source: [FROM_FILE, MIXED] } };

const AUDIO_FIELD = textField(
	'Input Data Field Name',
	'audioFieldName',
	'Name of the binary field with the audio file',
	{
		default: 'data',
		displayOptions: ofFile,
		hint: 'The name of the input field containing the binary file data to be processed',
	},
);

const TRANSCRIPT = textField(
	'Transcript',
	'transcript',
	'What is said in the audio file, for the subtitles',
	{ typeOptions: { rows: 2 }, displayOptions: ofFile, placeholder: 'e.g. {{ $json.text }}' },
);

const PAUSE = numberField(
	'Pause Between Items (Seconds)',
	'pauseSeconds',
	0.7,
	'Length of the silence between two items',
	{ typeOptions: { minValue: 0, maxValue: 60, numberPrecision: 2 } },
);

const IF_FAILS = choiceField('If an Item Fails', 'ifItemFails', {
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

// Files alone keep the format that they have.
const JOINED_FORMAT = {
	...FORMAT,
	displayOptions: { show: { '/source': ofText.show.source } },
	description: 'File format of the audio. Audio files of the input must have the same format.',
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
	...speechOptions([JOINED_FORMAT, IF_FAILS, PAUSE, { ...OUTPUT_FILE, required: false }]),
];

/** The settings of the whole file, from the first item. */
export type EpisodeSettings = Awaited<ReturnType<typeof readEpisode>>;

/** Reads these settings. @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
export async function readEpisode(call: Call) {
	const { options } = call;
	return {
		...(await readTags(call)),
		format: options.textOrDefault(JOINED_FORMAT),
		field: options.textOrDefault(OUTPUT_FILE),
		pauseSeconds: options.numberOrDefault(PAUSE),
		/** True if nothing is joined when a story has failed. */
		stops: options.textOrDefault(IF_FAILS) === 'stop',
	};
}

/** Reads the parameters of an item. If one cannot be used, only this item fails. @param format of the whole file */
export async function readStory(call: Call, format: string): Promise<Story> {
	try {
		const title = tagsOf(call).text(CHAPTER);
		const own = isFile(call) ? await fileStory(call) : textStory(call, format);
		return { call, title, texts: [], parts: [], ...own };
	} catch (error) {
		return { call, title: '', texts: [], parts: [], failure: toFailure(error) };
	}
}

/** Tells whether an item contributes an audio file. */
function isFile(call: Call): boolean {
	const source = call.text(SOURCE);
	if (source !== MIXED) return source === FROM_FILE;
	return fileOfItem(call.context, call.itemIndex, call.requiredText(AUDIO_FIELD)) !== undefined;
}

async function fileStory(call: Call): Promise<Pick<Story, 'parts'>> {
	const field = call.requiredText(AUDIO_FIELD);
	const text = call.text(TRANSCRIPT).trim();
	const file = await inputFile(call.context, call.itemIndex, field, AUDIO_FIELD);
	const advice =
		'All audio must have the same format, sample rate, and number of channels. Convert the file before this node.';
	const fail = (what: string) =>
		inputFailure(AUDIO_FIELD, `refers to the binary field "${field}", whose audio ${what}`, advice);
	return { parts: [{ number: 1, text, source: { fail, size: file.size, open: () => chunksOf(file) } }] };
}

function textStory(call: Call, format: string): Pick<Story, 'texts' | 'settings'> {
	const text = readTextToSpeak(call);
	const settings = readSpeech(call, format);
	const { partLength } = settings;
	const split = tagsOf(call).flag(SENTENCES) && partLength < Infinity ? splitSentences : splitText;
	return { texts: split(text, partLength), settings };
}
