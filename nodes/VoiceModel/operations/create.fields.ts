import type { INodeProperties } from 'n8n-workflow';
import { optionsField, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';

const SAMPLE_FIELD: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the input field containing the binary file data to be processed',
	description: 'Name of the binary field that holds the recording, a WAV file of 10 to 60 seconds',
};

const TRANSCRIPT: INodeProperties = {
	displayName: 'Transcript',
	name: 'transcript',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Good morning, this is how I speak.',
	description: 'What is said in the recording, word for word',
};

const SAMPLES: INodeProperties[] = [
	{
		displayName: 'Samples From',
		name: 'samplesFrom',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Binary Fields of Each Item',
				value: 'fields',
				description: 'Each item is a voice; its samples are in binary fields',
			},
			{
				name: 'Several Items',
				value: 'items',
				description: 'Each item is a sample; items with the same Name become one voice',
			},
		],
		default: 'fields',
		description: 'Where the recordings of a voice are',
	},
	{
		displayName: 'Samples',
		name: 'samples',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		placeholder: 'Add sample',
		default: {},
		displayOptions: { show: { samplesFrom: ['fields'] } },
		options: [{ displayName: 'Sample', name: 'sample', values: [SAMPLE_FIELD, TRANSCRIPT] }],
		description: 'Two or three recordings with their transcripts',
	},
	{ ...SAMPLE_FIELD, displayOptions: { show: { samplesFrom: ['items'] } } },
	{ ...TRANSCRIPT, displayOptions: { show: { samplesFrom: ['items'] } } },
];

/** Parameters of VoiceModel → Create. */
export const createFields: INodeProperties[] = [
	{
		displayName:
			'A voice is made of two or three WAV recordings of at least 10 seconds. The web console of your gateway offers the same, and takes MP3 and M4A files too.',
		name: 'consoleNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. my-narrator',
		description: 'Unique name of the voice; it is what you choose as Voice in Unified AI Speech afterwards',
	},
	...SAMPLES,
	{
		displayName: 'Public',
		name: 'public',
		type: 'boolean',
		default: false,
		description: 'Whether everybody may use the voice',
	},
	{
		displayName: 'Contact Email',
		name: 'contactEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. name@email.com',
		displayOptions: { show: { public: [false] } },
		description:
			'Address at which the operator of the gateway reaches you; needed for a voice that is not public',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Calm and warm, for audiobooks',
		description: 'What the voice is like; shown in the list of voices',
	},
	SIMPLIFY,
	optionsField({ timeoutSeconds: endpoints.voiceModel.timeoutSeconds, body: true }, [
		{
			displayName: 'Endpoint',
			name: 'endpoint',
			type: 'options',
			options: [
				{
					name: 'Voice Clone',
					value: 'alternative',
					description: 'POST /v1/voice-clone/create-model',
				},
				{ name: 'Voice Model', value: 'documented', description: 'POST /v1/voice/model' },
			],
			default: 'documented',
			description: 'Path under which your gateway creates voices',
		},
	]),
];
