import type { Call } from '../../shared/run/call';
import { logWarning } from '../../shared/run/exits';
import type { LinkedResult } from '../../shared/run/operation';
import { groupBy } from '../../shared/plain/values';
import { NO_RETRIES } from '../../shared/send/retry';
import type { WaitSettings } from '../fields';
import { queryTask } from './queryTask';
import { resultsOf, type TaskResult } from './results';
import { waitForTasks, type TaskWait } from './waitForTasks';

/** An item, and the task that it is about. */
export interface TaskItem {
	call: Call;
	/** What the node returns for it. */
	results: TaskResult[];
	/** The task that the gateway has; undefined if the item has failed. */
	taskId?: string;
	/** How to wait for the task; undefined for not at all. */
	wait?: WaitSettings;
	/** Called when the gateway could not finish the task, so that a retry submits it again. */
	onFailed?: () => void;
}

/**
 * Waits for the tasks of many items together, and returns the results of all items. A task that several items name is
 * polled only once. The tracks of an item are downloaded as soon as its task is finished. The IDs of tasks that may
 * continue at the gateway after the execution was stopped are in n8n's log.
 *
 * @param items the wait settings of the first that waits apply to all
 * @param polling see {@link TaskWait}
 */
export async function finishTasks(
	items: TaskItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<LinkedResult[]> {
	const waiting = items.filter(({ wait }) => wait);
	if (waiting.length > 0) await finish(waiting, polling);
	const taskIds = [...new Set(items.flatMap(({ taskId }) => taskId ?? []))];
	const call = items[0]?.call;
	if (call?.signal?.aborted && taskIds.length > 0) {
		await logWarning(
			call,
			`The execution was stopped. Music tasks that were submitted continue at the gateway: ${taskIds.join(', ')}`,
			{ taskIds },
		);
	}
	return items.flatMap(linkedResults);
}

function linkedResults({ call: { itemIndex: from }, results }: TaskItem): LinkedResult[] {
	return results.map((result) => ({ from, ...('failure' in result ? result : { result }) }));
}

async function finish(
	items: TaskItem[],
	polling: Pick<TaskWait, 'pollsImmediately' | 'toleratedRefusals'>,
): Promise<void> {
	const [{ call, wait }] = items;
	const itemsOfTask = new Map(
		groupBy(items, ({ taskId }) => taskId!).map((group) => [group[0].taskId!, group]),
	);
	await waitForTasks([...itemsOfTask.keys()], {
		...polling,
		...wait!.times,
		clock: call.client.clock,
		signal: call.signal,
		query: async (taskId, signal) => {
			const [first] = itemsOfTask.get(taskId)!;
			// The next tick repeats a failed poll.
			const query = { ...first.wait!.query, ...NO_RETRIES, signal };
			return await queryTask(call.client, taskId, query);
		},
		onOutcome: async (taskId, outcome) => {
			const ofTask = itemsOfTask.get(taskId)!;
			await Promise.all(
				ofTask.map(async (item) => {
					if (outcome.kind === 'finished' && outcome.task.state === 'failed') item.onFailed?.();
					item.results = await resultsOf(item.call, taskId, outcome, item.wait!.output);
					item.call.progress.ended(item.call.itemIndex, linkedResults(item));
				}),
			);
		},
	});
}
