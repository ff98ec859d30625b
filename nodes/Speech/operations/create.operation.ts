import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { optionsField, OUTPUT_FILE } from '../../shared/fields/options';
import { fileNameFrom, firstWords } from '../../shared/files/storeFile';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/runtime/operation';
import { AUDIO_FORMATS, FORMAT_NAMES, formatOfMediaType } from '../audio/formats';
import { CHARACTERS_PER_PART, MODEL, SPEED, TEXT, VOICE } from '../fields';
import { speakJoined, speakParts } from '../longText/speakLongText';
import { splitText } from '../longText/splitText';
import { CLEAN_UP_TEXT, readText } from '../spokenText/cleanUpText';
import { speak, type SpeechSettings, storeAudio, STORED_AUDIO, type StoredAudio } from '../speak';

const CUSTOM = 'custom';
const AS_IS = 'asIs';
const INTO_ITEMS = 'items';

const FORMAT_OPTIONS: INodePropertyOptions[] = [
	{ name: 'Custom', value: CUSTOM, description: 'Another format that your gateway supports' },
	...AUDIO_FORMATS.map(({ name, value, description }) => ({ name, value, description })),
];

const FORMAT: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: FORMAT_OPTIONS,
	default: 'mp3',
	description: 'File format of the audio',
};

const CUSTOM_FORMAT: INodeProperties = {
	displayName: 'Custom Format',
	name: 'customFormat',
	type: 'string',
	default: '',
	placeholder: 'e.g. flac',
	displayOptions: { show: { format: [CUSTOM] } },
	description: 'Name that your gateway uses for the format',
};

const LONG_TEXT: INodeProperties = {
	displayName: 'Long Text',
	name: 'longText',
	type: 'options',
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
	default: 'join',
	description: 'How to handle a text that is too long for one request',
};

/** Parameters of Speech → Create. */
export const createFields: INodeProperties[] = [
	MODEL,
	TEXT,
	VOICE,
	FORMAT,
	CUSTOM_FORMAT,
	LONG_TEXT,
	OUTPUT_FILE,
	optionsField(
		{
			timeoutSeconds: endpoints.speech.timeoutSeconds,
			body: true,
			streams: true,
			limits: 'requests',
		},
		[CHARACTERS_PER_PART, CLEAN_UP_TEXT, SPEED],
	),
];

/** The parameters of one item. */
interface CreateSettings extends SpeechSettings {
	text: string;
	/** Name of the output field. */
	field: string;
	/** Maximum length of a part; undefined when the text is not to be split. */
	partLength: number | undefined;
	/** Whether each part becomes an item, instead of all parts one file. */
	splitsIntoItems: boolean;
}

/** @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
function readCreate(call: Call): CreateSettings {
	const text = readText(call, TEXT);
	const field = call.requiredText(OUTPUT_FILE);
	const format = call.text(FORMAT);
	const longText = call.text(LONG_TEXT);
	return {
		text,
		field,
		model: call.picked(MODEL),
		voice: call.picked(VOICE),
		format: format === CUSTOM ? call.requiredText(CUSTOM_FORMAT).trim() : format,
		speed: call.options.number(SPEED),
		partLength:
			longText === AS_IS ? undefined : Math.floor(call.options.numberOrDefault(CHARACTERS_PER_PART)),
		splitsIntoItems: longText === INTO_ITEMS,
	};
}

/**
 * Checks that parts in a format can be joined, before they are paid for.
 *
 * @throws GatewayFailure (kind `input`)
 */
function requireJoinable(format: string): void {
	if (AUDIO_FORMATS.some(({ value }) => value === format)) return;
	throw inputFailure(
		TEXT,
		`is too long for one request, and parts in the format "${format}" cannot be joined`,
		`Select ${FORMAT_NAMES} as ${FORMAT.displayName}, or "Split Into Items" as ${LONG_TEXT.displayName}.`,
	);
}

/** Generates speech from a text of any length (interface, 4.5). */
export const create: ItemOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create speech',
	description: 'Turn text into an audio file',
	fields: createFields,
	async run(call) {
		const settings = readCreate(call);
		const { text, field, partLength } = settings;
		const texts = partLength === undefined ? [text] : splitText(text, partLength);
		if (texts.length === 1) {
			const { value } = await speak(call, settings, text, storeAudio(call, nameFor(text)), STORED_AUDIO);
			return output(call, settings, text, value, { parts: 1 });
		}
		if (settings.splitsIntoItems) return await separateItems(call, settings, texts);
		requireJoinable(settings.format);
		const joined = await speakJoined(call, settings, texts, field, nameFor(text));
		if ('failure' in joined) return [joined];
		return output(call, settings, text, joined, { parts: texts.length });
	},
};

/** One item per part. Each file is stored as it arrives, and each part can fail on its own. */
async function separateItems(
	call: Call,
	settings: CreateSettings,
	texts: string[],
): Promise<Array<OperationResult | OperationFailure>> {
	const speakPart = async (text: string) =>
		(await speak(call, settings, text, storeAudio(call, nameFor(text)), STORED_AUDIO)).value;
	const outcomes = await speakParts(call, texts, speakPart, !call.context.continueOnFail());
	return outcomes.flatMap((outcome, index): Array<OperationResult | OperationFailure> => {
		if (!outcome) return [];
		if ('failure' in outcome) return [outcome];
		return [output(call, settings, texts[index], outcome.value, { part: index + 1, parts: texts.length })];
	});
}

function output(
	call: Call,
	{ voice, model, format: asked, field }: CreateSettings,
	text: string,
	{ file, durationSeconds }: StoredAudio,
	parts: IDataObject,
): OperationResult {
	const { bytes, mimeType } = file;
	// A gateway may ignore the format that was asked for.
	const format = formatOfMediaType(mimeType) ?? asked;
	if (format !== asked.toLowerCase())
		call.hint(`The gateway returned ${format} although Format is "${asked}"`);
	const rounded =
		durationSeconds === undefined ? {} : { durationSeconds: Math.round(durationSeconds * 100) / 100 };
	return {
		json: { voice, ...rounded, characters: text.length, format, mimeType, bytes, ...parts, model },
		files: { [field]: file },
	};
}

function nameFor(text: string): (extension: string) => string {
	return (extension) => fileNameFrom(firstWords(text), 'speech', extension);
}
