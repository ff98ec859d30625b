import { inputFailure } from '../../shared/errors/errorMessages';
import type { Call } from '../../shared/runtime/call';
import { DEFAULT_MAX_WAIT_MINUTES, DEFAULT_POLL_INTERVAL_SECONDS, POLL_INTERVAL_LIMITS } from './fields';
import type { TaskQuery } from './queryTask';

/** How a finished task leaves the node. */
export interface OutputSettings {
	perTask: boolean;
	simplify: boolean;
	/** Output field of the audio; undefined when it is not fetched. */
	audioField?: string;
	/** Output field of the cover; undefined when it is not fetched. */
	coverField?: string;
}

/** @throws GatewayFailure (kind `input`) for a field name that is empty */
export function readOutputSettings(call: Call): OutputSettings {
	const settings = { perTask: call.text('output') === 'task', simplify: call.flag('simplify') };
	if (!call.flag('downloadTracks')) return settings;
	const files = chosenFiles(call);
	const field = (file: string, name: string, label: string) =>
		files.includes(file) ? call.requiredText(name, label).trim() : undefined;
	const audioField = field('audio', 'binaryPropertyName', 'Put Output File in Field');
	const coverField = field('cover', 'coverPropertyName', 'Put Cover in Field');
	if (audioField !== undefined && audioField === coverField) {
		throw inputFailure(
			'Put Cover in Field',
			`is "${coverField}", like the field of the audio`,
			'Give the two files fields of their own, for example "data" and "cover".',
		);
	}
	return { ...settings, audioField, coverField };
}

/** How a task is asked for. @throws GatewayFailure (kind `input`) */
export function readTaskQuery(call: Call): TaskQuery {
	const { queryPath, queryParameter } = call.options;
	const parameter = typeof queryParameter === 'string' ? queryParameter.trim() : '';
	return { ...call.requestOptions, ...(queryPath === 'query' ? { parameter: parameter || 'task_id' } : {}) };
}

/** Interval and longest wait of a wait inside the run. @throws GatewayFailure (kind `input`) */
export function readPatience(call: Call): { intervalMs: number; maxWaitMs: number } {
	const seconds = call.optionalNumber('pollIntervalSeconds', 'Poll Interval (Seconds)', POLL_INTERVAL_LIMITS);
	return {
		intervalMs: (seconds ?? DEFAULT_POLL_INTERVAL_SECONDS) * 1000,
		maxWaitMs: readMaxWaitMs(call, DEFAULT_MAX_WAIT_MINUTES),
	};
}

/** The longest wait. @throws GatewayFailure (kind `input`) */
export function readMaxWaitMs(call: Call, defaultMinutes: number): number {
	const year = 366 * 24 * 60;
	const minutes = call.optionalNumber('maxWaitMinutes', 'Max Wait (Minutes)', { min: 0, max: year });
	return (minutes ?? defaultMinutes) * 60_000;
}

function chosenFiles(call: Call): string[] {
	const value: unknown = call.context.getNodeParameter('files', call.itemIndex, ['audio', 'cover']);
	const names = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
	return names.map((name) => String(name).trim());
}
