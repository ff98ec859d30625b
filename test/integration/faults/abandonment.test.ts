import { setTimeout as pause } from 'node:timers/promises';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { abandonable, abandonAll } from './abandon';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
/** One for each way of reading answers; the simulation stops all others. */
const OPERATIONS = abandonable.filter(
	({ reader }, index) => abandonable.findIndex((one) => one.reader === reader) === index,
);

describe('A stopped run', () => {
	it('sends nothing more and leaves nothing behind, not even a timer, in any stage', async () => {
		// Some engines start a timer of their own with their first execution.
		await runWorkflow(oneNode('account', { operation: 'getSubscription' }), { credential: {} });
		const timersBefore = timers();
		expect(await abandonAll(OPERATIONS)).toEqual([]);
		// The emulator's own timers run for up to five seconds.
		for (let waits = 0; timers() > timersBefore && waits < 600; waits++) await pause(50);
		expect(timers()).toBeLessThanOrEqual(timersBefore);
	}, 600_000);
});
