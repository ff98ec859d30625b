import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/failure/words';
import { INCLUDE_INPUT_FIELDS, OUTPUT_FILE, SIMPLIFY } from '../shared/fields/options';
import type { Call } from '../shared/run/call';
import { isUnset, toTextOrChoice } from '../shared/run/parameterReader';
import { choiceField, numberField, textField } from '../shared/fields/field';
import { USAGE_FIELDS } from '../shared/answer/usage';

const TASK_ID = textField('Task ID', 'taskId', 'ID of a submitted task, as Generate Music returned it', {
	default: '={{ $json.taskId }}',
	required: true,
	placeholder: 'e.g. 0f4c2a7e9b31',
});

/** The task ID: from the input, or from the model that calls the tool. */
export const taskIdFields: INodeProperties[] = [
	{ ...TASK_ID, displayOptions: { show: { '@tool': [false] } } },
	{
		...TASK_ID,
		default:
			"={{ $fromAI('taskId', 'ID of the music task, as it was returned when the music was generated') }}",
		displayOptions: { show: { '@tool': [true] } },
	},
];

/** Reads the task ID. @throws GatewayFailure (kind `input`) if it is empty */
export function readTaskId(call: Call): string {
	return call.requiredText(TASK_ID).trim();
}

const OUTPUT = choiceField('Output', 'output', {
	default: 'track',
	description: 'How to return the songs of a finished task',
	options: [
		{ name: 'One Item per Task', value: 'task', description: 'All songs of a task in one item' },
		{
			name: 'One Item per Track',
			value: 'track',
			description: 'A separate item for each song; most tasks have two',
		},
	],
});

const FILES: INodeProperties = {
	displayName: 'Files to Download',
	name: 'files',
	type: 'multiOptions',
	options: [
		{ name: 'Audio', value: 'audio' },
		{ name: 'Cover', value: 'cover' },
	],
	default: ['audio', 'cover'],
	description: 'Which files of each track to download, or none. Gateways delete them after a while.',
};

const AUDIO_FIELD = {
	...OUTPUT_FILE,
	required: false,
	hint: 'The name of the output binary field to put the audio in. With one item per task, the track number is appended.',
	description: 'Name of the binary field for the audio in the output item',
};

const COVER_FIELD = textField(
	'Put Cover in Field',
	'coverPropertyName',
	'Name of the binary field for the cover image in the output item',
	{
		default: 'cover',
		hint: 'The name of the output binary field to put the cover in. With one item per task, the track number is appended.',
	},
);

export const outputOptions: INodeProperties[] = [
	OUTPUT,
	FILES,
	AUDIO_FIELD,
	COVER_FIELD,
	INCLUDE_INPUT_FIELDS,
];

/** The output fields that only some songs have. With Include Input Fields, they must not come from an earlier song. */
export const SONG_FIELDS = [
	...['durationSeconds', 'submittedAt', 'finishedAt', 'trackId', 'audioUrl', 'streamAudioUrl', 'imageUrl'],
	...['otherFields', 'progress', 'timedOut', 'cancelled', 'track', 'tracks', ...USAGE_FIELDS],
];

/**
 * Reads how to return songs. A field is undefined if its file is not downloaded. @throws GatewayFailure (kind `input`)
 * if both files would be in the same field
 */
export function readOutputSettings(call: Call) {
	const { options } = call;
	const files = readFiles(call);
	const audioField = files.includes('audio') ? options.textOrDefault(AUDIO_FIELD) : undefined;
	const coverField = files.includes('cover') ? options.textOrDefault(COVER_FIELD) : undefined;
	if (audioField !== undefined && audioField === coverField) {
		throw inputFailure(
			COVER_FIELD,
			`is "${coverField}", the same as ${AUDIO_FIELD.displayName}`,
			'Enter a different name for each file, for example "data" and "cover".',
		);
	}
	const perTask = options.textOrDefault(OUTPUT) === 'task';
	return { perTask, simplify: call.flag(SIMPLIFY), audioField, coverField };
}

export type OutputSettings = ReturnType<typeof readOutputSettings>;

function readFiles(call: Call): string[] {
	const set = call.options.value(FILES);
	const value = isUnset(set) ? FILES.default : set;
	const names: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
	return names
		.filter((name) => !isUnset(name))
		.map((name) => toTextOrChoice(name, { ...FILES, type: 'options' }));
}

const MAX_WAIT: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWaitMinutes',
	type: 'number',
	// The maximum is 366 days.
	typeOptions: { minValue: 0, maxValue: 527_040, numberPrecision: 2 },
	default: 15,
	description:
		'Maximum time to wait for the tasks. A task that is not finished by then is returned with its ID and "timedOut", and continues at the gateway. The value of the first item applies to the whole run.',
};

const POLL_INTERVAL = numberField(
	'Poll Interval (Seconds)',
	'pollIntervalSeconds',
	8,
	'The pause between two requests for the status of the tasks, from 2 to 60. Gateways recommend 5 to 10. The value of the first item applies to the whole run.',
	{ typeOptions: { minValue: 2, maxValue: 60, numberPrecision: 1 } },
);

export const waitLimits = [MAX_WAIT, POLL_INTERVAL];

/** Reads how to wait for tasks. @throws GatewayFailure (kind `input`) if a parameter cannot be used */
export function readWaitSettings(call: Call) {
	return {
		output: readOutputSettings(call),
		request: call.requestOptions,
		times: {
			intervalMs: call.options.numberOrDefault(POLL_INTERVAL) * 1000,
			maxWaitMs: call.options.numberOrDefault(MAX_WAIT) * 60_000,
		},
	};
}

export type WaitSettings = ReturnType<typeof readWaitSettings>;
