import type { INodeProperties } from 'n8n-workflow';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import { pickedIn } from '../../shared/run/parameterReader';
import { withoutGaps } from '../../shared/plain/values';
import { outputOptions, readWaitSettings, waitLimits } from '../fields';

const MODEL: INodeProperties = {
	...modelField('e.g. music-v5'),
	required: false,
	description: 'The model to use. Without this option, the gateway chooses it.',
};

const OWN_LYRICS: INodeProperties = {
	displayName: 'Use My Own Lyrics',
	name: 'ownLyrics',
	type: 'boolean',
	default: false,
	description: 'Whether to enter lyrics, style, and title of the song instead of a description',
};

const PROMPT: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	required: true,
	default: '',
	placeholder: 'e.g. A calm acoustic song about the first snow',
	displayOptions: { show: { ownLyrics: [false] } },
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
	displayOptions: { show: { ownLyrics: [true] } },
	description: 'The words to sing. For an instrumental piece, describe how it develops.',
};

const STYLE: INodeProperties = {
	displayName: 'Style',
	name: 'style',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. acoustic folk, calm',
	displayOptions: { show: { ownLyrics: [true] } },
	description: 'Genre, instruments, and mood of the music',
};

const TITLE: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. First Snow',
	displayOptions: { show: { ownLyrics: [true] } },
	description: 'Title of the song',
};

const INSTRUMENTAL: INodeProperties = {
	displayName: 'Instrumental',
	name: 'instrumental',
	type: 'boolean',
	default: true,
	description: 'Whether to generate music without vocals',
};

const VOCAL_GENDER: INodeProperties = {
	displayName: 'Vocal Gender',
	name: 'vocalGender',
	type: 'options',
	options: [
		{ name: 'Female', value: 'f' },
		{ name: 'Male', value: 'm' },
	],
	default: 'f',
	description: 'Gender of the singing voice',
};

const WAIT_FOR_COMPLETION: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait until the songs are finished. Otherwise, the node returns the ID of each task immediately, for Get Music Task or Wait for Music Tasks.',
};

export const generateFields: INodeProperties[] = [
	OWN_LYRICS,
	PROMPT,
	LYRICS,
	STYLE,
	TITLE,
	WAIT_FOR_COMPLETION,
	SIMPLIFY,
	...optionFields(
		endpoints.musicSubmit,
		{ streams: true, pays: 'requests' },
		[MODEL, INSTRUMENTAL, VOCAL_GENDER, ...outputOptions.map(ifWaiting)],
		waitLimits.map(ifWaiting),
	),
];

function ifWaiting(field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show: { '/waitForCompletion': [true] } } };
}

/** Reads what to submit for an item, and how to wait for it (`wait`), if at all. */
export function readSong(call: Call) {
	const { musicSubmitPath } = call.client.wiring;
	return {
		body: { ...readSongRequest(call), ...call.extraBodyFields },
		endpoint: { ...endpoints.musicSubmit, path: musicSubmitPath },
		simplify: call.flag(SIMPLIFY),
		wait: call.flag(WAIT_FOR_COMPLETION) ? readWaitSettings(call) : undefined,
	};
}

/** The request of interface 4.8, which does not show the names of the fields for style and title; hence the credential has them. */
function readSongRequest(call: Call): Record<string, unknown> {
	const { options } = call;
	const hasLyrics = call.flag(OWN_LYRICS);
	const instrumental = options.flag(INSTRUMENTAL);
	const { musicStyleField, musicTitleField } = call.client.wiring;
	return withoutGaps({
		prompt: call.requiredText(hasLyrics ? LYRICS : PROMPT),
		model: pickedIn(options.value(MODEL)) || undefined,
		custom_mode: hasLyrics,
		...(hasLyrics && {
			[musicStyleField]: call.requiredText(STYLE),
			[musicTitleField]: call.requiredText(TITLE),
		}),
		instrumental,
		vocal_gender: instrumental ? undefined : options.text(VOCAL_GENDER) || undefined,
	});
}
