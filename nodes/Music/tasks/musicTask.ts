import { deniesSuccess, saysError } from '../../shared/failure/errorBody';
import { answerFailure, DENIED } from '../../shared/failure/words';
import {
	parseAnswer,
	readText,
	unusable,
	sentenceIn,
	throwIfError,
	type Answer,
} from '../../shared/answer/answerReaders';
import type { FailureFacts } from '../../shared/failure/evidence';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import { withGatewayWords } from '../../shared/failure/statusWords';
import type { GatewayClient } from '../../shared/send/client';
import type { GatewayRequest, RequestOptions } from '../../shared/send/layer';
import { type Endpoint, READ } from '../../shared/send/endpoints';
import { pathSegment, TASK_ID } from '../../shared/send/wiring';
import { type Fields, asRecord, firstTextIn, isIdentifier, textOr, timeOf } from '../../shared/plain/values';
import { hasAudio, type Track, tracksIn } from './tracks';
import { readJsonText } from '../../shared/plain/json';
import { requestIdOf } from '../../shared/plain/headers';

/** A music task (interface, 2.9). The times are in ISO 8601; undefined if they are unknown or still to come. */
export type MusicTask = ReturnType<typeof readTask>;

/** The outcome of waiting for a task. */
export type TaskOutcome =
	| { kind: 'finished'; task: MusicTask }
	/** The task continues at the gateway. */
	| { kind: 'unfinished'; because: 'timedOut' | 'cancelled'; lastSeen: MusicTask | undefined }
	| { kind: 'unknown'; failure: GatewayFailure };

interface SubmittedTask {
	taskId: string;
	status: string;
	answer?: unknown;
	cost?: number;
}

/** The names of the ID of a task: the documented one, and that of Suno API. */
const IDS = ['task_id', 'taskId'];

/**
 * Reads the response to a submit (interface, 4.8): `data` is an object with the ID, a list of one (APIMart), or the ID
 * itself (New API).
 */
export function readSubmitted(body: unknown): SubmittedTask | undefined {
	const sent = asRecord(body)?.data;
	const data: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
	if (isIdentifier(data)) return { taskId: String(data), status: 'PENDING' };
	const task = asRecord(data);
	// Asynchronous tasks of MiniMax have their ID outside of `data`, which they lack.
	const taskId = firstTextIn(task, IDS) ?? firstTextIn(asRecord(body), IDS);
	return taskId === undefined ? undefined : { taskId, status: firstTextIn(task, ['status']) ?? 'PENDING' };
}

/** The names of the reason why a task failed: the documented one, that of Suno API, and the object of APIMart. */
const REASONS = ['fail_reason', 'errorMessage', 'error'];

/** Reads the response to a query (interface, 4.9). */
export function readMusicTask(body: unknown): MusicTask {
	const raw = asRecord(asRecord(body)?.data);
	const status = firstTextIn(raw, ['status']);
	const task = raw && status ? readTask(raw, status, body) : undefined;
	// The failure of a task says more than the field that denies success.
	if (deniesSuccess(body) && task?.state !== 'failed') throw unusable(answerFailure(DENIED), body);
	if (task) return task;
	throw unusable(answerFailure('the field "data.status" is missing'), body);
}

