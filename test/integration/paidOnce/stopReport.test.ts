import { Logger } from '@n8n/backend-common';
import type { Rule } from '../../../emulator';
import { eventually } from '../engine/eventually';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { chosen } from '../faults/operations';

const gateway = useEmulator(6.7e7);
const rows = [0, 1, 2, 3].map((row) => ({ json: { text: `Row ${row} about a secret fox` } }));
const FILES = 'GET /__emulator/files/*';
const stallAfter = (skip: number): Rule => ({ faults: [{ kind: 'stall', skip, times: 'always' }] });

let warnings: string[];
beforeEach(() => {
	warnings = [];
	jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => void warnings.push(message));
});
afterEach(() => jest.restoreAllMocks());

/** Stops a run as soon as a number of requests match. */
async function stop(node: string, parameters: object, count: number, pattern: string): Promise<void> {
	const common = { prompt: '={{ $json.text }}', options: { parallelRequests: 2 } };
	let cancel = () => {};
	const running = runWorkflow(oneNode(node, { ...common, ...parameters }), {
		credential: gateway.credential(),
		input: rows,
		onStart: (stopIt) => (cancel = stopIt),
	}).catch(() => undefined);
	await gateway.emulator.journal.until(count, pattern);
	cancel();
	await running;
	await eventually(() => warnings.length > 0);
	expect(JSON.stringify(warnings)).not.toMatch(/secret fox|canary/);
}

describe('The log of a stopped execution', () => {
	it('names the finished and the possibly paid items', async () => {
		// The answers to rows 1 and 2 arrive; those to rows 3 and 4 do not.
		gateway.emulator.behaviour.set('POST /*', stallAfter(2));
		await stop('chat', { operation: 'chatCompletion', model: chosen('aurora-4') }, 4, 'POST /*');
		expect(warnings).toEqual([
			'"Node" (execution test-execution): The execution was stopped. Finished and paid for: rows 1–2. In progress, and possibly paid for: rows 3–4.',
		]);
	});

	it('has the links of images that are paid for but not downloaded', async () => {
		gateway.emulator.behaviour.set(FILES, stallAfter(0));
		gateway.emulator.behaviour.set('POST /*', stallAfter(2));
		await stop('image', { operation: 'generate', model: chosen('image-2'), size: '512' }, 2, FILES);
		expect(warnings[0]).toMatch(
			/Paid for, but not finished: rows 1–2\. .*References: row 1: http\S+; row 2: http\S+\.$/,
		);
	});
});
