import { type GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { GatewayClient, RequestOptions } from '../../shared/gateway/client';
import { endpoints, musicTaskEndpoint } from '../../shared/gateway/endpoints';
import { type MusicTask, readMusicTask } from './musicTask';
import { unknownTaskFailure } from './taskFailures';

/** How to query a task. */
export interface TaskQuery extends RequestOptions {
	/** Name of the query parameter for the ID on the alternative path; undefined for the main path. */
	parameter?: string;
	/** Stops only this request. */
	signal?: AbortSignal;
}

/**
 * Queries the state of a task (interface, 4.9).
 *
 * @throws GatewayFailure with the task ID
 */
export async function queryTask(
	client: GatewayClient,
	taskId: string,
	{ parameter, ...options }: TaskQuery,
): Promise<MusicTask> {
	try {
		const body = await client.json({
			...options,
			...(parameter === undefined
				? { endpoint: musicTaskEndpoint(taskId) }
				: { endpoint: endpoints.musicQuery, query: { [parameter]: taskId } }),
		});
		return readMusicTask(body);
	} catch (error) {
		throw withTaskId(toFailure(error), taskId);
	}
}

function withTaskId(failure: GatewayFailure, taskId: string): GatewayFailure {
	const { kind, facts } = failure;
	const { code } = facts;
	// A web page says nothing about a task.
	const isUnknown = kind === 'notFound' || code === 'task_not_exist';
	return isUnknown ? unknownTaskFailure({ ...facts, taskId }) : failure.with({ taskId });
}
