import { chosen } from '../engine/chosen';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const use = useEmulator();
const TEXT = 'First part. Second part. The third.';
const PARTS = 3;

/** Stops a run of Split Into Items as soon as the parts after the first ones hang. @returns what the node has made of it */
async function stopped(rows: number, finished: number, onError: 'stopWorkflow' | 'continueRegularOutput') {
	const { behaviour, journal } = use.emulator;
	behaviour.set('POST /v1/audio/speech', { faults: [{ kind: 'stall', skip: finished, times: 'always' }] });
	const workflow = oneNode(
		'speech',
		{
			operation: 'create',
			model: chosen('svc-tts'),
			text: TEXT,
			voice: chosen('Anders'),
			longText: 'items',
			options: { partLength: 12, parallelRequests: 1 },
		},
		{ onError },
	);
	let cancel = () => {};
	const running = runWorkflow(workflow, {
		credential: use.credential(),
		input: Array.from({ length: rows }, () => ({ json: {} })),
		onStart: (stop) => (cancel = stop),
	});
	await journal.until(finished + 1, () => true);
	cancel();
	const { items, run } = await running;
	expect(journal.count()).toBe(finished + 1);
	const [task] = run.data.resultData.runData.Node;
	return { items, failure: task.error?.message };
}

describe('Split Into Items in an execution that is stopped', () => {
	it.each([
		[1, 0],
		[1, 1],
		[1, 2],
		[2, 1],
		[2, 4],
	])('has an item for each part, of %d rows after %d parts', async (rows, finished) => {
		const { items } = await stopped(rows, finished, 'continueRegularOutput');
		// A row that never started is not split.
		const startedRows = Math.floor(finished / PARTS) + 1;
		expect(items).toHaveLength(startedRows * PARTS + (rows - startedRows));
		for (const [index, { json, binary }] of items.slice(0, startedRows * PARTS).entries()) {
			const part = (index % PARTS) + 1;
			if (index < finished) {
				expect(json).toMatchObject({ part, parts: PARTS });
				expect(binary).toHaveProperty('data');
				continue;
			}
			expect(json.error).toMatch(
				new RegExp(`^Part ${part} of 3, .*, was not generated: The execution was stopped$`),
			);
			const sent = index === finished ? { mayHaveBeenCarriedOut: true } : { attempts: 0 };
			expect(json.details).toMatchObject({ kind: 'cancelled', partial: { part, parts: PARTS }, ...sent });
		}
		for (const { json } of items.slice(startedRows * PARTS)) {
			expect(json.details).toMatchObject({ kind: 'cancelled', attempts: 0 });
		}
	});

	it('does not succeed with nothing', async () => {
		const { items, failure } = await stopped(1, 0, 'stopWorkflow');
		expect(items).toEqual([]);
		expect(failure).toMatch(/^Part 1 of 3, .*: The execution was stopped$/);
	});
});
