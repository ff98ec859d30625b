import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { readMusicTask } from '../../../nodes/Music/tasks/musicTask';
import { isLoopWired } from '../../../nodes/Music/durableWait/loop';
import { nextCheckAt, nextStep } from '../../../nodes/Music/durableWait/schedule';
import { fromItem, toItem, type WaitingItem } from '../../../nodes/Music/durableWait/waitingItem';

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

describe('isLoopWired', () => {
	it.each<[boolean, string, Parameters<typeof isLoopWired>[0]]>([
		[true, 'a direct connection', { Wait: { main: [to('Wait'), to('Next')] } }],
		[
			true,
			'a connection through other nodes',
			{ Wait: { main: [to('A'), []] }, A: { main: [to('B')] }, B: { main: [to('Wait')] } },
		],
		[false, 'no connection from "Check Again"', { Wait: { main: [[], to('Next')] } }],
		[false, 'a connection from "Done"', { Wait: { main: [to('Next'), to('Wait')] } }],
		[
			false,
			'a loop that does not include the node',
			{ Wait: { main: [to('A')] }, A: { main: [to('B')] }, B: { main: [to('A')] } },
		],
		[false, 'a workflow without connections', {}],
		[false, 'outputs without connections', { Wait: { main: [null, null] } }],
		[
			false,
			'a connection of another type',
			{ Wait: { main: [[{ node: 'Wait', type: 'ai_tool', index: 0 }]] } },
		],
	])('returns %s for %s', (wired, _case, connections) => {
		expect(isLoopWired(connections, 'Wait')).toBe(wired);
	});
});

describe('nextCheckAt', () => {
	const intervals = { firstIntervalMs: 75_000, longestIntervalMs: 600_000 };
	const item = { since: 0, until: 86_400_000 };

	it('waits half of the time waited so far, up to the longest interval', () => {
		const times = [0];
		for (let check = 0; check < 9; check++) times.push(nextCheckAt(times.at(-1)!, item, intervals, 0));
		const seconds = times.map((time) => Math.round(time / 1000));
		expect(seconds).toEqual([0, 75, 150, 225, 338, 506, 759, 1139, 1709, 2309]);
	});

	it('never exceeds the end of the wait and only lengthens an interval at random', () => {
		expect(nextCheckAt(0, { since: 0, until: 50_000 }, intervals, 1)).toBe(50_000);
		expect(nextCheckAt(0, item, intervals, 1)).toBe(78_750);
		expect(nextCheckAt(0, item, { firstIntervalMs: 700_000, longestIntervalMs: 600_000 }, 0)).toBe(700_000);
	});
});

describe('nextStep', () => {
	it.each([
		['finish', 'no task is pending', { pending: 0, nextCheck: 1e9, isNew: true }],
		['check', 'a check is due', { pending: 1, nextCheck: 1000, isNew: true }],
		['stay', 'the next check is near', { pending: 1, nextCheck: 65_999, isNew: true }],
		[
			'sleep',
			'the next check is far and the input contains everything',
			{ pending: 1, nextCheck: 66_000, isNew: false },
		],
		[
			'handOver',
			'the next check is far and the items contain something new',
			{ pending: 1, nextCheck: 66_000, isNew: true },
		],
	])('returns %s when %s', (step, _case, state) => {
		expect(nextStep(1000, state)).toBe(step);
	});
});

describe('WaitingItem', () => {
	const times = { since: 1, until: 2, nextCheck: 3 };
	const throughLoop = (item: WaitingItem, keepPrompts = true) => {
		const out = toItem(item, 4, keepPrompts);
		expect(out.pairedItem).toEqual({ item: 4 });
		return { out, read: fromItem({ json: JSON.parse(JSON.stringify(out.json)) }) };
	};

	it('has only the ID and the state, and is read as it was written', () => {
		const { out, read } = throughLoop({ taskId: 't1', ...times });
		expect(out.json).toEqual({ taskId: 't1', musicWait: times });
		expect(read).toMatchObject({ taskId: 't1', ...times });
		expect(read!.lastSeen).toBeUndefined();
		expect(read!.outcome).toBeUndefined();
	});

	it('shows the progress of its task', () => {
		const lastSeen = readMusicTask({ data: { status: 'PROCESSING', progress: '5%' } });
		const { out, read } = throughLoop({ taskId: 't1', ...times, lastSeen });
		expect(out.json).toMatchObject({ status: 'PROCESSING', progress: '5%' });
		expect(read!.lastSeen).toMatchObject({ status: 'PROCESSING', progress: '5%' });
	});

	it('keeps the response about a pending task, for the output without Simplify only', () => {
		const answer = { code: 'success', data: { status: 'PROCESSING', progress: '5%', submit_time: 7 } };
		const item = { taskId: 't1', ...times, lastSeen: readMusicTask(answer) };
		expect(throughLoop(item).read!.lastSeen).toMatchObject({ answer });
		expect(throughLoop(item, false).read!.lastSeen).toMatchObject({ answer: undefined });
	});

	it('keeps a finished task, on request without its prompts', () => {
		const data = { status: 'SUCCESS', data: [{ id: 'a', title: 'Snow', prompt: 'words '.repeat(999) }] };
		const outcome = { kind: 'finished', task: readMusicTask({ data }) } as const;
		const { out, read } = throughLoop({ taskId: 't1', ...times, outcome }, false);
		expect(JSON.stringify(out).length).toBeLessThan(300);
		expect(read!.outcome).toMatchObject({
			kind: 'finished',
			task: { tracks: [{ id: 'a', title: 'Snow', raw: { id: 'a', title: 'Snow' } }] },
		});
		expect(throughLoop({ taskId: 't1', ...times, outcome }).read!.outcome).toMatchObject({
			task: { raw: data, answer: { data } },
		});
	});

	it('keeps a failure', () => {
		const failure = new GatewayFailure('notFound', 'No such task', 'Check it.', {
			status: 400,
			taskId: 't1',
		});
		const { read } = throughLoop({ taskId: 't1', ...times, outcome: { kind: 'unknown', failure } });
		expect((read!.outcome as { failure: GatewayFailure }).failure.toErrorItem()).toEqual(
			failure.toErrorItem(),
		);
	});

	it.each([
		{},
		{ taskId: 't1' },
		{ taskId: 't1', musicWait: 'x' },
		{ taskId: 't1', musicWait: { since: 'x' } },
	])('is not read from %j', (json) => {
		expect(fromItem({ json })).toBeUndefined();
	});
});
