import type { IDataObject } from 'n8n-workflow';
import { rawItems, toItem } from '../../shared/run/rawAnswer';
import { asRecord } from '../../shared/plain/values';
import type { MusicTask } from './musicTask';

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
	const rest = asRecord(withoutTracks(answer, new Set(sent))) ?? {};
	return rawItems(sent, rest).map((json, index) => ({ track: index + 1, taskId, status, ...json }));
}

/** A copy of an answer without its tracks. */
function withoutTracks(answer: unknown, tracks: Set<unknown>): unknown {
	const text = JSON.stringify(answer, (_name, value: unknown) => {
		if (!Array.isArray(value) || !value.some((entry) => tracks.has(entry))) return value;
		const others: unknown[] = value.filter((entry) => !tracks.has(entry));
		return others.length > 0 ? others : undefined;
	});
	return JSON.parse(text);
}
