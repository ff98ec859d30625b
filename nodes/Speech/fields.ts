import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';
import { optionFields } from '../shared/fields/options';
import { listed, matching, modelField, pickerField, withOnlyOne } from '../shared/fields/picker';
import { endpoints } from '../shared/send/endpoints';
import { fetchVoices } from '../shared/send/lists';
import { ONE_RETRY } from '../shared/send/retry';
import { AUDIO_FORMATS } from '../audio/formats';
import { choiceField, flagField, numberField, textField } from '../shared/fields/field';

export const MODEL = modelField('e.g. svc-tts');

export const TEXT = textField('Text', 'text', 'The text to speak. It can be of any length.', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. {{ $json.text }}',
});

export const VOICE = pickerField({
	displayName: 'Voice',
	name: 'voice',
	description: 'The voice to use. The list contains the built-in voices and your own.',
	hint: 'Do not guess: take a name from Get Many Voices',
	searchListMethod: 'searchVoices',
	placeholder: 'e.g. narrator',
});

/** `methods.listSearch`: lists the voices of the account whose name or description contains the filter. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { entries: voices } = await listed(this, async (client) => await fetchVoices(client, ONE_RETRY));
	const entries = voices.map(({ name, description }) => ({
		name: description ? `${name} (${description})` : name,
		value: name,
	}));
	const found = matching(filter, entries);
	return { results: filter?.trim() ? found : withOnlyOne(found) };
}

/** The formats that the node can join. */
export const FORMAT = choiceField('Format', 'format', {
	default: 'mp3',
	description: 'File format of the audio',
	options: AUDIO_FORMATS.map(({ name, value, description }) => ({ name, value, description })),
});

/** The default is about the maximum that the gateway accepts in one request (interface, 4.5). */
export const CHARACTERS_PER_PART = numberField(
	'Characters per Part',
	'partLength',
	4096,
	'Maximum number of characters per request when a long text is split',
	{ typeOptions: { minValue: 1, numberPrecision: 0 } },
);

export const REMOVE_FORMATTING = flagField(
	'Remove Formatting Before Speaking',
	'removeFormatting',
	'Whether to remove what is not meant to be read aloud: Markdown and HTML, links, emoji, code blocks, images, and citation numbers',
);

export const SPEED = numberField('Speed', 'speed', 1, 'Speaking speed, where 1 is normal', {
	typeOptions: { minValue: 0, numberPrecision: 2 },
});

/** Returns the lists of options of operations that speak. */
export function speechOptions(own: INodeProperties[]): INodeProperties[] {
	const settings = { streams: true, pays: 'cost' } as const;
	return optionFields(endpoints.speech, settings, [...own, SPEED], [CHARACTERS_PER_PART]);
}
