import { toFailure } from '../../shared/errors/gatewayFailure';
import type { Call } from '../../shared/run/call';
import type { BatchOperation, LinkedResult } from '../../shared/run/operation';
import { runPool } from '../../shared/run/pool';
import { toItem } from '../../shared/run/rawAnswer';
import { type AwaitedItem, awaitTasks, logUnfinishedTasks } from '../tasks/awaitTasks';
import { notStarted } from '../tasks/results';
import { submitSong } from '../tasks/submitSong';
import { generateFields, readSong } from './generate.fields';

/** A gateway may need a moment until it finds a task that was just submitted. */
const TOLERATED_REFUSALS = 2;

/** The result of an item if the node does not wait for its task, and the task if it does. */
interface Submission {
	linked: LinkedResult;
	taskId?: string;
	/** Whether an earlier try of the run submitted it. */
	isReused?: boolean;
	awaited?: AwaitedItem;
}

/**
 * Submits the songs of all items and waits for them together (interface, 4.8 and 4.9). After a failure no further song
 * is submitted unless the node continues; the node waits for the songs that were, because they are paid for.
 */
export const generate: BatchOperation = {
	value: 'generate',
	name: 'Generate',
	action: 'Generate music',
	description: 'Generate songs from a description or from lyrics',
	fields: generateFields,
	async runAll(calls) {
		const [first] = calls;
		const { stopsAt, ...pool } = first.pool;
		const submissions = await runPool(calls, submit, {
			...pool,
			stopsAt: stopsAt && (({ linked }) => stopsAt(linked)),
		});
		const awaited = submissions.flatMap((submission) => submission?.awaited ?? []);
		const results = await awaitTasks(awaited, {
			pollsImmediately: submissions.some((submission) => submission?.isReused),
			toleratedRefusals: TOLERATED_REFUSALS,
		});
		await logUnfinishedTasks(
			first,
			submissions.flatMap((submission) => submission?.taskId ?? []),
		);
		return calls.flatMap((call, index) => {
			const submission = submissions[index];
			if (!submission) return notStarted(call);
			return submission.awaited ? (results.get(submission.awaited) ?? []) : submission.linked;
		});
	},
};

async function submit(call: Call): Promise<Submission> {
	const from = call.itemIndex;
	try {
		// All parameters are read before anything is paid for.
		const song = readSong(call);
		const { value, isReused, forget } = await submitSong(call, song);
		const { taskId, status, answer } = value;
		const isRaw = !song.simplify && answer !== undefined;
		return {
			linked: { from, result: { json: isRaw ? { ...toItem(answer), taskId } : { taskId, status } } },
			taskId,
			isReused,
			awaited: song.wait && { call, taskId, settings: song.wait, onFailed: forget },
		};
	} catch (error) {
		return { linked: { from, failure: toFailure(error) } };
	}
}
