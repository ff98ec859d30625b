import { deniesSuccess, saysError } from '../../shared/errors/errorInside';
import { answerFailure, DENIED } from '../../shared/errors/errorMessages';
import { unusable } from '../../shared/http/schemas';
import { asRecord, timeOf } from '../../shared/values';
import { type Fields, first, hasAudio, isIdentifier, text, type Track, tracksIn } from './tracks';

/** The state of a task. */
export type TaskState = 'pending' | 'success' | 'failed';

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
function musicTaskIn(body: unknown): MusicTask | undefined {
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

function percentage(value: unknown): string {
	if (typeof value === 'number') return `${value}%`;
	return typeof value === 'string' ? value : '';
}
