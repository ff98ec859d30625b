import { type FailureFacts, GatewayFailure, toFailure } from '../../shared/failure/failure';
import { withGatewayWords } from '../../shared/failure/statusWords';
import type { GatewayClient, GatewayRequest, RequestOptions } from '../../shared/send/client';
import { type MusicTask, readMusicTask } from './musicTask';
import { OTHER_QUERY_PATH, taskEndpoint } from './taskEndpoint';

/** Queries the state of a task (interface, 4.9). @throws GatewayFailure with the task ID */
export async function queryTask(
	client: GatewayClient,
	taskId: string,
	options: RequestOptions & Pick<GatewayRequest, 'signal'>,
): Promise<MusicTask> {
	try {
		const { musicQueryPath } = client.wiring;
		const body = await client.json({ ...options, ...taskEndpoint(musicQueryPath, taskId) });
		return readMusicTask(body);
	} catch (error) {
		const failure = toFailure(error);
		const { kind, facts } = failure;
		const isUnknown = kind === 'notFound' || facts.code === 'task_not_exist';
		throw isUnknown ? unknownTaskFailure({ ...facts, taskId }) : failure.with({ taskId });
	}
}

/** A failure for a task that the gateway does not know at the path of the request. */
export function unknownTaskFailure(facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'notFound',
		withGatewayWords(`The gateway has no task "${facts.taskId}"`, facts),
		`Check Task ID. Tasks belong to the account that submitted them, and gateways delete them after a while. ${OTHER_QUERY_PATH}`,
		facts,
	);
}
