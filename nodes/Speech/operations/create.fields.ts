import type { INodeProperties } from 'n8n-workflow';
import { optionsField, OUTPUT_FILE } from '../../shared/fields/options';
import { modelField, pickerField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';

/** About the most characters that the gateway takes in one request (interface, 4.5). */
export const DEFAULT_PART_LENGTH = 4096;

/** Parameters of Speech → Create. */
export const createFields: INodeProperties[] = [
	modelField('svc-tts', 'e.g. svc-tts'),
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. {{ $json.text }}',
		description: 'What is spoken; it may be as long as you like',
	},
	pickerField({
		displayName: 'Voice',
		name: 'voice',
		description: 'Who speaks. The list holds the built-in voices and your own.',
		searchListMethod: 'searchVoices',
		defaultValue: '',
		placeholder: 'e.g. narrator',
	}),
	{
		displayName: 'Format',
		name: 'format',
		type: 'options',
		options: [
			{ name: 'Custom', value: 'custom', description: 'Another format that your gateway offers' },
			{ name: 'MP3', value: 'mp3', description: 'Small, plays everywhere' },
			{ name: 'Opus', value: 'opus', description: 'Smallest, for messengers and the web' },
			{ name: 'WAV', value: 'wav', description: 'Uncompressed, for further editing' },
		],
		default: 'mp3',
		description: 'File format of the audio',
	},
	{
		displayName: 'Custom Format',
		name: 'customFormat',
		type: 'string',
		default: '',
		placeholder: 'e.g. flac',
		displayOptions: { show: { format: ['custom'] } },
		description: 'Name of the format as your gateway calls it',
	},
	{
		displayName: 'Long Text',
		name: 'longText',
		type: 'options',
		options: [
			{
				name: 'Send as Is',
				value: 'asIs',
				description: 'One request, whatever the length; the gateway may refuse a long text',
			},
			{
				name: 'Split and Join',
				value: 'join',
				description: 'Split at the ends of sentences and join the audio into one file (MP3, Opus, WAV)',
			},
			{
				name: 'Split Into Items',
				value: 'items',
				description: 'Split at the ends of sentences and return one item per part',
			},
		],
		default: 'join',
		description: 'What to do with a text that is longer than one request may be',
	},
	OUTPUT_FILE,
	optionsField({ timeoutSeconds: endpoints.speech.timeoutSeconds, body: true }, [
		{
			displayName: 'Characters per Part',
			name: 'partLength',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_PART_LENGTH,
			description: 'Most characters that are sent in one request when a long text is split',
		},
		{
			displayName: 'Speed',
			name: 'speed',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 1,
			description: 'How fast is spoken; 1 is the natural speed',
		},
	]),
];
