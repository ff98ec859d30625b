import type { IDataObject } from 'n8n-workflow';
import { fileNameFrom, firstWords } from '../../shared/files/fileName';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationFailure, OperationResult } from '../../shared/runtime/operation';
import { speakJoined } from '../longText/speakJoined';
import { speakParts } from '../longText/speakParts';
import { splitText } from '../longText/splitText';
import { speak, storeAudio, type StoredAudio } from '../speak';
import { createFields, readCreate, requireJoinable, type CreateSettings } from './create.fields';

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
			const stored = await speak(call, settings, texts[0], storeAudio(call, nameFor(text)));
			return output(settings, text, stored, { parts: 1 });
		}
		if (settings.splitsIntoItems) return await separateItems(call, settings, texts);
		requireJoinable(settings.format);
		const joined = await speakJoined(call, settings, texts, field, nameFor(text));
		if ('failure' in joined) return [joined];
		return output(settings, text, joined, { parts: texts.length });
	},
};

/** One item per part. Each file is stored as it arrives, and each part can fail on its own. */
async function separateItems(
	call: Call,
	settings: CreateSettings,
	texts: string[],
): Promise<Array<OperationResult | OperationFailure>> {
	const readerOf = (index: number) => storeAudio(call, nameFor(texts[index]));
	const outcomes = await speakParts(call, settings, texts, readerOf, !call.context.continueOnFail());
	return outcomes.flatMap((outcome, index): Array<OperationResult | OperationFailure> => {
		if (!outcome) return [];
		if ('failure' in outcome) return [outcome];
		return [output(settings, texts[index], outcome.value, { part: index + 1, parts: texts.length })];
	});
}

function output(
	{ voice, model, format, field }: CreateSettings,
	text: string,
	{ file, durationSeconds }: StoredAudio,
	parts: IDataObject,
): OperationResult {
	const rounded =
		durationSeconds === undefined ? {} : { durationSeconds: Math.round(durationSeconds * 100) / 100 };
	return {
		json: { voice, model, format, characters: text.length, bytes: file.bytes, ...parts, ...rounded },
		files: { [field]: file },
	};
}

function nameFor(text: string): (extension: string) => string {
	return (extension) => fileNameFrom(firstWords(text), 'speech', extension);
}
