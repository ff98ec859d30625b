import { deniesSuccess, saysError } from '../../shared/errors/errorInside';
import { answerFailure, DENIED } from '../../shared/errors/errorMessages';
import { LIST_ENTRIES } from '../../shared/http/budgets';
import { unusable } from '../../shared/http/schemas';
import { asRecord, numberOf, timeOf } from '../../shared/values';

type Fields = Record<string, unknown>;

/** The state of a task. */
export type TaskState = 'pending' | 'success' | 'failed';

/** One finished song (interface, 2.9). */
export interface Track {
	id: string;
	title: string;
	/** URL of the MP3; empty when there is none. */
	audioUrl: string;
	streamAudioUrl: string;
	/** URL of the cover; empty when there is none. */
	imageUrl: string;
	tags: string;
	model: string;
	/** ISO 8601; empty when it is unknown. */
	createdAt: string;
	durationSeconds: number | undefined;
	/** The track as the gateway returned it. */
	raw: Record<string, unknown>;
}

/** A music task (interface, 2.9). */
export interface MusicTask {
	state: TaskState;
	/** The status as the gateway names it. */
	status: string;
	/** Percentage such as `72%`; empty when it is unknown. */
	progress: string;
	failReason: string;
	/** ISO 8601; empty when it is unknown. */
	submittedAt: string;
	finishedAt: string;
	/** Filled when the state is `success`. */
	tracks: Track[];
	/** Number of entries among the tracks that could not be read. */
	unreadableTracks: number;
	/** Whether there are tracks although the task has failed. */
	hasPartialResult: boolean;
	/** The task as the gateway returned it. */
	raw: Record<string, unknown>;
	/** The whole response to the query. */
	answer: unknown;
}

/** The response to a submit. */
export interface SubmittedTask {
	taskId: string;
	status: string;
	/** The response, unless it was cut off. */
	answer?: unknown;
}

/**
 * Reads the response to a submit (interface, 4.8): `data` is an object with the ID, a list of one such object, or the ID
 * itself. The ID may also be in the envelope.
 *
 * @returns undefined when there is no ID
 */
export function readSubmitted(body: unknown): SubmittedTask | undefined {
	const answer = asRecord(body);
	if (!answer) return undefined;
	const outer = answer.data ?? answer.output ?? answer.result;
	const data: unknown = Array.isArray(outer) && outer.length === 1 ? outer[0] : outer;
	if (isIdentifier(data) && data !== 'success') return { taskId: String(data), status: 'PENDING' };
	const inner = asRecord(data);
	const status = text(inner ?? answer, ...STATUS);
	const taskId = inner ? text(inner, ...TASK_ID, 'id') : text(answer, ...TASK_ID, ...(status ? ['id'] : []));
	return taskId === '' ? undefined : { taskId, status: (inner && status) || 'PENDING' };
}

const TASK_ID = ['task_id', 'taskId', 'job_id', 'jobId'];
const REASONS = ['fail_reason', 'failReason', 'error_message', 'errorMessage', 'error', 'reason', 'message'];
const STATUS = ['status', 'state', 'task_status'];

/**
 * Reads the response to a query (interface, 4.9).
 *
 * @throws GatewayFailure (kind `answer`) when it has no status, or when its success marker says no
 */
export function readMusicTask(body: unknown): MusicTask {
	const task = musicTaskIn(body);
	// A task that has failed says more than the marker.
	if (deniesSuccess(body) && task?.state !== 'failed') throw unusable(answerFailure(DENIED), body);
	if (task) return task;
	throw unusable(answerFailure('the field "data.status" is missing'), body);
}

/**
 * The task in the response to a query: it is in `data`, regardless of the names of the outer fields.
 *
 * @returns undefined when it has no status
 */
export function musicTaskIn(body: unknown): MusicTask | undefined {
	const answer = asRecord(body) ?? {};
	const data: unknown = Array.isArray(answer.data) && answer.data.length === 1 ? answer.data[0] : answer.data;
	const inner = asRecord(data);
	if (inner && text(inner, ...STATUS)) return readTask(inner, body);
	// An envelope may have a `status` of its own; with a task ID, it is the task itself.
	return text(answer, ...STATUS) && text(answer, ...TASK_ID, 'id') ? readTask(answer, body) : undefined;
}

function readTask(raw: Fields, answer: unknown): MusicTask {
	const status = text(raw, ...STATUS);
	const finishedAt = timeOf(first(raw, 'finish_time', 'finishTime', 'finished_at', 'finishedAt')) ?? '';
	const failReason = text(raw, ...REASONS.filter((name) => saysError(raw[name])));
	const progress = percentage(first(raw, 'progress'));
	const { tracks, unreadable } = tracksIn(raw);
	const state = stateOf(status, { isOver: finishedAt !== '', progress, failReason, tracks });
	return {
		state,
		status,
		progress,
		failReason: failReason || (state === 'failed' ? status : ''),
		submittedAt:
			timeOf(
				first(raw, 'submit_time', 'submitTime', 'submitted_at', 'submittedAt', 'created_at', 'createdAt'),
			) ?? '',
		finishedAt,
		// A track may exist before the task is finished, but only the status says whether it is complete.
		tracks: state === 'success' ? tracks : [],
		unreadableTracks: state === 'success' ? unreadable : 0,
		hasPartialResult: state === 'failed' && tracks.length > 0,
		raw,
		answer,
	};
}

