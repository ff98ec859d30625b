import { Logger } from '@n8n/backend-common';
import type { Rule } from '../../../emulator';
import { eventually } from '../engine/eventually';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { chosen } from './cases';
import { UnclearRun } from './unclearRun';

const SECRET = 'a secret fox';
const rows = [0, 1, 2, 3].map((row) => ({ json: { text: `Row ${row} about ${SECRET}` } }));
const CHAT = {
	operation: 'chatCompletion',
	model: chosen('aurora-4'),
	prompt: '={{ $json.text }}',
	options: { parallelRequests: 2 },
};
const IMAGE = {
	operation: 'generate',
	model: chosen('image-2'),
	prompt: '={{ $json.text }}',
	size: '512',
	options: { parallelRequests: 2 },
};

let run: UnclearRun;
let warnings: string[];
beforeEach(async () => {
	// A request of a run that was stopped may still be on its way, and must not arrive in the next test.
	run = await UnclearRun.of();
	warnings = [];
	jest.spyOn(Logger.prototype, 'warn').mockImplementation((message) => void warnings.push(message));
});
afterEach(async () => {
	jest.restoreAllMocks();
	await run.emulator.close();
});

/** Stops a run as soon as a number of requests match. @returns its warnings */
async function stopped(
	node: string,
	parameters: object,
	rules: Record<string, Rule>,
	[count, filter]: [number, Parameters<UnclearRun['emulator']['journal']['until']>[1]],
): Promise<string[]> {
	const { behaviour, journal, url: baseUrl, apiKey } = run.emulator;
	for (const [pattern, rule] of Object.entries(rules)) behaviour.set(pattern, rule);
	let cancel = () => {};
	const running = runWorkflow(oneNode(node, { ...parameters }), {
		credential: { baseUrl, apiKey },
		input: rows,
		onStart: (stop) => (cancel = stop),
	}).catch(() => undefined);
	await journal.until(count, filter);
	cancel();
	await running;
	if (count > 0) await eventually(() => warnings.length > 0);
	const all = JSON.stringify(warnings);
	expect(all).not.toContain(SECRET);
	expect(all).not.toContain(apiKey);
	return warnings;
}

describe('The log of a stopped execution', () => {
	const stallAfter = (skip: number): Rule => ({ faults: [{ kind: 'stall', skip, times: 'always' }] });

	it('names the finished and the possibly paid items of Chat', async () => {
		// The answers to items 0 and 1 arrive; those to items 2 and 3 do not.
		const [warning, ...more] = await stopped('chat', CHAT, { 'POST /*': stallAfter(2) }, [4, () => true]);
		expect(more).toEqual([]);
		expect(warning).toBe(
			'The execution was stopped. Finished and paid for: items 0–1. In progress, and possibly paid for: items 2–3.',
		);
	});

	it('has the links of images that are paid for but not downloaded', async () => {
		const rules = { 'GET /__emulator/files/*': stallAfter(0), 'POST /*': stallAfter(2) };
		const [warning] = await stopped('image', IMAGE, rules, [
			2,
			({ method, path }) => method === 'GET' && path.includes('/files/'),
		]);
		expect(warning).toMatch(
			/Paid for, but not finished: items 0–1\. .*References: item 0: http\S+; item 1: http\S+\.$/,
		);
	});

	it('says nothing when nothing was sent', async () => {
		expect(await stopped('chat', CHAT, {}, [0, () => true])).toEqual([]);
		expect(run.emulator.journal.count()).toBe(0);
	});
});
