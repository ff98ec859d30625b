import type { Call } from '../../shared/run/call';
import { logWarning } from '../../shared/run/exits';
import type { LinkedResult } from '../../shared/run/operation';
import type { Paid } from '../../shared/run/payments';
import { groupBy } from '../../shared/plain/values';
import type { WaitSettings } from '../fields';
import { queryTask } from './queryTask';
import { ofSubmitted, resultsOf, type TaskResult } from './results';
import { waitForTasks, type TaskWait } from './waitForTasks';

export interface TaskItem {
	call: Call;
	results: TaskResult[];
	/** The task that the gateway has; undefined if the item has failed. */
	taskId?: string;
	/** Says how to wait for the task; undefined for not at all. */
	wait?: WaitSettings;
	/** Makes only a retry that a person starts submit the song again; undefined if this node has not submitted it. */
	noteUnusable?: Paid<unknown>['noteUnusable'];
}

/**
 * Waits for the tasks of many items together, and downloads their tracks as soon as one is finished. The wait settings
 * of the first item apply to all. At a stop, n8n's log has the IDs of tasks that may continue.
 */
export async function finishTasks(
	items: TaskItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<LinkedResult[]> {
	const waiting = items.filter(isWaiting);
	if (waiting.length > 0) await finish(waiting, polling);
	const taskIds = [...new Set(items.flatMap(({ taskId }) => taskId ?? []))];
	const call = items[0]?.call;
	if (call?.signal?.aborted && taskIds.length > 0) {
		logWarning(
			call,
			`The execution was stopped. Music tasks that were submitted continue at the gateway: ${taskIds.join(', ')}`,
		);
	}
	return items.flatMap(linkedResults);
}

function linkedResults({ call: { itemIndex: from }, results }: TaskItem): LinkedResult[] {
	return results.map((result) => ({ from, ...result }));
}

type WaitingItem = TaskItem & Required<Pick<TaskItem, 'taskId' | 'wait'>>;

function isWaiting(item: TaskItem): item is WaitingItem {
	return item.taskId !== undefined && item.wait !== undefined;
}

async function finish(
	waiting: WaitingItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<void> {
	const [{ call, wait }] = waiting;
	const { client, signal } = call;
	const groups = new Map(groupBy(waiting, ({ taskId }) => taskId).map((group) => [group[0].taskId, group]));
	await waitForTasks([...groups.keys()], {
		...polling,
		...wait.times,
		clock: client.clock,
		signal,
		query: async (taskId, ended) => {
			const options = groups.get(taskId)?.[0].wait.request;
			// A failed poll is repeated after the next interval.
			const once = { ...options, maxRetries: 0, maxRateLimitRetries: 0, signal: ended };
			return await queryTask(client, taskId, once);
		},
		onOutcome: async (taskId, outcome) => {
			await Promise.all(
				(groups.get(taskId) ?? []).map(async (item) => {
					const seen = item.noteUnusable ? ofSubmitted(outcome) : outcome;
					item.results = await resultsOf(item.call, taskId, seen, item.wait.output);
					const [first] = item.results;
					const isTaskFailure = 'failure' in first && first.failure.kind === 'task';
					if (isTaskFailure) await item.noteUnusable?.(first.failure);
					item.call.progress.ended(item.call.itemIndex, linkedResults(item));
				}),
			);
		},
	});
}
