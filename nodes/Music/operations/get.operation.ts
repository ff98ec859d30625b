import { optionsField } from '../../shared/fields/options';
import { cancelledFailure } from '../../shared/errors/errorMessages';
import { endpoints } from '../../shared/gateway/endpoints';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { outputFields, queryOptions, taskIdField } from '../tasks/fields';
import { Semaphore } from '../../shared/runtime/pool';
import { queryTask } from '../tasks/queryTask';
import { progressOf, resultsOf } from '../tasks/results';
import { readOutputSettings, readTaskQuery } from '../tasks/settings';
import { TrackFiles } from '../tasks/trackFiles';
import type { Call } from '../../shared/runtime/call';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';
import { runPool } from '../../shared/runtime/pool';

/** Asks once how far tasks are (interface, 4.9). */
export const get: BatchOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get music task',
	description: 'See how far a task is, and fetch its songs when it is finished',
	fields: [
		taskIdField,
		...outputFields,
		optionsField({ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false }, queryOptions),
	],
	async runAll(calls) {
		const [{ context, maxConcurrency, signal }] = calls;
		const places = new Semaphore(maxConcurrency);
		const files = new TrackFiles(places);
		const results: LinkedResult[][] = [];
		let stopped = false;
		await runPool(
			calls.length,
			maxConcurrency,
			async (index) => {
				results[index] = await getOne(calls[index], places, files);
				stopped ||= !context.continueOnFail() && results[index].some((one) => 'failure' in one);
			},
			() => !stopped && !signal?.aborted,
		);
		return calls.flatMap(({ itemIndex }, index) => results[index] ?? notAsked(itemIndex, signal));
	},
};

async function getOne(call: Call, places: Semaphore, files: TrackFiles): Promise<LinkedResult[]> {
	try {
		const taskId = call.requiredText('taskId', 'Task ID').trim();
		const settings = readOutputSettings(call);
		const query = readTaskQuery(call);
		const task = await places.use(async () => await queryTask(call.client, taskId, query));
		if (task.state === 'pending') {
			return [{ from: call.itemIndex, result: { json: progressOf(taskId, task) } }];
		}
		return await resultsOf(call, taskId, { kind: 'over', task }, settings, files);
	} catch (error) {
		return [{ from: call.itemIndex, failure: toFailure(error) }];
	}
}

function notAsked(from: number, signal: AbortSignal | undefined): LinkedResult[] {
	return signal?.aborted ? [{ from, failure: cancelledFailure({ attempts: 0 }) }] : [];
}
