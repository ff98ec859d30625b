import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import type { GatewayClient } from '../../../nodes/shared/send/client';
import { queryTask } from '../../../nodes/Music/tasks/queryTask';

/** A gateway whose queries all fail in this way. */
const failing = (failure: Error) =>
	({ json: async () => await Promise.reject(failure) }) as unknown as GatewayClient;

describe('Query of a task that fails', () => {
	it.each([
		['a busy gateway', new GatewayFailure('gateway', 'The gateway is busy', 'Try again.', { status: 503 })],
		['an unknown task', new GatewayFailure('notFound', 'Not found', 'Check the address.', { status: 404 })],
		[
			'an unknown task that is named by its code',
			new GatewayFailure('input', 'Rejected', 'Check the task.', { status: 400, code: 'task_not_exist' }),
		],
		['anything else', new Error('broken')],
	])('names the task for %s, because its song is paid for', async (_, failure) => {
		await expect(queryTask(failing(failure), 't1', {})).rejects.toMatchObject({
			facts: { taskId: 't1' },
		});
	});
});
