import { z } from 'zod';
import { asRecord, isoTime } from '../../shared/values';

/** The state of a task. Unknown status names count as pending. */
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
	prompt: string;
	model: string;
	/** ISO 8601; empty when it is unknown. */
	createdAt: string;
	durationSeconds: number | undefined;
	/** The track as the gateway returned it. */
	raw: Record<string, unknown>;
}

/** A music task (interface, 2.9). */
export interface MusicTask {
	/** Empty when the response does not repeat it. */
	taskId: string;
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
	/** The task as the gateway returned it. */
	raw: Record<string, unknown>;
}

/** The response to a submit. */
export interface SubmittedTask {
	taskId: string;
	status: string;
}

/** Any object; `z.record` would check each of its fields. */
const record = z.custom<Record<string, unknown>>((value) => asRecord(value) !== undefined);
type LooseRecord = z.infer<typeof record>;

/**
 * The response to a submit (interface, 4.8): `data` is an object with the ID, or the ID itself. The ID may also be in
 * the envelope.
 */
export const submittedTaskSchema = record.transform((answer, context): SubmittedTask => {
	const inner = record.safeParse(answer.data).data ?? answer;
	const bare = isIdentifier(answer.data) ? String(answer.data) : '';
	const taskId = bare || text(inner, 'task_id', 'taskId') || (inner === answer ? '' : text(inner, 'id'));
	if (taskId === '') return missing(context, ['data', 'task_id']);
	const status = bare || inner === answer ? '' : text(inner, 'status');
	return { taskId, status: status || 'PENDING' };
});

/** The response to a query (interface, 4.9): the task is in `data`, regardless of the names of the outer fields. */
export const musicTaskSchema = record.transform((answer, context): MusicTask => {
	const inner = record.safeParse(answer.data).data;
	if (inner && text(inner, 'status')) return readTask(inner);
	// An envelope may have a `status` of its own; with a task ID, it is the task itself.
	if (text(answer, 'status') && text(answer, 'task_id', 'taskId')) return readTask(answer);
	return missing(context, ['data', 'status']);
});

function readTask(raw: LooseRecord): MusicTask {
	const status = text(raw, 'status');
	const state = stateOf(status);
	return {
		taskId: text(raw, 'task_id', 'taskId', 'id'),
		state,
		status,
		progress: percentage(first(raw, 'progress')),
		failReason: text(raw, 'fail_reason', 'failReason'),
		submittedAt: time(first(raw, 'submit_time', 'submitTime', 'created_at', 'createdAt')),
		finishedAt: time(first(raw, 'finish_time', 'finishTime', 'finished_at', 'finishedAt')),
		// A track may exist before the task is finished, but only the status says whether it is complete.
		tracks: state === 'success' ? trackRecords(raw.data).map(readTrack) : [],
		raw,
	};
}

function readTrack(raw: LooseRecord): Track {
	const tags = first(raw, 'tags', 'style');
	return {
		id: text(raw, 'id', 'track_id', 'trackId'),
		title: text(raw, 'title'),
		audioUrl: text(raw, 'audioUrl', 'audio_url'),
		streamAudioUrl: text(raw, 'streamAudioUrl', 'stream_audio_url'),
		imageUrl: text(raw, 'imageUrl', 'image_url'),
		tags: Array.isArray(tags) ? tags.filter(isIdentifier).join(', ') : text(raw, 'tags', 'style'),
		prompt: text(raw, 'prompt'),
		model: text(raw, 'modelName', 'model_name', 'model'),
		createdAt: time(first(raw, 'createTime', 'create_time', 'createdAt', 'created_at')),
		durationSeconds: number(first(raw, 'duration')),
		raw,
	};
}

function stateOf(status: string): TaskState {
	const name = status.trim().toUpperCase();
	if (name === 'SUCCESS') return 'success';
	return name === 'FAILED' || name === 'FAILURE' ? 'failed' : 'pending';
}

/** The tracks in `data` of a task: an array, or an object that contains one. */
function trackRecords(data: unknown): LooseRecord[] {
	const wrapped = record.safeParse(data).data;
	const list = wrapped ? Object.values(wrapped).find(Array.isArray) : data;
	if (!Array.isArray(list)) return [];
	return list.map((entry) => record.safeParse(entry).data).filter((entry) => entry !== undefined);
}

function first(source: LooseRecord, ...names: string[]): unknown {
	return names.map((name) => source[name]).find((value) => ![undefined, null, ''].includes(value as null));
}

function text(source: LooseRecord, ...names: string[]): string {
	const value = names.map((name) => source[name]).find(isIdentifier);
	return value === undefined ? '' : String(value);
}

function isIdentifier(value: unknown): value is string | number {
	return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

function number(value: unknown): number | undefined {
	const result = typeof value === 'string' ? Number(value) : value;
	return typeof result === 'number' && Number.isFinite(result) ? result : undefined;
}

function percentage(value: unknown): string {
	if (typeof value === 'number') return `${value}%`;
	return typeof value === 'string' ? value : '';
}

/** Gateways send times in seconds, in milliseconds, or as a date; 0 means "not yet". */
function time(value: unknown): string {
	const count = number(value);
	if (count === 0) return '';
	const ms =
		count === undefined
			? Date.parse(typeof value === 'string' ? value : '')
			: count < 1e11
				? count * 1000
				: count;
	return isoTime(ms) ?? '';
}

function missing(context: z.RefinementCtx, path: string[]): never {
	context.addIssue({ code: z.ZodIssueCode.custom, path, message: 'Required' });
	return z.NEVER;
}
