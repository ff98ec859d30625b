import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asRecord } from '../../shared/values';
import { GatewayFailure, type FailureFacts, type FailureKind } from '../../shared/errors/gatewayFailure';
import type { TaskOutcome } from '../tasks/waitForTasks';
import { musicTaskSchema, type MusicTask } from '../tasks/musicTask';

/** An item on its way round the loop. Times are milliseconds since the epoch. */
export interface WaitingItem {
	taskId: string;
	/** When the wait began. */
	since: number;
	/** When it is given up. */
	until: number;
	/** When the gateway is asked again. */
	nextCheck: number;
	/** The last that was seen of a task that goes on. */
	lastSeen?: MusicTask;
	/** Why the last check of a task that was never seen was in vain. */
	lastFailure?: GatewayFailure;
	/** Set when nothing more is to be asked. */
	outcome?: TaskOutcome;
}

/** Name of the field that holds the state of an item on its way round the loop. */
const STATE_FIELD = 'musicWait';

/** Reads an item that has been round the loop; undefined for one that comes from elsewhere. */
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
		lastSeen: taskFrom(json),
	};
}

/**
 * The item as it goes round the loop: only the id, what is to be seen in the editor, and the state.
 *
 * @param keepPrompts whether the words of finished songs are kept; they are the bulk of an item
 */
export function toItem(waiting: WaitingItem, index: number, keepPrompts: boolean): INodeExecutionData {
	const { taskId, since, until, nextCheck, lastSeen, outcome } = waiting;
	const { status, progress } = outcome?.kind === 'over' ? outcome.task : (lastSeen ?? {});
	return {
		json: {
			taskId,
			...(status === undefined ? {} : { status, progress }),
			[STATE_FIELD]: { since, until, nextCheck, ...outcomeToJson(outcome, keepPrompts) },
		},
		pairedItem: { item: index },
	};
}

function outcomeToJson(outcome: TaskOutcome | undefined, keepPrompts: boolean): IDataObject {
	if (outcome?.kind === 'over') {
		const { raw } = outcome.task;
		return { task: keepPrompts ? raw : withoutPrompts(raw) };
	}
	if (outcome?.kind !== 'unknown') return {};
	const { kind, message, description, facts } = outcome.failure;
	return { failure: { kind, message, description, facts: { ...facts } } };
}

function withoutPrompts(task: Record<string, unknown>): Record<string, unknown> {
	if (!Array.isArray(task.data)) return task;
	const tracks = task.data.map((track: unknown) => {
		const entries = Object.entries(asRecord(track) ?? {});
		return Object.fromEntries(entries.filter(([name]) => name !== 'prompt'));
	});
	return { ...task, data: tracks };
}

function outcomeFrom({ task, failure }: Record<string, unknown>): TaskOutcome | undefined {
	const read = musicTaskSchema.safeParse({ data: task });
	if (read.success) return { kind: 'over', task: read.data };
	const record = asRecord(failure);
	if (!record) return undefined;
	const { kind, message, description, facts } = record as {
		kind: FailureKind;
		message: string;
		description: string;
		facts: FailureFacts;
	};
	return { kind: 'unknown', failure: new GatewayFailure(kind, message, description, facts) };
}

/** What the item shows of a task that goes on. */
function taskFrom({ taskId, status, progress }: IDataObject): MusicTask | undefined {
	return musicTaskSchema.safeParse({ data: { task_id: taskId, status, progress } }).data;
}
