import { numberOf } from '../music/tasks';
import { type Dialect, type Meaning, variant } from './dialect';
import { eachField, isObject, type JsonObject, longNumber, objectsIn } from './json';
import { NEW_SONGS, SONGS } from './routes';

const WORDS = 'The singer has lost the voice.';

/** How the task of a submit answer is passed on. */
const submitted = (
	name: string,
	says: string,
	change: (task: JsonObject) => unknown,
	loose: Readonly<Record<string, RegExp | null>> = {},
) =>
	variant({
		name: `new-song-${name}`,
		description: `A submitted song as ${says}`,
		routes: NEW_SONGS,
		meaning: { kind: 'same', loose: { status: /^PENDING$/, ...loose } },
		json: (value) => {
			const whole = value as JsonObject;
			return isObject(whole.data) ? { ...whole, data: change(whole.data) } : value;
		},
	});

const asNumber = { taskId: /^\d{18}7$/ };

const SUBMITTED: Dialect[] = [
	submitted('text', '`{data: id}`', ({ task_id: id }) => id),
	submitted('list', '`{data: [{task_id}]}`', (task) => [task]),
	submitted('list-of-texts', '`{data: [id]}`', ({ task_id: id }) => [id]),
	submitted('id', '`{data: {id}}`', ({ task_id: id, status }) => ({ id, status })),
	submitted('task-id-camel', '`{data: {taskId}}`', ({ task_id: taskId, status }) => ({ taskId, status })),
	submitted(
		'number',
		'`{data: number of 19 digits}`',
		({ task_id: id }) => longNumber(numberOf(String(id))),
		asNumber,
	),
	submitted(
		'number-in-object',
		'`{data: {task_id: number of 19 digits}}`',
		({ task_id: id, status }) => ({ task_id: longNumber(numberOf(String(id))), status }),
		asNumber,
	),
	variant({
		name: 'new-song-bare',
		description: 'A submitted song as `{task_id, status}`, without an envelope',
		routes: NEW_SONGS,
		json: (value) => (value as JsonObject).data,
	}),
];

/** How the task of a query is passed on, once it is over. */
const queried = (
	name: string,
	description: string,
	change: (task: JsonObject) => unknown,
	meaning?: Meaning,
) =>
	variant({
		name: `song-${name}`,
		description,
		routes: SONGS,
		meaning: meaning ?? { kind: 'same', loose: { status: /^/ } },
		json: (value) => {
			const whole = value as JsonObject;
			return isObject(whole.data) && objectsIn(whole.data.data).length > 0
				? { ...whole, data: change(whole.data) }
				: value;
		},
	});

const finished = (status: string) =>
	queried(`status-${status.toLowerCase()}`, `A finished song has the status \`${status}\``, (task) => ({
		...task,
		status,
	}));

const failed = (status: string) =>
	queried(
		`failed-${status.toLowerCase()}`,
		`A failed song has the status \`${status}\``,
		(task) => ({ ...task, status, data: [], fail_reason: WORDS }),
		{ kind: 'failure', words: [WORDS] },
	);

/** Changes the tracks of a task. */
const tracks = (name: string, says: string, change: (tracks: JsonObject[], task: JsonObject) => JsonObject) =>
	queried(`tracks-${name}`, `Tracks as ${says}`, (task) => {
		const { data, ...others } = task;
		return { ...others, ...change(objectsIn(data), task) };
	});

const renamed = (from: string, to: string) => (all: JsonObject[]) => ({
	data: all.map(({ [from]: value, ...others }) => ({ ...others, [to]: value })),
});

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const QUERIED: Dialect[] = [
	...['COMPLETED', 'SUCCEEDED', 'DONE', 'FINISHED', 'success', 'complete', 'succeed'].map(finished),
	...['FAILURE', 'ERROR', 'CANCELED', 'CANCELLED', 'TIMEOUT'].map((status) => failed(status)),
	failed('failed'),
	failed('GESCHEITERT'),
	finished('FERTIG'),
	queried('status-number', 'A finished song has a number as its status', (task) => ({ ...task, status: 3 })),
	queried('progress-number', 'The progress is the number 100', (task) => ({ ...task, progress: 100 })),
	queried('state', 'The status is under `state`', ({ status: state, ...task }) => ({ ...task, state })),
	queried('list', 'The task is in a list of one', (task) => [task]),
	queried('fail-reason-empty', '`fail_reason` is `""` although nothing failed', (task) => ({
		...task,
		fail_reason: '',
	})),
	variant({
		name: 'song-bare',
		description: 'The task without an envelope',
		routes: SONGS,
		json: (value) => (isObject((value as JsonObject).data) ? (value as JsonObject).data : value),
	}),
	tracks('url', '`{url}`', renamed('audioUrl', 'url')),
	tracks('audio', '`{audio}`', renamed('audioUrl', 'audio')),
	tracks('snake-case', '`{audio_url, image_url}`', (all) => ({
		data: all.map((track) =>
			Object.fromEntries(Object.entries(track).map(([key, value]) => [snake(key), value])),
		),
	})),
	tracks('under-tracks', '`{tracks: […]}`', (all) => ({ tracks: all })),
	tracks('under-clips', '`{clips: […]}`', (all) => ({ clips: all })),
	tracks('in-data-tracks', '`{data: {tracks: […]}}`', (all) => ({ data: { tracks: all } })),
	tracks('in-data-clips', '`{data: {clips: […]}}`', (all) => ({ data: { clips: all } })),
	tracks('by-id', '`{data: {id: track}}`', (all) => ({
		data: Object.fromEntries(all.map((track) => [String(track.id), track])),
	})),
	variant({
		name: 'song-duration-text',
		description: 'The duration of a track is text',
		routes: SONGS,
		json: (value) => eachField(value, (entry, key) => (key === 'duration' ? String(entry) : entry)),
	}),
];

/** Songs as other gateways return them. */
export const musicShapes: readonly Dialect[] = [...SUBMITTED, ...QUERIED];
