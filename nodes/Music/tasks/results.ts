import type { IDataObject } from 'n8n-workflow';
import { shortMessage } from '../../shared/errors/errorBody';
import { answerFailure, cancelledFailure } from '../../shared/errors/errorMessages';
import { type FailureFacts, GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/run/call';
import type { LinkedResult, OperationResult } from '../../shared/run/operation';
import { allSettledOrThrow } from '../../shared/run/pool';
import { toItem } from '../../shared/run/rawAnswer';
import { withoutGaps } from '../../shared/plain/values';
import type { OutputSettings } from '../fields';
import type { MusicTask } from './musicTask';
import { rawTaskItem, rawTrackItems } from './rawTask';
import type { TrackFiles } from './trackFiles';
import type { Track } from './tracks';
import type { TaskOutcome } from './waitForTasks';

/**
 * The results of an item whose task is settled: the tracks of a finished task with their files, a failure for a failed
 * task, and the ID of a task that continues at the gateway.
 */
export async function resultsOf(
	call: Call,
	taskId: string,
	outcome: TaskOutcome,
	settings: OutputSettings,
	files: TrackFiles,
): Promise<LinkedResult[]> {
	const from = call.itemIndex;
	if (outcome.kind === 'unknown') return [{ from, failure: outcome.failure.with({ taskId }) }];
	if (outcome.kind === 'unfinished') {
		const { lastSeen, because } = outcome;
		return [{ from, result: { json: { ...stateOf(taskId, lastSeen, settings), [because]: true } } }];
	}
	const { task } = outcome;
	if (task.state === 'failed') {
		const isShown = task.hasPartialResult || !settings.simplify;
		const partial = isShown ? { partial: partialOf(task, settings) } : {};
		return [{ from, failure: taskFailure(task.failReason, { taskId, ...partial }) }];
	}
	if (task.tracks.length === 0) {
		const facts = { taskId, partial: partialOf(task, settings) };
		return [{ from, failure: answerFailure('the finished task has no tracks', facts) }];
	}
	if (task.unreadableTracks > 0) {
		call.hint(`The gateway's response has tracks that could not be read (${task.unreadableTracks})`);
	}
	if (settings.perTask) {
		const json = taskJson(taskId, task, settings);
		return [await linked(call, taskId, json, allFiles(call, task, settings, files))];
	}
	const items = settings.simplify ? trackItems(taskId, task) : rawTrackItems(taskId, task);
	return await Promise.all(
		task.tracks.map(
			async (track, index) =>
				await linked(call, taskId, items[index], files.of(call, track, index + 1, settings)),
		),
	);
}

/** What is kept of a task without usable tracks: the whole response when Simplify is off. */
function partialOf({ raw, answer }: MusicTask, { simplify }: OutputSettings): IDataObject {
	return simplify ? { task: raw } : toItem(answer);
}

/** The results of an item that did not start: a failure if the execution was stopped. */
export function notStarted({ itemIndex, signal }: Call): LinkedResult[] {
	return signal?.aborted ? [{ from: itemIndex, failure: cancelledFailure({ attempts: 0 }) }] : [];
}

/** The known state of a task that is not finished. */
export function stateOf(
	taskId: string,
	task: MusicTask | undefined,
	{ simplify }: Pick<OutputSettings, 'simplify'>,
): IDataObject {
	const isRaw = !simplify && task?.answer !== undefined;
	return isRaw ? rawTaskItem(taskId, task) : progressOf(taskId, task);
}

function timesOf(task: MusicTask | undefined): IDataObject {
	return { submittedAt: task?.submittedAt, finishedAt: task?.finishedAt };
}

function progressOf(taskId: string, task: MusicTask | undefined): IDataObject {
	const { status = 'PENDING', progress } = task ?? {};
	return { taskId, status, progress, ...timesOf(task) };
}

/** A result, or a failure that contains it: it is paid for even if a file could not be downloaded. */
async function linked(
	call: Call,
	taskId: string,
	json: IDataObject,
	files: Promise<OperationResult['files']>,
): Promise<LinkedResult> {
	const from = call.itemIndex;
	try {
		return { from, result: { json, files: await files } };
	} catch (error) {
		const failure = toFailure(error);
		return { from, failure: failure.with({ taskId, partial: { ...json, ...failure.facts.partial } }) };
	}
}

async function allFiles(
	call: Call,
	task: MusicTask,
	settings: OutputSettings,
	files: TrackFiles,
): Promise<OperationResult['files']> {
	const each = await allSettledOrThrow(
		task.tracks.map(
			async (track, index) => await files.of(call, track, index + 1, settings, String(index + 1)),
		),
	);
	return Object.assign({}, ...each) as OperationResult['files'];
}

function taskJson(taskId: string, task: MusicTask, { simplify }: OutputSettings): IDataObject {
	if (!simplify) return rawTaskItem(taskId, task);
	return {
		...progressOf(taskId, task),
		tracks: task.tracks.map((track) => simplified(track)),
	};
}

function trackItems(taskId: string, task: MusicTask): IDataObject[] {
	const { status, tracks } = task;
	return tracks.map((track, index) =>
		simplified(track, { track: index + 1, taskId, status, ...timesOf(task) }),
	);
}

/** Long values come last, so that the rest of a table can be read. */
function simplified(track: Track, facts: IDataObject = {}): IDataObject {
	const { id: trackId, title, streamAudioUrl, imageUrl, durationSeconds, tags, model, createdAt } = track;
	const audioUrl = track.audioUrl ?? streamAudioUrl;
	return withoutGaps({
		title,
		durationSeconds,
		tags,
		model,
		...facts,
		createdAt,
		trackId,
		audioUrl,
		streamAudioUrl,
		imageUrl,
	});
}

/**
 * A failure for a task that the gateway accepted but could not finish (interface, 2.9).
 *
 * @param reason `fail_reason` of the task; may be empty
 */
export function taskFailure(reason: string, facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'task',
		`The gateway could not finish the task${reason ? `: ${shortMessage(reason)}` : ''}`,
		'Fix the stated reason (often a word in the prompt or the lyrics), then run the item again. A new task is charged again. The task ID is kept in case you need to contact the operator of the gateway.',
		facts,
	);
}
