import type { INodeProperties } from 'n8n-workflow';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { modelField } from '../../shared/fields/picker';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import { pickedIn } from '../../shared/run/parameterReader';
import { withoutGaps } from '../../shared/plain/values';
import { outputOptions, readWaitSettings, waitLimits } from '../fields';
import { choiceField, flagField, textField } from '../../shared/fields/field';

const MODEL: INodeProperties = {
	...modelField('e.g. music-v5'),
	required: false,
	description: 'The model to use. Without this option, the gateway chooses it.',
};

const OWN_LYRICS = flagField(
	'Use My Own Lyrics',
	'ownLyrics',
	'Whether to enter lyrics, style, and title of the song instead of a description',
	{ default: false },
);

const PROMPT = textField('Prompt', 'prompt', 'Style, mood, or theme of the song', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. A calm acoustic song about the first snow',
	displayOptions: { show: { ownLyrics: [false] } },
});

const LYRICS = textField(
	'Lyrics',
	'lyrics',
	'The words to sing. For an instrumental piece, describe how it develops.',
	{
		typeOptions: { rows: 8 },
		required: true,
		placeholder: 'e.g. [Verse] The first snow falls on silent streets …',
		displayOptions: { show: { ownLyrics: [true] } },
	},
);

const STYLE = textField('Style', 'style', 'Genre, instruments, and mood of the music', {
	required: true,
	placeholder: 'e.g. acoustic folk, calm',
	displayOptions: { show: { ownLyrics: [true] } },
});

const TITLE = textField('Title', 'title', 'Title of the song', {
	required: true,
	placeholder: 'e.g. First Snow',
	displayOptions: { show: { ownLyrics: [true] } },
});

const INSTRUMENTAL = flagField('Instrumental', 'instrumental', 'Whether to generate music without vocals');

const VOCAL_GENDER = choiceField('Vocal Gender', 'vocalGender', {
	default: 'f',
	description: 'Gender of the singing voice',
	options: [
		{ name: 'Female', value: 'f' },
		{ name: 'Male', value: 'm' },
	],
});

const WAIT_FOR_COMPLETION = flagField(
	'Wait for Completion',
	'waitForCompletion',
	"Whether to wait until the songs are finished. If the execution is stopped meanwhile, the songs continue, and only n8n's log has their task IDs: for long waits, turn this off and use a loop, as in the example Songs from a list. When off, the node returns the ID of each task immediately.",
);

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
		{ streams: true, pays: 'cost' },
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
	const body: Record<string, unknown> = { ...readSongRequest(call), ...call.extraBodyFields };
	return {
		body,
		endpoint: { ...endpoints.musicSubmit, path: musicSubmitPath, namesModel: body.model !== undefined },
		simplify: call.flag(SIMPLIFY),
		wait: call.flag(WAIT_FOR_COMPLETION) ? readWaitSettings(call) : undefined,
	};
}

/** Reads the request. The credential names the fields for style and title, because the interface (4.8) does not. */
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
