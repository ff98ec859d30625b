import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { inputFailure } from '../../shared/gateway/advice';
import { mediaTypeOf } from '../../shared/gateway/readers';
import { fileNameFrom, firstWords } from '../../shared/files/fileName';
import { storeFile } from '../../shared/files/storeFile';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { speak, speakJoined, speakParts, type Recording, type SpeechSettings } from '../speak';
import { splitText } from '../splitText';
import { createFields, DEFAULT_PART_LENGTH } from './create.fields';

/** Has a text of any length spoken (interface, 4.5). */
export const create: ItemOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create speech',
	description: 'Turn text into an audio file',
	fields: createFields,
	async run(call) {
		const text = call.requiredText('text', 'Text');
		const settings = readSettings(call);
		const longText = call.text('longText');
		const parts = longText === 'asIs' ? [text] : splitText(text, partLength(call));
		if (parts.length === 1) return await single(call, settings, parts[0]);
		if (longText === 'items') return await items(call, settings, parts);
		refuseUnjoinable(settings.format);
		const recording = await speakJoined(call, settings, parts);
		return await result(call, settings, text, recording, { parts: parts.length });
	},
};

/** One request: the audio goes into the binary store as it arrives. */
async function single(call: Call, settings: SpeechSettings, text: string): Promise<OperationResult> {
	const file = await speak(
		call,
		settings,
		text,
		async (answer) => await storeFile(call.context, answer.body, mediaTypeOf(answer), nameFor(text)),
	);
	return output(call, settings, text, file, { parts: 1 });
}

async function items(call: Call, settings: SpeechSettings, parts: string[]): Promise<OperationResult[]> {
	const recordings = await speakParts(call, settings, parts);
	return await Promise.all(
		recordings.map(
			async (recording, index) =>
				await result(call, settings, parts[index], recording, { part: index + 1, parts: parts.length }),
		),
	);
}

async function result(
	call: Call,
	settings: SpeechSettings,
	text: string,
	{ bytes, contentType, durationSeconds }: Recording,
	facts: IDataObject,
): Promise<OperationResult> {
	const file = await storeFile(call.context, bytes, contentType, nameFor(text));
	const rounded =
		durationSeconds === undefined ? {} : { durationSeconds: Math.round(durationSeconds * 100) / 100 };
	return output(call, settings, text, file, { ...facts, ...rounded });
}

function output(
	call: Call,
	{ voice, model, format }: SpeechSettings,
	text: string,
	file: IBinaryData,
	facts: IDataObject,
): OperationResult {
	return {
		json: { voice, model, format, characters: text.length, bytes: file.bytes, ...facts },
		files: { [call.requiredText('binaryPropertyName', 'Put Output File in Field')]: file },
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
	if (format === 'mp3' || format === 'wav') return;
	throw inputFailure(
		'Text',
		`is too long for one request, and parts in the format "${format}" cannot be joined`,
		'Choose MP3 or WAV as Format, or "Split Into Items" as Long Text.',
	);
}

function nameFor(text: string): (extension: string) => string {
	return (extension) => fileNameFrom(firstWords(text), 'speech', extension);
}
