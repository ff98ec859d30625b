import { toFailure } from '../../shared/failure/failure';
import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import { MUSIC_TASK } from '../tasks/musicTask';
import type { Call } from '../../shared/run/call';
import type { BatchOperation } from '../../shared/run/operation';
import {
	outputOptions,
	readTaskId,
	readWaitSettings,
	SONG_FIELDS,
	taskIdFields,
	waitLimits,
} from '../fields';
import { finishTasks, type TaskItem } from '../tasks/waitForTasks';

/** Waits for tasks that were submitted earlier (interface, 4.9). */
export const wait: BatchOperation = {
	value: 'wait',
	name: 'Wait for Music Tasks',
	action: 'Wait for music tasks',
	description: 'Wait until tasks that were submitted earlier are finished',
	fields: [
		...taskIdFields,
		SIMPLIFY,
		...optionFields(MUSIC_TASK, { streams: true }, outputOptions, waitLimits),
	],
	answerFields: SONG_FIELDS,
	async runAll(calls) {
		return await finishTasks(calls.map(readItem), { pollsImmediately: true, toleratedRefusals: 0 });
	},
};

function readItem(call: Call): TaskItem {
	try {
		return { call, taskId: readTaskId(call), wait: readWaitSettings(call), results: [] };
	} catch (error) {
		return { call, results: [{ failure: toFailure(error) }] };
	}
}
