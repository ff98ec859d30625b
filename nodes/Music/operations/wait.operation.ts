import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { optionsField } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import type { Call } from '../../shared/run/call';
import type { BatchOperation } from '../../shared/run/operation';
import {
	outputFields,
	queryOptions,
	readTaskId,
	readWaitSettings,
	taskIdFields,
	waitOptions,
} from '../fields';
import { awaitTasks, logUnfinishedTasks, type AwaitedItem } from '../tasks/awaitTasks';

/** Waits for tasks that were submitted earlier (interface, 4.9). */
export const wait: BatchOperation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for music tasks',
	description: 'Wait until tasks that were submitted earlier are finished',
	fields: [
		...taskIdFields,
		...outputFields,
		optionsField({ timeoutSeconds: endpoints.musicQuery.timeoutSeconds, body: false, streams: true }, [
			...waitOptions,
			...queryOptions,
		]),
	],
	async runAll(calls) {
		const items = calls.map(readItem);
		const awaited = items.filter((item) => 'settings' in item);
		const results = await awaitTasks(awaited, { pollsImmediately: true, toleratedRefusals: 0 });
		await logUnfinishedTasks(
			calls[0],
			awaited.map(({ taskId }) => taskId),
		);
		return items.flatMap((item) =>
			'settings' in item ? (results.get(item) ?? []) : [{ from: item.call.itemIndex, failure: item.failure }],
		);
	},
};

function readItem(call: Call): AwaitedItem | { call: Call; failure: GatewayFailure } {
	try {
		return { call, taskId: readTaskId(call), settings: readWaitSettings(call) };
	} catch (error) {
		return { call, failure: toFailure(error) };
	}
}
