import { shortMessage } from '../../shared/errors/errorBody';
import { withGatewayWords } from '../../shared/errors/statusFailure';
import { GatewayFailure, type FailureFacts } from '../../shared/errors/gatewayFailure';

/**
 * A failure for a task that the gateway accepted but could not finish (interface, 2.9).
 *
 * @param reason `fail_reason` of the task; may be empty
 */
export function taskFailure(reason: string, facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'task',
		`The gateway could not finish the task${reason ? `: ${shortMessage(reason)}` : ''}`,
		'Fix the stated reason (often a word in the prompt or the lyrics), then run the item again. A new task is charged again. The task ID is kept in case you need to contact the operator of the gateway.',
		facts,
	);
}

/** A failure for a task that the gateway does not know at the path of the request. */
export function unknownTaskFailure(facts: FailureFacts & { taskId: string }): GatewayFailure {
	return new GatewayFailure(
		'notFound',
		withGatewayWords(`The gateway has no task "${facts.taskId}"`, facts),
		'Check Task ID. Tasks belong to the account that submitted them, and gateways delete them after a while. If no task is ever found, select the other Query Path in Options.',
		facts,
	);
}
