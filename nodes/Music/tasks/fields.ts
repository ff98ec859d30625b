import type { INodeProperties } from 'n8n-workflow';
import { OUTPUT_FILE, SIMPLIFY } from '../../shared/fields/options';

/** How a finished task leaves the node. */
export const outputFields: INodeProperties[] = [
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options: [
			{
				name: 'One Item per Task',
				value: 'task',
				description: 'The songs of a task stay together in one item',
			},
			{
				name: 'One Item per Track',
				value: 'track',
				description: 'Each song is an item of its own; a task usually gives two',
			},
		],
		default: 'track',
		description: 'How the songs of a finished task are put out',
	},
	{
		displayName: 'Download Tracks',
		name: 'downloadTracks',
		type: 'boolean',
		default: true,
		description: 'Whether to fetch the files; gateways delete them after a while',
	},
	{
		displayName: 'Files',
		name: 'files',
		type: 'multiOptions',
		options: [
			{ name: 'Audio', value: 'audio' },
			{ name: 'Cover', value: 'cover' },
		],
		default: ['audio', 'cover'],
		displayOptions: { show: { downloadTracks: [true] } },
		description: 'Which files of each track to fetch',
	},
	{
		...OUTPUT_FILE,
		hint: 'The name of the output binary field to put the audio in. With one item per task, a number is added for each track.',
		description: 'Name of the field in which the audio leaves the node',
		displayOptions: { show: { downloadTracks: [true], files: ['audio'] } },
	},
	{
		displayName: 'Put Cover in Field',
		name: 'coverPropertyName',
		type: 'string',
		required: true,
		default: 'cover',
		hint: 'The name of the output binary field to put the cover in. With one item per task, a number is added for each track.',
		displayOptions: { show: { downloadTracks: [true], files: ['cover'] } },
		description: 'Name of the field in which the cover leaves the node',
	},
	SIMPLIFY,
];

/** The id of the task that is asked for. */
export const taskIdField: INodeProperties = {
	displayName: 'Task ID',
	name: 'taskId',
	type: 'string',
	required: true,
	default: '={{ $json.taskId }}',
	placeholder: 'e.g. 0f4c2a7e9b31',
	description: 'ID of a submitted task, as the Generate operation puts it out',
};

/** Entries of Options for asking after a task. */
export const queryOptions: INodeProperties[] = [
	{
		displayName: 'Query Parameter Name',
		name: 'queryParameter',
		type: 'string',
		default: 'task_id',
		placeholder: 'e.g. task_id',
		description: 'What the task ID is called when Query Path is Query',
	},
	{
		displayName: 'Query Path',
		name: 'queryPath',
		type: 'options',
		options: [
			{ name: 'Query', value: 'query', description: 'GET /v1/music/query?task_id=…' },
			{ name: 'Tasks', value: 'tasks', description: 'GET /v1/music/tasks/{task_id}' },
		],
		default: 'tasks',
		description: 'Where the gateway is asked how far a task is. Gateways differ; most have Tasks.',
	},
];

/** The longest wait, in Options. */
export function maxWaitOption(minutes: number): INodeProperties {
	return {
		displayName: 'Max Wait (Minutes)',
		name: 'maxWaitMinutes',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 2 },
		default: minutes,
		description:
			'How long to wait for the tasks. A task that is not finished by then is put out with its ID and "timedOut"; it goes on at the gateway. The value of the first item counts for the whole run.',
	};
}

export const DEFAULT_MAX_WAIT_MINUTES = 15;
export const DEFAULT_POLL_INTERVAL_SECONDS = 8;
/** The interval that the interface recommends (4.9), in seconds. */
export const POLL_INTERVAL_LIMITS = { min: 5, max: 10 };

/** Entries of Options for a wait inside the run. */
export const waitOptions: INodeProperties[] = [
	maxWaitOption(DEFAULT_MAX_WAIT_MINUTES),
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollIntervalSeconds',
		type: 'number',
		typeOptions: {
			minValue: POLL_INTERVAL_LIMITS.min,
			maxValue: POLL_INTERVAL_LIMITS.max,
			numberPrecision: 1,
		},
		default: DEFAULT_POLL_INTERVAL_SECONDS,
		description:
			'How often the gateway is asked how far the tasks are, from 5 to 10. The value of the first item counts for the whole run.',
	},
];
