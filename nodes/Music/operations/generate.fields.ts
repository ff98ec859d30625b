import type { INodeProperties } from 'n8n-workflow';
import { optionsField } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/gateway/endpoints';
import { outputFields, queryOptions, waitOptions } from '../tasks/fields';

const SUBMIT_PATH: INodeProperties = {
	displayName: 'Submit Path',
	name: 'submitPath',
	type: 'options',
	options: [
		{ name: 'Generate', value: 'generate', description: 'POST /v1/music/generate' },
		{ name: 'Generations', value: 'generations', description: 'POST /v1/music/generations' },
	],
	default: 'generations',
	description: 'Where songs are submitted. Gateways differ; most have Generations.',
};

/** Parameters of Music → Generate. */
export const generateFields: INodeProperties[] = [
	modelField('music-v4.5-plus', 'e.g. music-v5'),
	{
		displayName: 'Custom Mode',
		name: 'customMode',
		type: 'boolean',
		default: false,
		description: 'Whether to give lyrics, style and title yourself instead of a description of the song',
	},
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 4 },
		required: true,
		default: '',
		placeholder: 'e.g. A calm acoustic song about the first snow',
		displayOptions: { show: { customMode: [false] } },
		description: 'Style, mood or theme of the song',
	},
	{
		displayName: 'Lyrics',
		name: 'lyrics',
		type: 'string',
		typeOptions: { rows: 8 },
		required: true,
		default: '',
		placeholder: 'e.g. [Verse] The first snow falls on silent streets …',
		displayOptions: { show: { customMode: [true] } },
		description: 'The words that are sung. For an instrumental piece, describe how it goes.',
	},
	{
		displayName: 'Style',
		name: 'style',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. acoustic folk, calm',
		displayOptions: { show: { customMode: [true] } },
		description: 'Genre, instruments and mood of the music',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. First Snow',
		displayOptions: { show: { customMode: [true] } },
		description: 'Name of the song',
	},
	{
		displayName: 'Instrumental',
		name: 'instrumental',
		type: 'boolean',
		default: false,
		description: 'Whether to make music without vocals',
	},
	{
		displayName: 'Vocal Gender',
		name: 'vocalGender',
		type: 'options',
		options: [
			{ name: 'Any', value: 'any' },
			{ name: 'Female', value: 'f' },
			{ name: 'Male', value: 'm' },
		],
		default: 'any',
		displayOptions: { show: { instrumental: [false] } },
		description: 'Which voice sings',
	},
	{
		displayName: 'Wait for Completion',
		name: 'waitForCompletion',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait until the songs are finished. Otherwise the ID of each task is put out at once, for the Wait operation or the Unified AI Music Wait node.',
	},
	...outputFields.map((field) => ({
		...field,
		displayOptions: { show: { waitForCompletion: [true], ...field.displayOptions?.show } },
	})),
	optionsField({ timeoutSeconds: endpoints.musicSubmit.timeoutSeconds, body: true }, [
		...waitOptions,
		...queryOptions,
		SUBMIT_PATH,
	]),
];
