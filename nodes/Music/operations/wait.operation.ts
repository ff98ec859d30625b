import { optionsField } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { awaitTasks, logTasksLeft, readWaitSettings, type AwaitedItem } from '../tasks/awaitTasks';
import { outputFields, queryOptions, taskIdField, waitOptions } from '../tasks/fields';
import type { Call } from '../../shared/runtime/call';
import type { BatchOperation, LinkedResult } from '../../shared/runtime/operation';

/** Waits for tasks that were submitted earlier (interface, 4.9). */
export const wait: BatchOperation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for music tasks',
	description: 'Wait until tasks that were submitted earlier are finished',
	fields: [
		taskIdField,
		...outputFields,
		optionsField({ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false }, [
			...waitOptions,
			...queryOptions,
		]),
	],
	async runAll(calls) {
		const read = calls.map(readItem);
		const awaited = read.filter((entry) => 'settings' in entry);
		const results =
			awaited.length > 0
				? await awaitTasks(awaited, { lookAtOnce: true, refusalsTolerated: 0 })
				: new Map<AwaitedItem, LinkedResult[]>();
		logTasksLeft(
			calls[0],
			awaited.map(({ taskId }) => taskId),
		);
		return read.flatMap((entry) =>
			'settings' in entry
				? (results.get(entry) ?? [])
				: [{ from: entry.call.itemIndex, failure: entry.failure }],
		);
	},
};

function readItem(call: Call): AwaitedItem | { call: Call; failure: GatewayFailure } {
	try {
		const taskId = call.requiredText('taskId', 'Task ID').trim();
		return { call, taskId, settings: readWaitSettings(call) };
	} catch (error) {
		return { call, failure: toFailure(error) };
	}
}
