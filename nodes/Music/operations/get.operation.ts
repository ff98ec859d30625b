import { optionFields, SIMPLIFY } from '../../shared/fields/options';
import type { ItemOperation } from '../../shared/run/operation';
import { outputOptions, readOutputSettings, readTaskId, SONG_FIELDS, taskIdFields } from '../fields';
import { MUSIC_TASK, queryTask } from '../tasks/musicTask';
import { resultsAsBefore, resultsOf, taskJson } from '../tasks/results';

/** Queries a task once (interface, 4.9). */
export const get: ItemOperation = {
	value: 'get',
	name: 'Get Music Task',
	action: 'Get music task',
	description: 'Get the progress of a task, or its songs if it is finished',
	fields: [...taskIdFields, SIMPLIFY, ...optionFields(MUSIC_TASK, { streams: true }, outputOptions)],
	answerFields: SONG_FIELDS,
	async run(call) {
		const taskId = readTaskId(call);
		const settings = readOutputSettings(call);
		const before = await resultsAsBefore(call, taskId, settings);
		if (before) return before;
		const task = await queryTask(call.client, taskId, call.requestOptions);
		if (task.state === 'pending') return { json: taskJson(taskId, task, settings.simplify) };
		return await resultsOf(call, taskId, { kind: 'finished', task }, settings);
	},
};
