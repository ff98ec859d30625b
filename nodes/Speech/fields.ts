import type { INodeProperties } from 'n8n-workflow';
import { modelField, pickerField } from '../shared/fields/picker';

export const MODEL = modelField('svc-tts', 'e.g. svc-tts');

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
	defaultValue: '',
	placeholder: 'e.g. narrator',
});

/** About the maximum that the gateway accepts in one request (interface, 4.5). */
export const CHARACTERS_PER_PART: INodeProperties = {
	displayName: 'Characters per Part',
	name: 'partLength',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 4096,
	description: 'Maximum number of characters per request when a long text is split',
};

export const SPEED: INodeProperties = {
	displayName: 'Speed',
	name: 'speed',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1,
	description: 'Speaking speed, where 1 is normal',
};
