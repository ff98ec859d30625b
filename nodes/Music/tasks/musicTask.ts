import { deniesSuccess, saysError } from '../../shared/failure/errorBody';
import { answerFailure, DENIED } from '../../shared/failure/words';
import { readText, unusable, sentenceIn, throwIfError, type Answer } from '../../shared/answer/answerReaders';
import { toFailure } from '../../shared/failure/failure';
import { type Fields, asRecord, textOr, timeOf } from '../../shared/plain/values';
import { hasAudio, isIdentifier, text, type Track, tracksIn } from './tracks';
import { readJsonText } from '../../shared/plain/json';
import { requestIdOf } from '../../shared/plain/headers';

export type TaskState = 'pending' | 'success' | 'failed';

/** A music task (interface, 2.9). */
export interface MusicTask {
	state: TaskState;
	/** The status as the gateway names it. */
	status: string;
	/** Percentage such as `72%`. */
	progress: string | undefined;
	failReason: string;
	/** ISO 8601; undefined when it is unknown, or not yet over. */
	submittedAt: string | undefined;
	finishedAt: string | undefined;
	/** Complete when the state is `success`. */
	tracks: Track[];
	unreadableTracks: number;
	answer: unknown;
}

export interface SubmittedTask {
	taskId: string;
	status: string;
	answer?: unknown;
}

/** Reads the response to a submit (interface, 4.8): `data` is an object with the ID, or the ID (New API). */
export function readSubmitted(body: unknown): SubmittedTask | undefined {
	const data = asRecord(body)?.data;
	if (isIdentifier(data)) return { taskId: String(data), status: 'PENDING' };
	const task = asRecord(data) ?? {};
	// The second name is that of Suno API.
	const taskId = text(task, 'task_id', 'taskId');
	return taskId === undefined ? undefined : { taskId, status: text(task, 'status') ?? 'PENDING' };
}

/** Why a task failed: the documented name, and that of Suno API. */
const REASONS = ['fail_reason', 'errorMessage'];

/** Reads the response to a query (interface, 4.9). */
export function readMusicTask(body: unknown): MusicTask {
	const raw = asRecord(asRecord(body)?.data);
	const status = raw && text(raw, 'status');
	const task = raw && status ? readTask(raw, status, body) : undefined;
	// A task that has failed says more than the marker.
	if (deniesSuccess(body) && task?.state !== 'failed') throw unusable(answerFailure(DENIED), body);
	if (task) return task;
	throw unusable(answerFailure('the field "data.status" is missing'), body);
}

function readTask(raw: Fields, status: string, answer: unknown): MusicTask {
	const finishedAt = timeOf(raw.finish_time ?? raw.finishTime);
	const failReason = text(raw, ...REASONS.filter((name) => saysError(raw[name]))) ?? '';
	const progress = percentage(raw.progress);
	const { tracks, unreadable } = tracksIn(raw);
	const state = stateOf(status, { isOver: finishedAt !== undefined, failReason, tracks });
	return {
		state,
		status,
		progress,
		failReason: failReason || (state === 'failed' ? status : ''),
		submittedAt: timeOf(raw.submit_time ?? raw.submitTime),
		finishedAt,
		tracks,
		unreadableTracks: unreadable,
		answer,
	};
}

/** `succeed` is the word of Kling, `done` that of xAI. */
const SUCCESS = /^(success|succeed|succeeded|completed?|done|finished)$/i;
/**
 * A word anywhere in the status, such as GENERATE_AUDIO_FAILED and SENSITIVE_WORD_ERROR (Suno API), Fail (MiniMax),
 * TIMED_OUT (RunPod), timeouted (Mureka), aborted (Replicate), Request Moderated (BFL), expired (xAI), or failedQuota.
 */
const FAILED =
	/(?<![a-z])(fail|failed|failure|failures|error|errors|errored|exception|cancel|cancell?ed|time[_ -]?(out|outed|d[_ -]?out)|expired|rejected|refused|denied|aborted|terminated|killed|crashed|moderated|blocked|unsuccessful)(?![a-z])|失败|错误|异常|取消|超时|过期|拒绝/i;
/** A status in camel case as separate words. */
const HUMP = /(?<=[a-z])(?=[A-Z])/g;

/** The state of a task (interface, 2.9; New API, Suno API). An unknown word is pending until it has finished. */
function stateOf(
	status: string,
	{ isOver, failReason, tracks }: { isOver: boolean; failReason: string; tracks: Track[] },
): TaskState {
	const word = status.trim().replace(HUMP, ' ');
	if (SUCCESS.test(word)) return 'success';
	if (FAILED.test(word)) return 'failed';
	if (!isOver) return 'pending';
	return failReason === '' && tracks.some(hasAudio) ? 'success' : 'failed';
}

function percentage(value: unknown): string | undefined {
	if (typeof value === 'number') return `${value}%`;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

const MAX_KEPT_LENGTH = 2000;

/** Reads the response to a submit (interface, 4.8), also one that was cut off after the ID. */
export async function readSubmittedTask(answer: Answer): Promise<SubmittedTask> {
	let broken: { error: unknown } | undefined;
	// A response that was cut off may still contain the task ID.
	const text = await readText(answer).catch((error: unknown) => {
		broken = { error };
		return textOr(toFailure(error).facts.partial?.answer);
	});
	const parsed = await readJsonText(text);
	const body = 'value' in parsed ? parsed.value : undefined;
	const submitted = readSubmitted(body);
	const { status, headers } = answer;
	const facts = { status, requestId: requestIdOf(headers) };
	if (deniesSuccess(body)) {
		throwIfError(body, answer);
		throw unusable(answerFailure(DENIED, { ...facts, taskId: submitted?.taskId }), body);
	}
	if (submitted) return { ...submitted, answer: body };
	const taskId = body === undefined ? taskIdIn(text) : undefined;
	if (taskId !== undefined) return { taskId, status: 'PENDING' };
	if (broken) throw broken.error;
	throwIfError(body, answer);
	const partial = { answer: text.slice(0, MAX_KEPT_LENGTH) };
	throw answerFailure('it has no task ID', { ...facts, ...sentenceIn(body ?? text), partial });
}

function taskIdIn(text: string): string | undefined {
	return /"(?:task_id|taskId)"\s{0,9}:\s{0,9}"([\w.:-]{1,200})"/.exec(text)?.[1];
}
