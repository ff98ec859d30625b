import type { INodeProperties } from 'n8n-workflow';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import { outputFields, queryOptions, readWaitSettings, waitLimits } from '../fields';

const MODEL = modelField('music-v4.5-plus', 'e.g. music-v5');

const CUSTOM_MODE: INodeProperties = {
	displayName: 'Use My Own Lyrics',
	name: 'customMode',
	type: 'boolean',
	default: false,
	description: 'Whether to enter lyrics, style, and title instead of a description of the song',
};

const PROMPT: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. A calm acoustic song about the first snow',
	displayOptions: { show: { customMode: [false] } },
	description: 'Style, mood, or theme of the song',
};

const LYRICS: INodeProperties = {
	displayName: 'Lyrics',
	name: 'lyrics',
	type: 'string',
	typeOptions: { rows: 8 },
	required: true,
	default: '',
	placeholder: 'e.g. [Verse] The first snow falls on silent streets …',
	displayOptions: { show: { customMode: [true] } },
	description: 'The words to sing. For an instrumental piece, describe how it develops.',
};

const STYLE: INodeProperties = {
	displayName: 'Style',
	name: 'style',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. acoustic folk, calm',
	displayOptions: { show: { customMode: [true] } },
	description: 'Genre, instruments, and mood of the music',
};

const TITLE: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. First Snow',
	displayOptions: { show: { customMode: [true] } },
	description: 'Title of the song',
};

const INSTRUMENTAL: INodeProperties = {
	displayName: 'Instrumental',
	name: 'instrumental',
	type: 'boolean',
	default: false,
	description: 'Whether to generate music without vocals',
};

const VOCAL_GENDER: INodeProperties = {
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
	description: 'Gender of the singing voice',
};

const WAIT_FOR_COMPLETION: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait until the songs are finished. Otherwise, the node returns the ID of each task immediately, for the Get or Wait operation.',
};

const SUBMIT_PATH: INodeProperties = {
	displayName: 'Submit Path',
	name: 'submitPath',
	type: 'options',
	options: [
		{ name: 'Generate', value: 'generate', description: 'POST /v1/music/generate' },
		{ name: 'Generations', value: 'generations', description: 'POST /v1/music/generations' },
	],
	default: 'generations',
	description: 'Where to submit songs. Gateways differ; most have Generations.',
};

const STYLE_FIELD_NAME: INodeProperties = {
	displayName: 'Style Field Name',
	name: 'styleField',
	type: 'string',
	default: 'style',
	placeholder: 'e.g. tags',
	description: 'Name of the field for Style in the request. Gateways differ; most have "style".',
};

const TITLE_FIELD_NAME: INodeProperties = {
	displayName: 'Title Field Name',
	name: 'titleField',
	type: 'string',
	default: 'title',
	placeholder: 'e.g. song_title',
	description: 'Name of the field for Title in the request. Gateways differ; most have "title".',
};

/** Parameters of Music → Generate. */
export const generateFields: INodeProperties[] = [
	MODEL,
	CUSTOM_MODE,
	PROMPT,
	LYRICS,
	STYLE,
	TITLE,
	INSTRUMENTAL,
	VOCAL_GENDER,
	WAIT_FOR_COMPLETION,
	...outputFields.map((field) =>
		field === SIMPLIFY
			? field
			: { ...field, displayOptions: { show: { waitForCompletion: [true], ...field.displayOptions?.show } } },
	),
	...optionFields(
		{ timeoutSeconds: endpoints.musicSubmit.timeoutSeconds, body: true, streams: true, pays: 'requests' },
		[...queryOptions, STYLE_FIELD_NAME, SUBMIT_PATH, TITLE_FIELD_NAME],
		waitLimits,
	),
];

/**
 * Reads what to submit for an item, and how to wait for it.
 *
 * @returns `wait` is undefined when the node does not wait for the song
 * @throws GatewayFailure (kind `input`) when a parameter is missing or cannot be used
 */
export function readSong(call: Call) {
	const isGenerate = call.options.text(SUBMIT_PATH) === 'generate';
	return {
		body: { ...readSongRequest(call), ...call.extraBodyFields },
		endpoint: isGenerate ? endpoints.musicSubmitAlternative : endpoints.musicSubmit,
		simplify: call.flag(SIMPLIFY),
		wait: call.flag(WAIT_FOR_COMPLETION) ? readWaitSettings(call) : undefined,
	};
}

/** The request of interface 4.8, which does not show the names of the fields for style and title. */
function readSongRequest(call: Call): Record<string, string | boolean> {
	const custom = call.flag(CUSTOM_MODE);
	const instrumental = call.flag(INSTRUMENTAL);
	const { options } = call;
	const vocalGender = instrumental ? '' : call.text(VOCAL_GENDER);
	return {
		prompt: call.requiredText(custom ? LYRICS : PROMPT),
		model: call.picked(MODEL),
		custom_mode: custom,
		...(custom && {
			[options.textOrDefault(STYLE_FIELD_NAME)]: call.requiredText(STYLE),
			[options.textOrDefault(TITLE_FIELD_NAME)]: call.requiredText(TITLE),
		}),
		instrumental,
		...(vocalGender === 'm' || vocalGender === 'f' ? { vocal_gender: vocalGender } : {}),
	};
}
