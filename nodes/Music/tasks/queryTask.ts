import type { FailureFacts } from '../../shared/failure/kinds';
import { GatewayFailure, toFailure } from '../../shared/failure/failure';
import { withGatewayWords } from '../../shared/failure/statusWords';
import type { GatewayClient } from '../../shared/send/client';
import type { GatewayRequest, RequestOptions } from '../../shared/send/layer';
import { type Endpoint, READ } from '../../shared/send/endpoints';
import { pathSegment, TASK_ID } from '../../shared/send/wiring';
import { type MusicTask, readMusicTask } from './musicTask';

/** Says what to do about a task that is not found, at either of the two paths. */
const OTHER_QUERY_PATH =
	'If no task is ever found, your gateway may have another Music Query Path, which you enter in the credential.';

/** The state of a task (interface, 4.9), without its path. */
export const MUSIC_TASK = { ...READ, otherPath: OTHER_QUERY_PATH, lane: '/v1/music/tasks' } as const;

/** Where to query a task. @param pattern a path, perhaps with a query, in which {@link TASK_ID} stands for the ID */
export function taskEndpoint(
	pattern: string,
	taskId: string,
): { endpoint: Endpoint; query?: Array<[string, string]> } {
	const [path, query] = pattern.split('?');
	const endpoint = { ...MUSIC_TASK, path: path.replace(TASK_ID, () => pathSegment('Task ID', taskId)) };
	if (query === undefined) return { endpoint };
	const pairs = [...new URLSearchParams(query)];
	return {
		endpoint,
		query: pairs.map(([name, value]) => [name, value.replace(TASK_ID, () => taskId)]),
	};
}

/** Queries the state of a task (interface, 4.9). @throws GatewayFailure with the task ID */
export async function queryTask(
	client: GatewayClient,
	taskId: string,
	options: RequestOptions & Pick<GatewayRequest, 'signal'>,
): Promise<MusicTask> {
	try {
		const { musicQueryPath } = client.wiring;
		return await client.json({ ...options, ...taskEndpoint(musicQueryPath, taskId) }, readMusicTask);
	} catch (error) {
		const failure = toFailure(error);
		const { kind, facts } = failure;
		const isUnknown = kind === 'notFound' || facts.code === 'task_not_exist';
		throw isUnknown ? unknownTaskFailure({ ...facts, taskId }) : failure.with({ taskId });
	}
}

/** A failure for a task that the gateway does not know at the path of the request. */
function unknownTaskFailure(facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'notFound',
		withGatewayWords(`The gateway has no task "${facts.taskId}"`, facts),
		`Check Task ID. Tasks belong to the account that submitted them, and gateways delete them after a while. ${OTHER_QUERY_PATH}`,
		facts,
	);
}
