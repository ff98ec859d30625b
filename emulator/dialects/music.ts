import { type Dialect, type Meaning, variant } from './dialect';
import { eachField, isObject, type JsonObject, objectsIn } from './json';
import { NEW_SONGS, SONGS } from './routes';

const WORDS = 'The singer has lost the voice.';

/** Defines a dialect that changes the task in the answer to a submit request. */
const submitted = (name: string, says: string, source: string, change: (task: JsonObject) => unknown) =>
	variant({
		name: `new-song-${name}`,
		description: `A submitted song as ${says}`,
		source,
		routes: NEW_SONGS,
		meaning: { kind: 'same', variable: { status: /^PENDING$/ } },
		json: (value) => {
			const whole = value as JsonObject;
			return isObject(whole.data) ? { ...whole, data: change(whole.data) } : value;
		},
	});

/** Defines a dialect that changes the task in the answer to a query, once the task is over. */
const queried = (
	name: string,
	description: string,
	source: string,
	change: (task: JsonObject) => unknown,
	meaning: Meaning = { kind: 'same', variable: { status: /^/ } },
) =>
	variant({
		name: `song-${name}`,
		description,
		source,
		routes: SONGS,
		meaning,
		json: (value) => {
			const whole = value as JsonObject;
			return isObject(whole.data) && objectsIn(whole.data.data).length > 0
				? { ...whole, data: change(whole.data) }
				: value;
		},
	});

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Shapes of music answers. */
export const musicShapes: readonly Dialect[] = [
	submitted('text', '`{data: id}`', 'New API: music tasks', ({ task_id: id }) => id),
	submitted('task-id-camel', '`{data: {taskId}}`', 'Suno API: generate', ({ task_id: taskId }) => ({
		taskId,
	})),
	queried('status-complete', 'A finished song has the status `complete`', 'Suno: clips', (task) => ({
		...task,
		status: 'complete',
	})),
	queried(
		'status-failure',
		'A failed song has the status `FAILURE`',
		'New API: music tasks',
		(task) => ({ ...task, status: 'FAILURE', data: [], fail_reason: WORDS }),
		{ kind: 'failure', words: [WORDS] },
	),
	queried('status-unknown', 'A finished song has an unknown status', 'New API: music tasks', (task) => ({
		...task,
		status: 'UNKNOWN',
	})),
	queried('fail-reason-empty', '`fail_reason` is `""`', 'New API: music tasks', (task) => ({
		...task,
		fail_reason: '',
	})),
	queried('tracks-snake-case', 'Tracks as `{audio_url, image_url}`', 'Suno: clips', (task) => ({
		...task,
		data: objectsIn(task.data).map((track) =>
			Object.fromEntries(Object.entries(track).map(([key, value]) => [snake(key), value])),
		),
	})),
	queried('tracks-suno-data', 'Tracks as `{response: {sunoData: […]}}`', 'Suno API: record-info', (task) => {
		const { data: sunoData, ...others } = task;
		return { ...others, response: { sunoData } };
	}),
	variant({
		name: 'song-create-time-date',
		description: 'The time of a track is a date',
		source: 'Suno: clips',
		routes: SONGS,
		json: (value) =>
			eachField(value, (entry, key) =>
				key === 'createTime' && typeof entry === 'number' ? new Date(entry).toISOString() : entry,
			),
	}),
];
