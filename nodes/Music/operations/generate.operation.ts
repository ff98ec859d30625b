import { cancelledFailure } from '../../shared/failure/words';
import { toFailure } from '../../shared/failure/failure';
import type { Call } from '../../shared/run/call';
import { type BatchOperation, toItem } from '../../shared/run/operation';
import { runPool } from '../../shared/run/pool';
import { finishTasks, type TaskItem } from '../tasks/waitForTasks';
import { readSubmittedTask } from '../tasks/musicTask';
import { SONG_FIELDS } from '../fields';
import { generateFields, readSong } from './generate.fields';

/** A gateway may need a moment until it finds a task that was just submitted. */
const TOLERATED_REFUSALS = 2;

interface Submission extends TaskItem {
	/** True if an earlier try of the run submitted it. */
	isReused?: boolean;
}

/**
 * Submits the songs of all items and waits for them together (interface, 4.8 and 4.9). After a failure no further song
 * is submitted, and the node waits for those that were, because they are paid for.
 */
export const generate: BatchOperation = {
	value: 'generate',
	name: 'Generate Music',
	action: 'Generate music',
	description: 'Generate songs from a description or from lyrics. Most gateways return two tracks for each.',
	fields: generateFields,
	answerFields: SONG_FIELDS,
	async runAll(calls) {
		const [{ pool }] = calls;
		const { stopsAt } = pool;
		const submissions = await runPool(calls, submit, {
			...pool,
			stopsAt: stopsAt && (({ results }) => stopsAt(results)),
		});
		const items = calls.map((call, index) => submissions[index] ?? notSubmitted(call));
		return await finishTasks(items, {
			pollsImmediately: submissions.some((submission) => submission?.isReused),
			toleratedRefusals: TOLERATED_REFUSALS,
		});
	},
};

async function submit(call: Call): Promise<Submission> {
	try {
		// All parameters are read before anything is paid for.
		const { endpoint, body, simplify, wait } = readSong(call);
		const request = { ...call.requestOptions, endpoint, json: body };
		const { value, isReused, noteUnusable } = await call.pay(request, readSubmittedTask);
		const { taskId, status, answer, cost } = value;
		const isRaw = !simplify && answer !== undefined;
		const json = isRaw ? { ...toItem(answer), taskId } : { taskId, status, cost };
		return { call, results: [{ json }], taskId, wait, isReused, noteUnusable, cost };
	} catch (error) {
		return { call, results: [{ failure: toFailure(error) }] };
	}
}

/** Returns an item that did not start. It has failed if the execution was stopped. */
function notSubmitted(call: Call): Submission {
	return { call, results: call.signal?.aborted ? [{ failure: cancelledFailure({ attempts: 0 }) }] : [] };
}
