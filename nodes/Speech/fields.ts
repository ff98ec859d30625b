import type { INodeProperties } from 'n8n-workflow';
import { optionFields } from '../shared/fields/options';
import { modelField, pickerField } from '../shared/fields/picker';
import { endpoints } from '../shared/send/endpoints';
import { AUDIO_FORMATS } from './audio/formats';

export const MODEL = modelField('e.g. svc-tts');

export const TEXT: INodeProperties = {
	displayName: 'Text',
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. {{ $json.text }}',
	description: 'The text to speak. It can be of any length.',
};

export const VOICE = pickerField({
	displayName: 'Voice',
	name: 'voice',
	description: 'The voice to use. The list contains the built-in voices and your own.',
	hint: 'Do not guess: take a name from Get Many Voices',
	searchListMethod: 'searchVoices',
	placeholder: 'e.g. narrator',
});

/** The formats that the node can join. */
export const FORMAT = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	options: AUDIO_FORMATS.map(({ name, value, description }) => ({ name, value, description })),
	default: 'mp3',
	description: 'File format of the audio',
} satisfies INodeProperties;

/** About the maximum that the gateway accepts in one request (interface, 4.5). */
export const CHARACTERS_PER_PART: INodeProperties = {
	displayName: 'Characters per Part',
	name: 'partLength',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 4096,
	description: 'Maximum number of characters per request when a long text is split',
};

export const REMOVE_FORMATTING: INodeProperties = {
	displayName: 'Remove Formatting Before Speaking',
	name: 'removeFormatting',
	type: 'boolean',
	default: true,
	description:
		'Whether to remove what is not meant to be read aloud: Markdown and HTML, links, emoji, code blocks, images, and citation numbers',
};

export const SPEED: INodeProperties = {
	displayName: 'Speed',
	name: 'speed',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1,
	description: 'Speaking speed, where 1 is normal',
};

/** The lists of options of operations that speak. */
export function speechOptions(own: INodeProperties[] = []): INodeProperties[] {
	const settings = { streams: true, pays: 'requests' } as const;
	return optionFields(endpoints.speech, settings, [...own, SPEED], [CHARACTERS_PER_PART]);
}
