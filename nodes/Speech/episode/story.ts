import { inputFailure, type NamedParameter } from '../../shared/errors/errorMessages';
import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { inputFile } from '../../shared/files/inputFile';
import { chunksOf } from '../../shared/send/requestBody';
import type { Call } from '../../shared/run/call';
import type { AudioSource } from '../audio/joiner';
import { splitSentences, splitText } from '../longText/splitText';
import { FORMAT, TEXT } from '../fields';
import { AUDIO_FIELD, CHAPTER, FROM_FILE, SENTENCES, SOURCE, TRANSCRIPT } from './fields';
import { readText } from '../spokenText/cleanUpText';
import { readSpeech, type SpeechSettings } from '../speak';

/** One item of an episode. */
export interface Story {
	call: Call;
	/** Title of its chapter; empty for none. */
	title: string;
	/** What is spoken, in parts of one request each; for an audio file its transcript, if there is one. */
	texts: string[];
	/** Undefined for an audio file. */
	settings?: SpeechSettings;
	file?: AudioSource;
	/** Why its parameters cannot be used. */
	failure?: GatewayFailure;
}

/** The parameters of an item; those that cannot be used fail this item alone. */
export async function readStory(call: Call): Promise<Story> {
	try {
		return await storyOf(call);
	} catch (error) {
		return { call, title: '', texts: [], failure: toFailure(error) };
	}
}

/** @throws GatewayFailure (kind `input`) for the first parameter that cannot be used */
async function storyOf(call: Call): Promise<Story> {
	const title = call.text(CHAPTER).trim();
	if (call.text(SOURCE) === FROM_FILE) {
		const field = call.requiredText(AUDIO_FIELD);
		const transcript = call.text(TRANSCRIPT).trim();
		const file = await fileOf(call, field, AUDIO_FIELD);
		return { call, title, texts: transcript === '' ? [] : [transcript], file };
	}
	const text = readText(call, TEXT);
	const settings = readSpeech(call, call.text(FORMAT));
	const split = call.options.flag(SENTENCES) ? splitSentences : splitText;
	const texts = split(text, settings.partLength);
	return { call, title, texts, settings };
}

/**
 * An audio file of an item.
 *
 * @param parameter the parameter that contains the name of the field
 * @throws GatewayFailure (kind `input`) when the item has no such file
 */
export async function fileOf(call: Call, field: string, parameter: NamedParameter): Promise<AudioSource> {
	const file = await inputFile(call.context, call.itemIndex, field, parameter);
	const advice =
		'All audio must have the same format, sample rate, and number of channels. Convert the file before this node.';
	return {
		fail: (what) =>
			inputFailure(parameter, `refers to the binary field "${field}", whose audio ${what}`, advice),
		size: file.size,
		open: () => chunksOf(file),
	};
}
