import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { fileNameFrom, firstWords } from '../../shared/files/fileName';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/runtime/operation';
import { speakJoined } from '../speakJoined';
import { speakParts } from '../speakParts';
import { speak, storeAudio, type SpeechSettings, type StoredAudio } from '../speak';
import { splitText } from '../splitText';
import { createFields, DEFAULT_PART_LENGTH } from './create.fields';

const JOINABLE_FORMATS = ['mp3', 'opus', 'wav'];

/** Has a text of any length spoken (interface, 4.5). */
export const create: ItemOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create speech',
	description: 'Turn text into an audio file',
	fields: createFields,
	async run(call) {
		const text = call.requiredText('text', 'Text');
		const field = call.requiredText('binaryPropertyName', 'Put Output File in Field');
		const settings = readSettings(call);
		const longText = call.text('longText');
		const texts = longText === 'asIs' ? [text] : splitText(text, partLength(call));
		if (texts.length === 1) {
			const stored = await speak(call, settings, texts[0], storeAudio(call, nameFor(text)));
			return output(settings, text, field, stored, { parts: 1 });
		}
		if (longText === 'items') return await separateItems(call, settings, texts, field);
		refuseUnjoinable(settings.format);
		const joined = await speakJoined(call, settings, texts, field, nameFor(text));
		if ('failure' in joined) return [joined];
		return output(settings, text, field, joined, { parts: texts.length });
	},
};

/** One item per part; each goes into the binary store as it arrives, and each fails by itself. */
async function separateItems(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	field: string,
): Promise<Array<OperationResult | OperationFailure>> {
	const readerOf = (index: number) => storeAudio(call, nameFor(texts[index]));
	const outcomes = await speakParts(call, settings, texts, readerOf, call.context.continueOnFail());
	return outcomes.flatMap((outcome, index): Array<OperationResult | OperationFailure> => {
		if (!outcome) return [];
		if ('failure' in outcome) return [outcome];
		const facts = { part: index + 1, parts: texts.length };
		return [output(settings, texts[index], field, outcome.value, facts)];
	});
}

function output(
	{ voice, model, format }: SpeechSettings,
	text: string,
	field: string,
	{ file, durationSeconds }: StoredAudio,
	facts: IDataObject,
): OperationResult {
	const rounded =
		durationSeconds === undefined ? {} : { durationSeconds: Math.round(durationSeconds * 100) / 100 };
	return {
		json: { voice, model, format, characters: text.length, bytes: file.bytes, ...facts, ...rounded },
		files: { [field]: file },
	};
}

function readSettings(call: Call): SpeechSettings {
	const format = call.text('format');
	return {
		model: call.picked('model', 'Model'),
		voice: call.picked('voice', 'Voice'),
		format: format === 'custom' ? call.requiredText('customFormat', 'Custom Format').trim() : format,
		speed: call.optionalNumber('speed', 'Speed', { min: 0 }),
	};
}

function partLength(call: Call): number {
	return Math.floor(
		call.optionalNumber('partLength', 'Characters per Part', { min: 1 }) ?? DEFAULT_PART_LENGTH,
	);
}

function refuseUnjoinable(format: string): void {
	if (JOINABLE_FORMATS.includes(format)) return;
	throw inputFailure(
		'Text',
		`is too long for one request, and parts in the format "${format}" cannot be joined`,
		'Choose MP3, Opus or WAV as Format, or "Split Into Items" as Long Text.',
	);
}

function nameFor(text: string): (extension: string) => string {
	return (extension) => fileNameFrom(firstWords(text), 'speech', extension);
}
