import { toFailure } from '../../shared/errors/gatewayFailure';
import { optionsField } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { BatchOperation, LinkedResult } from '../../shared/run/operation';
import { runPool } from '../../shared/run/pool';
import {
	outputFields,
	queryOptions,
	readOutputSettings,
	readTaskId,
	readTaskQuery,
	taskIdFields,
} from '../fields';
import { queryTask } from '../tasks/queryTask';
import { notStarted, resultsOf, stateOf } from '../tasks/results';
import { TrackFiles } from '../tasks/trackFiles';

/** Queries tasks once (interface, 4.9). */
export const get: BatchOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get music task',
	description: 'Get the progress of a task, or its songs if it is finished',
	fields: [
		...taskIdFields,
		...outputFields,
		optionsField(
			{ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false, streams: true },
			queryOptions,
		),
	],
	async runAll(calls) {
		const [{ pool }] = calls;
		const files = new TrackFiles();
		const results = await runPool(calls, async (call) => await getOne(call, files), pool);
		return calls.flatMap((call, index) => results[index] ?? notStarted(call));
	},
};

async function getOne(call: Call, files: TrackFiles): Promise<LinkedResult[]> {
	const results = await tryOne(call, files);
	call.progress.ended(call.itemIndex, results);
	return results;
}

async function tryOne(call: Call, files: TrackFiles): Promise<LinkedResult[]> {
	const from = call.itemIndex;
	try {
		const taskId = readTaskId(call);
		const settings = readOutputSettings(call);
		const query = readTaskQuery(call);
		const task = await queryTask(call.client, taskId, query);
		if (task.state === 'pending') return [{ from, result: { json: stateOf(taskId, task, settings) } }];
		return await resultsOf(call, taskId, { kind: 'finished', task }, settings, files);
	} catch (error) {
		return [{ from, failure: toFailure(error) }];
	}
}
