import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { waitDurably } from '../../../nodes/Music/durableWait/durableWait';
import { MusicWait } from '../../../nodes/Music/MusicWait.node.ts';
import {
	oneNode,
	resumeWorkflow,
	runWorkflow,
	type RunOptions,
	type WorkflowJson,
} from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { MusicClock } from './musicClock';

const QUERY = 'GET /v1/music/tasks/*';

let emulator: Emulator;
let clock: MusicClock;
let testNumber = 0;

class DrivenMusicWait extends MusicWait {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await waitDurably(this, clock);
	}
}

beforeEach(async () => {
	testNumber += 1;
	clock = new MusicClock();
	emulator = await startStrictEmulator({ now: clock.date });
});
afterEach(async () => await emulator.close());

/** Submits songs, each of which takes the given number of minutes; a negative number makes it fail. */
function submit(...minutes: number[]): INodeExecutionData[] {
	return minutes.map((each, index) => {
		const prompt = `Song ${index}${each < 0 ? ' [fail]' : ''}`;
		const song = { prompt, model: 'music-v5', custom_mode: false, instrumental: false };
		const task = emulator.tasks.submit(song, { pendingMs: 0, processingMs: Math.abs(each) * 60_000 });
		return { json: { taskId: task.id, row: index, long: 'x'.repeat(5000) } };
	});
}

function workflow(parameters: object = {}, settings = {}, wired = true): WorkflowJson {
	const json = oneNode(
		'musicWait',
		{
			taskId: '={{ $json.taskId }}',
			output: 'task',
			downloadTracks: false,
			files: ['audio', 'cover'],
			binaryPropertyName: 'data',
			coverPropertyName: 'cover',
			simplify: true,
			options: {},
			...parameters,
		},
		settings,
	);
	const back = [{ node: 'Node', type: 'main' as const, index: 0 }];
	return { ...json, connections: wired ? { Node: { main: [back, []] } } : {} };
}

/** Runs to the end, through all sleeps. */
async function runToEnd(json: WorkflowJson, input: INodeExecutionData[]) {
	const options: RunOptions = {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 4e7 + testNumber },
		input,
		nodeTypes: { musicWait: new DrivenMusicWait() },
	};
	let result = await clock.run(runWorkflow(json, options));
	const sleeps: number[] = [];
	while (result.run.waitTill) {
		const until = new Date(result.run.waitTill).getTime();
		sleeps.push(Math.round((until - clock.date()) / 1000));
		clock.jumpTo(until);
		result = await clock.run(resumeWorkflow(json, result, options));
		if (sleeps.length > 50) throw new Error('The execution does not end');
	}
	return { ...result, sleeps, again: result.outputs[0], done: result.outputs[1] };
}

const items = (list: INodeExecutionData[]) =>
	list.map(({ pairedItem }) => (pairedItem as { item: number }).item);