function readTrack(raw: Fields): Track {
	const tags = first(raw, ...TAGS);
	return {
		id: text(raw, 'id', 'track_id', 'trackId'),
		title: text(raw, 'title'),
		audioUrl: text(raw, ...AUDIO_URL) || text(asRecord(raw.audio) ?? {}, 'url'),
		streamAudioUrl: text(raw, 'streamAudioUrl', 'stream_audio_url', 'streamUrl', 'stream_url'),
		imageUrl: text(
			raw,
			'imageUrl',
			'image_url',
			'coverUrl',
			'cover_url',
			'coverImageUrl',
			'cover_image_url',
			'cover',
			'image',
		),
		tags: Array.isArray(tags) ? tags.filter(isIdentifier).join(', ') : text(raw, ...TAGS),
		model: text(raw, 'modelName', 'model_name', 'model'),
		createdAt: timeOf(first(raw, 'createTime', 'create_time', 'createdAt', 'created_at')) ?? '',
		durationSeconds: numberOf(first(raw, 'duration')),
		raw,
	};
}

const TAGS = ['tags', 'style', 'styles', 'genre', 'genres'];
const AUDIO_URL = ['audioUrl', 'audio_url', 'url', 'audio', 'song_url', 'mp3_url'];

const SUCCESS = /^(succe(ss|ssful|ed|eded)|complete[d]?|done|finished|ok)$/i;
const FAILED =
	/(^|[ _-])(fail(ed|ure)?|errors?|errored|exception|cancel(l?ed)?|time(d[ _-]?)?[ _-]?out|expired|rejected|aborted|deleted|not[ _-]?found)$/i;
const PENDING =
	/^(not[ _-]?start(ed)?|pending|submitt(ed|ing)|queued?|waiting|in[ _-]?(progress|queue)|processing|running|started|generating|created)$/i;

/**
 * The state of a task (interface, 2.9), with the words of comparable services. Whatever the word, a task that has ended is
 * not pending.
 */
function stateOf(
	status: string,
	{
		isOver,
		progress,
		failReason,
		tracks,
	}: { isOver: boolean; progress: string; failReason: string; tracks: Track[] },
): TaskState {
	const word = status.trim();
	if (SUCCESS.test(word)) return 'success';
	if (FAILED.test(word)) return 'failed';
	const isAudible = tracks.some(hasAudio);
	if (isOver && isAudible && failReason === '') return 'success';
	if (PENDING.test(word)) return isOver && failReason !== '' ? 'failed' : 'pending';
	if (isOver || failReason !== '') return 'failed';
	return isAudible && Number.parseFloat(progress) >= 100 ? 'success' : 'pending';
}

const LISTS = [
	'data',
	'tracks',
	'clips',
	'songs',
	'audios',
	'audio_urls',
	'sunoData',
	'response',
	'result',
	'output',
];

/** The tracks of a task: a list, an object that contains one, or a single track. */
function tracksIn(raw: Fields): { tracks: Track[]; unreadable: number } {
	for (const name of LISTS) {
		const value = raw[name];
		const inner = asRecord(value);
		const list = inner ? listIn(inner) : value;
		if (!Array.isArray(list) || list.length === 0) continue;
		const all = list.slice(0, LIST_ENTRIES).flatMap((entry: unknown) => {
			const fields = isAddress(entry) ? { audioUrl: entry } : asRecord(entry);
			return fields && Object.keys(fields).length > 0 ? readTrack(fields) : [];
		});
		const audible = all.filter(hasAudio);
		const tracks = audible.length > 0 ? audible : all;
		return { tracks, unreadable: list.length - tracks.length };
	}
	return { tracks: [], unreadable: 0 };
}

function isAddress(value: unknown): value is string {
	return typeof value === 'string' && /^https?:\/\//i.test(value);
}

const MAX_DEPTH = 2;

/** A list in an object, a single track, or tracks by their ID. */
function listIn(fields: Fields, depth = 0): unknown[] {
	const values = Object.values(fields);
	const list = values.find(Array.isArray) as unknown[] | undefined;
	if (list) return list;
	const wrapped = asRecord(fields.response) ?? asRecord(fields.result);
	if (wrapped && depth < MAX_DEPTH) return listIn(wrapped, depth + 1);
	return text(fields, ...AUDIO_URL) === '' ? values.filter((value) => asRecord(value)) : [fields];
}

function hasAudio({ audioUrl, streamAudioUrl }: Track): boolean {
	return audioUrl !== '' || streamAudioUrl !== '';
}

function first(source: Fields, ...names: string[]): unknown {
	return names.map((name) => source[name]).find((value) => ![undefined, null, ''].includes(value as null));
}

function text(source: Fields, ...names: string[]): string {
	const value = names.map((name) => source[name]).find(isIdentifier);
	return value === undefined ? '' : String(value);
}

function isIdentifier(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

function percentage(value: unknown): string {
	if (typeof value === 'number') return `${value}%`;
	return typeof value === 'string' ? value : '';
}
