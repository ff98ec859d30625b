import { type Endpoint, READ } from '../../shared/send/endpoints';
import { pathSegment } from '../../shared/send/pathSegment';
import { TASK_ID } from '../../shared/send/wiring';

/** Says what to do about a task that is not found, at either of the two paths. */
export const OTHER_QUERY_PATH =
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
