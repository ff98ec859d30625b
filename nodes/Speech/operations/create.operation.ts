import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { streamFrom } from '../../shared/answer/byteStream';
import { inputFailure } from '../../shared/failure/words';
import { toFailure } from '../../shared/failure/failure';
import { INCLUDE_INPUT_FIELDS, OUTPUT_FILE } from '../../shared/fields/options';
import { USAGE_FIELDS } from '../../shared/answer/usage';
import { firstWords, storeFile } from '../../shared/files/storeFile';
import type { Call } from '../../shared/run/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/run/operation';
import { canBeJoined, FORMAT_NAMES, formatOfMediaType } from '../../audio/formats';
import { roundedSeconds } from '../../audio/audioTags';
import {
	costOf,
	joinStories,
	partFailure,
	problemOf,
	recordStories,
	type Story,
	withParts,
} from '../episode/story';
import { FORMAT, MODEL, REMOVE_FORMATTING, speechOptions, TEXT, VOICE } from '../fields';
import { readSpeech, readTextToSpeak, speak } from '../speak';
import { splitText } from '../splitText';
import type { StoredAudio } from '../audioAnswer';
import { choiceField, textField } from '../../shared/fields/field';
import { withoutGaps } from '../../shared/plain/values';

const CUSTOM = 'custom';
const AS_IS = 'asIs';
const INTO_ITEMS = 'items';

const CREATE_FORMAT: INodeProperties = {
	...FORMAT,
	options: [
		{ name: 'Custom', value: CUSTOM, description: 'Another format that your gateway supports' },
		...FORMAT.options,
	],
};

const CUSTOM_FORMAT = textField(
	'Custom Format',
	'customFormat',
	'Name that your gateway uses for the format',
	{ placeholder: 'e.g. flac', displayOptions: { show: { format: [CUSTOM] } } },
);

const LONG_TEXT = choiceField('Long Text', 'longText', {
	default: 'join',
	description: 'How to handle a text that is too long for one request',
	options: [
		{
			name: 'Send as Is',
			value: AS_IS,
			description: 'Send one request, whatever the length. The gateway may reject a long text.',
		},
		{
			name: 'Split and Join',
			value: 'join',
			description: `Split at the ends of sentences and join the audio into one file (${FORMAT_NAMES})`,
		},
		{
			name: 'Split Into Items',
			value: INTO_ITEMS,
			description: 'Split at the ends of sentences and return one item per part',
		},
	],
});

function readCreate(call: Call) {
	const text = readTextToSpeak(call);
	const field = call.requiredText(OUTPUT_FILE);
	const format = call.text(CREATE_FORMAT);
	const longText = call.text(LONG_TEXT);
	const speech = readSpeech(call, format === CUSTOM ? call.requiredText(CUSTOM_FORMAT).trim() : format);
	return {
		...speech,
		text,
		field,
		partLength: longText === AS_IS ? undefined : speech.partLength,
		/** True if each part becomes an item, instead of all parts one file. */
		splitsIntoItems: longText === INTO_ITEMS,
	};
}

type CreateSettings = ReturnType<typeof readCreate>;

/** Checks that parts in a format can be joined, before they are paid for. */
function requireJoinable(format: string): void {
	if (canBeJoined(format)) return;
	throw inputFailure(
		TEXT,
		`is too long for one request, and parts in the format "${format}" cannot be joined`,
		`Select ${FORMAT_NAMES} as ${FORMAT.displayName}, or "Split Into Items" as ${LONG_TEXT.displayName}.`,
	);
}

/** Generates speech from a text of any length (interface, 4.5). */
export const create: ItemOperation = {
	value: 'create',
	name: 'Create Speech',
	action: 'Create speech',
	description: 'Turn text into an audio file',
	fields: [
		MODEL,
		TEXT,
		VOICE,
		CREATE_FORMAT,
		CUSTOM_FORMAT,
		LONG_TEXT,
		REMOVE_FORMATTING,
		OUTPUT_FILE,
		...speechOptions([INCLUDE_INPUT_FIELDS]),
	],
	answerFields: ['durationSeconds', 'part', 'problem', ...USAGE_FIELDS],
	async run(call) {
		const settings = readCreate(call);
		const { text, partLength } = settings;
		const texts = partLength === undefined ? [text] : splitText(text, partLength);
		if (texts.length === 1) {
			const { value } = await speak(call, settings, text);
			return output(call, settings, text, value, {
				part: settings.splitsIntoItems ? 1 : undefined,
				parts: 1,
			});
		}
		return settings.splitsIntoItems
			? await separateItems(call, settings, texts)
			: await joinedParts(call, settings, texts);
	},
};

/** Returns one item with all parts. A failure has the finished parts as separate files (`data_1`, `data_3`, …). */
async function joinedParts(
	call: Call,
	settings: CreateSettings,
	texts: string[],
): Promise<OperationResult | OperationFailure[]> {
	requireJoinable(settings.format);
	const story: Story = { call, title: '', texts, settings, parts: [] };
	await recordStories([story], true);
	const joiner = await joinStories([story], 0);
	if (story.failure) return [withParts(story, story.failure, settings.field)];
	try {
		const fileName = { about: firstWords(settings.text), fallback: 'speech' };
		const file = await storeFile(call, streamFrom(joiner.chunks()), joiner.mimeType, fileName);
		const joined = { file, durationSeconds: joiner.seconds, cost: costOf([story]) };
		return output(call, settings, settings.text, joined, { parts: texts.length }, problemOf(story));
	} catch (error) {
		return [withParts(story, toFailure(error), settings.field)];
	}
}

/** Returns one item per part. Each file is stored as it arrives, and each part can fail on its own. */
async function separateItems(
	call: Call,
	settings: CreateSettings,
	texts: string[],
): Promise<Array<OperationResult | OperationFailure>> {
	const stories = texts.map((text, index): Story => {
		// Parts may begin with the same words, but their files must not have the same name.
		const title = `${index + 1} ${firstWords(text)}`;
		return { call, title, texts: [text], settings, parts: [] };
	});
	await recordStories(stories, !call.context.continueOnFail());
	return stories.flatMap(({ parts: [part], failure }, index): Array<OperationResult | OperationFailure> => {
		if (part?.audio) {
			return [output(call, settings, texts[index], part.audio, { part: index + 1, parts: texts.length })];
		}
		// A part that was not started, because another one had failed, is not an item.
		const isLeftOut = failure?.wasHeldBack && !call.signal?.aborted;
		return failure && !isLeftOut ? [{ failure: partFailure(failure, index, texts) }] : [];
	});
}

function output(
	call: Call,
	{ voice, model, format: asked, field }: CreateSettings,
	text: string,
	{ file, durationSeconds, cost, problem: own }: StoredAudio,
	parts: IDataObject,
	problem = own && `The audio ${own}`,
): OperationResult {
	const { bytes, mimeType } = file;
	// A gateway may ignore the format that was asked for.
	const format = formatOfMediaType(mimeType) ?? asked;
	if (format.toLowerCase() !== asked.toLowerCase())
		call.hint(`The gateway returned ${format} although Format is "${asked}"`);
	call.hint(problem);
	return {
		json: withoutGaps({
			voice,
			durationSeconds: durationSeconds === undefined ? undefined : roundedSeconds(durationSeconds),
			characters: text.length,
			format,
			mimeType,
			bytes,
			...parts,
			cost,
			problem,
			model,
		}),
		files: { [field]: file },
	};
}