describe('Music Wait', () => {
	it('sleeps while it waits for songs of minutes and hours, and returns all of them', async () => {
		const { done, error, sleeps, run } = await runToEnd(workflow(), submit(1, 30, 4, 4));
		expect(error).toBeUndefined();
		expect(items(done)).toEqual([0, 1, 2, 3]);
		expect(done.map(({ json }) => [json.taskId, json.status])).toEqual(
			emulator.tasks.all().map(({ id }) => [id, 'SUCCESS']),
		);
		expect(sleeps.every((seconds) => seconds >= 65 && seconds <= 630)).toBe(true);
		expect(sleeps.at(-1)).toBeGreaterThan(400);
		expect(sleeps.length).toBeLessThan(12);
		// A finished song is not queried again, and the items in the loop are small.
		const [first] = emulator.tasks.all();
		expect(emulator.journal.count(`GET /v1/music/tasks/${first.id}`)).toBe(2);
		const passes = run.data.resultData.runData.Node.slice(0, -1).map(({ data }) => JSON.stringify(data));
		expect(passes.length).toBeGreaterThan(5);
		expect(Math.max(...passes.map(({ length }) => length))).toBeLessThan(4 * 1500);
	});

	it('stays in the process during short intervals', async () => {
		const { done, sleeps } = await runToEnd(
			workflow({ options: { checkIntervalSeconds: 10, longestIntervalSeconds: 20 } }),
			submit(2),
		);
		expect(sleeps).toEqual([]);
		expect(done[0].json.status).toBe('SUCCESS');
		expect(emulator.journal.count(QUERY)).toBeGreaterThan(5);
	});

	it('returns songs that are finished at the first check without a loop', async () => {
		const input = submit(1, 1);
		clock.jumpTo(clock.date() + 61_000);
		const { done, run } = await runToEnd(workflow({ output: 'track', downloadTracks: true }), input);
		expect(run.data.resultData.runData.Node).toHaveLength(1);
		expect(items(done)).toEqual([0, 0, 1, 1]);
		expect(done[0].binary?.data).toMatchObject({ mimeType: 'audio/mpeg' });
	});

	it('returns a song that is not finished after Max Wait as data, and a failed song as a failure of its item', async () => {
		const { outputs } = await runToEnd(
			workflow({ options: { maxWaitMinutes: 10 } }, { onError: 'continueErrorOutput' }),
			submit(2, 999, -2),
		);
		expect(items(outputs[1])).toEqual([0, 1]);
		expect(outputs[1][1].json).toEqual({
			taskId: emulator.tasks.all()[1].id,
			status: 'PROCESSING',
			progress: '1%',
			timedOut: true,
		});
		expect(outputs[2][0]).toMatchObject({
			json: { details: { kind: 'task', taskId: emulator.tasks.all()[2].id } },
			pairedItem: { item: 2 },
		});
	});

	it('waits for the other songs before it stops at a failure, and keeps them', async () => {
		const { error } = await runToEnd(workflow(), submit(-1, 9));
		expect(error?.message).toContain('could not finish the task');
		expect(error?.context.finishedResults).toEqual([
			{ item: 1, json: expect.objectContaining({ taskId: emulator.tasks.all()[1].id }) },
		]);
	});

	it('continues after an outage of the gateway, and fails for an unknown ID', async () => {
		emulator.behaviour.set(QUERY, { faults: [{ kind: 'html', status: 502, times: 3 }] });
		const input = submit(3);
		const { outputs } = await runToEnd(
			workflow({ options: { maxRetries: 0 } }, { onError: 'continueErrorOutput' }),
			[...input, ...input, { json: { taskId: 'nowhere' } }, { json: { taskId: '' } }],
		);
		expect(items(outputs[1])).toEqual([0, 1]);
		expect(items(outputs[2])).toEqual([2, 3]);
		expect(outputs[2].map(({ json }) => json.error)).toEqual([
			'The gateway has no task "nowhere": There is no task "nowhere".',
			'Task ID is empty',
		]);
	});

	it('fails only the item whose parameter cannot be used', async () => {
		const { outputs } = await runToEnd(
			workflow(
				{ downloadTracks: true, coverPropertyName: '={{ $json.row === 0 ? "data" : "cover" }}' },
				{ onError: 'continueErrorOutput' },
			),
			submit(3, 3),
		);
		expect(items(outputs[1])).toEqual([1]);
		expect(items(outputs[2])).toEqual([0]);
		expect(outputs[2][0].json.error).toContain('Put Cover in Field is "data"');
	});

	it('fails without the loop before it sends a request', async () => {
		const { error } = await runToEnd(workflow({}, {}, false), submit(9));
		expect(error?.message).toBe(
			'The "Check Again" output of "Node" does not lead back to its input [item 0]',
		);
		expect(error?.description).toContain('Draw a connection');
		expect(emulator.journal.count()).toBe(0);
	});
});
