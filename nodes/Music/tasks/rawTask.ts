import type { IDataObject } from 'n8n-workflow';
import { rawItems, toItem } from '../../shared/runtime/rawAnswer';
import { asRecord } from '../../shared/values';
import type { MusicTask } from './musicTask';

/** Values deeper than this are not searched for tracks. */
const MAX_DEPTH = 4;

/**
 * The item of a task that did not fail when Simplify is off: the response to its query as the gateway sent it, with the
 * ID for the next node.
 */
export function rawTaskItem(taskId: string, { answer }: MusicTask): IDataObject {
	return { ...toItem(answer), taskId };
}

/**
 * The items of the tracks of a task when Simplify is off: each track as the gateway sent it, the rest of the response in
 * `response`, and for the next node the number of the track, and the ID and the status of its task.
 */
export function rawTrackItems(taskId: string, { tracks, answer, status }: MusicTask): IDataObject[] {
	const sent = tracks.map(({ raw }) => raw);
	const rest = asRecord(without(answer, new Set(sent))) ?? {};
	return rawItems(sent, rest).map((json, index) => ({ track: index + 1, taskId, status, ...json }));
}

/** A copy without some of the objects in it, and without the lists that then have no entry. */
function without(value: unknown, left: Set<unknown>, depth = 0): unknown {
	if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		return value.filter((entry) => !left.has(entry)).map((entry) => without(entry, left, depth + 1));
	}
	const kept = Object.entries(value).flatMap(([name, entry]): Array<[string, unknown]> => {
		const copy = left.has(entry) ? undefined : without(entry, left, depth + 1);
		const isEmptied = Array.isArray(copy) && copy.length === 0 && (entry as unknown[]).length > 0;
		return copy === undefined || isEmptied ? [] : [[name, copy]];
	});
	return Object.fromEntries(kept);
}