function readTask(raw: Fields, status: string, answer: unknown) {
	const finishedAt = timeOf(raw.finish_time ?? raw.finishTime);
	const reasons: Fields = { ...raw, error: asRecord(raw.error)?.message ?? raw.error };
	const names = REASONS.filter((name) => saysError(reasons[name]));
	const failReason = firstTextIn(reasons, names) ?? '';
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

/** The documented states of a task that is not finished, which may have a time when it is expected to be. */
const RUNNING = /^(pending|processing)$/i;
/** `succeed` is the word of Kling, `done` that of xAI. */
const SUCCESS = /^(success|succeed|succeeded|completed?|done|finished)$/i;
/**
 * A word anywhere in the status, such as GENERATE_AUDIO_FAILED and SENSITIVE_WORD_ERROR (Suno API), Fail (MiniMax),
 * TIMED_OUT (RunPod), timeouted (Mureka), aborted (Replicate), Request Moderated (BFL), expired (xAI), or failedQuota.
 */
const FAILED =
	/(?<![a-z])(fail|failed|failure|failures|error|errors|errored|exception|cancel|cancell?ed|time[_ -]?(out|outed|d[_ -]?out)|expired|rejected|refused|denied|aborted|terminated|killed|crashed|moderated|blocked|unsuccessful)(?![a-z])|失败|错误|异常|取消|超时|过期|拒绝/i;
/** Matches the places between the words of a status in camel case. */
const HUMP = /(?<=[a-z])(?=[A-Z])/g;

/** Returns the state of a task (interface, 2.9; New API, Suno API). An unknown word means pending until the end. */
function stateOf(
	status: string,
	{ isOver, failReason, tracks }: { isOver: boolean; failReason: string; tracks: Track[] },
): 'pending' | 'success' | 'failed' {
	const word = status.trim().replace(HUMP, ' ');
	if (SUCCESS.test(word)) return 'success';
	if (FAILED.test(word)) return 'failed';
	if (!isOver || RUNNING.test(word)) return 'pending';
	return failReason === '' && tracks.some(hasAudio) ? 'success' : 'failed';
}

function percentage(value: unknown): string | undefined {
	if (typeof value === 'number') return `${value}%`;
	return typeof value === 'string' && value !== '' ? value : undefined;
}

const MAX_KEPT_LENGTH = 2000;

/** Reads the response to a submit (interface, 4.8), even one that was cut off after the ID. */
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
	const { status, headers, cost } = answer;
	const facts = { status, requestId: requestIdOf(headers) };
	if (deniesSuccess(body)) {
		throwIfError(body, answer);
		throw unusable(answerFailure(DENIED, { ...facts, taskId: submitted?.taskId }), body);
	}
	if (submitted) return { ...submitted, answer: body, cost };
	const taskId = body === undefined ? taskIdIn(text) : undefined;
	if (taskId !== undefined) return { taskId, status: 'PENDING', cost };
	if (broken) throw broken.error;
	await parseAnswer(text, answer);
	const partial = { answer: text.slice(0, MAX_KEPT_LENGTH) };
	throw answerFailure('it has no task ID', { ...facts, ...sentenceIn(body), partial });
}

function taskIdIn(text: string): string | undefined {
	return /"(?:task_id|taskId)"\s{0,9}:\s{0,9}"([\w.:-]{1,200})"/.exec(text)?.[1];
}

/** Advice about a task that is not found, at either of the two paths. */
const OTHER_QUERY_PATH =
	'If no task is ever found, your gateway may have another Music Query Path (Advanced Settings of the credential).';

/** The endpoint for the state of a task (interface, 4.9), without its path. */
export const MUSIC_TASK = { ...READ, otherPath: OTHER_QUERY_PATH, lane: '/v1/music/tasks' } as const;

/** Returns where to query a task. @param pattern a path, with or without a query, that contains {@link TASK_ID} */
export function taskEndpoint(
	pattern: string,
	taskId: string,
): { endpoint: Endpoint; query?: Array<[string, string]> } {
	const [path, query] = pattern.split('?');
	const endpoint = { ...MUSIC_TASK, path: path.replace(TASK_ID, () => pathSegment('Task ID', taskId)) };
	if (query === undefined) return { endpoint };
	const pairs = [...new URLSearchParams(query)];
	return {
		endpoint,
		query: pairs.map(([name, value]) => [name, value.replace(TASK_ID, () => taskId)]),
	};
}

/** Queries the state of a task (interface, 4.9). @throws GatewayFailure with the task ID */
export async function queryTask(
	client: GatewayClient,
	taskId: string,
	options: RequestOptions & Pick<GatewayRequest, 'signal'>,
): Promise<MusicTask> {
	try {
		const { musicQueryPath } = client.wiring;
		return await client.json({ ...options, ...taskEndpoint(musicQueryPath, taskId) }, readMusicTask);
	} catch (error) {
		const failure = toFailure(error);
		const { kind, facts } = failure;
		const isUnknown = kind === 'notFound' || facts.code === 'task_not_exist';
		throw isUnknown ? unknownTaskFailure({ ...facts, taskId }) : failure.with({ taskId });
	}
}

function unknownTaskFailure(facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'notFound',
		withGatewayWords(`The gateway has no task "${facts.taskId}"`, facts),
		`Check Task ID. Tasks belong to the account that submitted them, and gateways delete them after a while. ${OTHER_QUERY_PATH}`,
		facts,
	);
}
