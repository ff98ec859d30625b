import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { GatewayFailure, type PlainFailure } from '../../shared/errors/gatewayFailure';
import { asRecord } from '../../shared/values';
import { type MusicTask, musicTaskIn } from '../tasks/musicTask';
import type { TaskOutcome } from '../tasks/waitForTasks';

/** An item in the loop. Times are milliseconds since the epoch. */
export interface WaitingItem {
	taskId: string;
	/** When the wait began. */
	since: number;
	/** When it ends. */
	until: number;
	/** When the task is checked again. */
	nextCheck: number;
	/** The last known state of a pending task. */
	lastSeen?: MusicTask;
	/** Why the last check failed, if it did. */
	lastFailure?: GatewayFailure;
	/** Set when no further check is needed. */
	outcome?: TaskOutcome;
}

/** Name of the field for the state of an item in the loop. */
const STATE_FIELD = 'musicWait';

/** Reads an item that comes from the loop; undefined for any other item. */
export function fromItem({ json }: INodeExecutionData): WaitingItem | undefined {
	const state = asRecord(json[STATE_FIELD]);
	if (!state || typeof json.taskId !== 'string') return undefined;
	const { since, until, nextCheck } = state;
	if (typeof since !== 'number' || typeof until !== 'number' || typeof nextCheck !== 'number')
		return undefined;
	return {
		taskId: json.taskId,
		since,
		until,
		nextCheck,
		outcome: outcomeFrom(state),
		lastSeen: taskFrom(json, state.lastAnswer),
	};
}

/**
 * The item for the loop: only the task ID, the progress for the editor, and the state.
 *
 * @param isRaw whether to keep whole responses, for the output. Otherwise, the prompts of finished songs are left out,
 *   which make up most of an item's size.
 */
export function toItem(waiting: WaitingItem, index: number, isRaw: boolean): INodeExecutionData {
	const { taskId, since, until, nextCheck, lastSeen, outcome } = waiting;
	const { status, progress } = outcome?.kind === 'finished' ? outcome.task : (lastSeen ?? {});
	return {
		json: {
			taskId,
			...(status === undefined ? {} : { status, progress }),
			[STATE_FIELD]: {
				...{ since, until, nextCheck },
				...outcomeToJson(outcome, isRaw),
				...(isRaw && !outcome && lastSeen?.answer !== undefined ? { lastAnswer: lastSeen.answer } : {}),
			},
		},
		pairedItem: { item: index },
	};
}

function outcomeToJson(outcome: TaskOutcome | undefined, isRaw: boolean): IDataObject {
	if (outcome?.kind === 'finished') {
		const { raw, answer } = outcome.task;
		return (isRaw ? { answer } : { task: withoutPrompts(raw) }) as IDataObject;
	}
	if (outcome?.kind !== 'unknown') return {};
	return { failure: outcome.failure.toPlain() };
}

function withoutPrompts(task: Record<string, unknown>): Record<string, unknown> {
	if (!Array.isArray(task.data)) return task;
	const tracks = task.data.map((track: unknown) => {
		const entries = Object.entries(asRecord(track) ?? {});
		return Object.fromEntries(entries.filter(([name]) => name !== 'prompt'));
	});
	return { ...task, data: tracks };
}

function outcomeFrom({ task, answer, failure }: Record<string, unknown>): TaskOutcome | undefined {
	const read = musicTaskIn(answer ?? { data: task });
	if (read) return { kind: 'finished', task: read };
	const record = asRecord(failure);
	if (!record) return undefined;
	return { kind: 'unknown', failure: GatewayFailure.fromPlain(record as unknown as PlainFailure) };
}

/** The last known state of a pending task, from the item. */
function taskFrom({ taskId, status, progress }: IDataObject, answer: unknown): MusicTask | undefined {
	const task = musicTaskIn(answer ?? { data: { task_id: taskId, status, progress } });
	return task && { ...task, answer };
}
