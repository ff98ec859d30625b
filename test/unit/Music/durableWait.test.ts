import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { musicTaskSchema } from '../../../nodes/Music/tasks/musicTask';
import { isLoopWired } from '../../../nodes/Music/durableWait/loop';
import { nextCheckAt, nextStep } from '../../../nodes/Music/durableWait/schedule';
import { fromItem, toItem, type WaitingItem } from '../../../nodes/Music/durableWait/waitingItem';

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

describe('the guard', () => {
	test.each<[string, boolean, Parameters<typeof isLoopWired>[0]]>([
		['straight back', true, { Wait: { main: [to('Wait'), to('Next')] } }],
		[
			'through other nodes',
			true,
			{ Wait: { main: [to('A'), []] }, A: { main: [to('B')] }, B: { main: [to('Wait')] } },
		],
		['not at all', false, { Wait: { main: [[], to('Next')] } }],
		['from "Done"', false, { Wait: { main: [to('Next'), to('Wait')] } }],
		[
			'another loop that misses the node',
			false,
			{ Wait: { main: [to('A')] }, A: { main: [to('B')] }, B: { main: [to('A')] } },
		],
		['no connections', false, {}],
		['an empty slot', false, { Wait: { main: [null, null] } }],
		[
			'a connection of another kind',
			false,
			{ Wait: { main: [[{ node: 'Wait', type: 'ai_tool', index: 0 }]] } },
		],
	])('%s: %s', (_name, wired, connections) => {
		expect(isLoopWired(connections, 'Wait')).toBe(wired);
	});
});

describe('the rhythm', () => {
	const rhythm = { firstIntervalMs: 75_000, longestIntervalMs: 600_000 };
	const item = { since: 0, until: 86_400_000 };

	test('grows by half of what was waited, up to the longest interval', () => {
		const times = [0];
		for (let check = 0; check < 9; check++) times.push(nextCheckAt(times.at(-1)!, item, rhythm, 0));
		const seconds = times.map((time) => Math.round(time / 1000));
		expect(seconds).toEqual([0, 75, 150, 225, 338, 506, 759, 1139, 1709, 2309]);
	});

	test('never goes beyond the end of the wait, and chance only makes it longer', () => {
		expect(nextCheckAt(0, { since: 0, until: 50_000 }, rhythm, 1)).toBe(50_000);
		expect(nextCheckAt(0, item, rhythm, 1)).toBe(78_750);
		expect(nextCheckAt(0, item, { firstIntervalMs: 700_000, longestIntervalMs: 600_000 }, 0)).toBe(700_000);
	});

	test.each([
		['nothing is pending', { pending: 0, nextCheck: 1e9, isNew: true }, 'finish'],
		['a check is due', { pending: 1, nextCheck: 1000, isNew: true }, 'check'],
		['the next check is near', { pending: 1, nextCheck: 65_999, isNew: true }, 'stay'],
		['it is far, and the input holds everything', { pending: 1, nextCheck: 66_000, isNew: false }, 'sleep'],
		['it is far, and something is new', { pending: 1, nextCheck: 66_000, isNew: true }, 'handOver'],
	])('when %s', (_name, state, step) => {
		expect(nextStep(1000, state)).toBe(step);
	});
});

describe('an item on its way round the loop', () => {
	const times = { since: 1, until: 2, nextCheck: 3 };
	const round = (item: WaitingItem, keepPrompts = true) => {
		const out = toItem(item, 4, keepPrompts);
		expect(out.pairedItem).toEqual({ item: 4 });
		return { out, read: fromItem({ json: JSON.parse(JSON.stringify(out.json)) }) };
	};

	test('is small, and comes back as it left', () => {
		const { out, read } = round({ taskId: 't1', ...times });
		expect(out.json).toEqual({ taskId: 't1', musicWait: times });
		expect(read).toMatchObject({ taskId: 't1', ...times });
		expect(read!.lastSeen).toBeUndefined();
		expect(read!.outcome).toBeUndefined();
	});

	test('shows how far its task is', () => {
		const lastSeen = musicTaskSchema.parse({ data: { status: 'PROCESSING', progress: '5%' } });
		const { out, read } = round({ taskId: 't1', ...times, lastSeen });
		expect(out.json).toMatchObject({ status: 'PROCESSING', progress: '5%' });
		expect(read!.lastSeen).toMatchObject({ status: 'PROCESSING', progress: '5%' });
	});

	test('keeps a finished task, without its words if they are not wanted', () => {
		const data = { status: 'SUCCESS', data: [{ id: 'a', title: 'Snow', prompt: 'words '.repeat(999) }] };
		const outcome = { kind: 'over', task: musicTaskSchema.parse({ data }) } as const;
		const { out, read } = round({ taskId: 't1', ...times, outcome }, false);
		expect(JSON.stringify(out).length).toBeLessThan(300);
		expect(read!.outcome).toMatchObject({
			kind: 'over',
			task: { tracks: [{ id: 'a', title: 'Snow', prompt: '' }] },
		});
		expect(round({ taskId: 't1', ...times, outcome }).read!.outcome).toMatchObject({ task: { raw: data } });
	});

	test('keeps a failure', () => {
		const failure = new GatewayFailure('notFound', 'No such task', 'Check it.', {
			status: 400,
			taskId: 't1',
		});
		const { read } = round({ taskId: 't1', ...times, outcome: { kind: 'unknown', failure } });
		expect((read!.outcome as { failure: GatewayFailure }).failure.toErrorItem()).toEqual(
			failure.toErrorItem(),
		);
	});

	test.each([
		{},
		{ taskId: 't1' },
		{ taskId: 't1', musicWait: 'x' },
		{ taskId: 't1', musicWait: { since: 'x' } },
	])('%j comes from elsewhere', (json) => {
		expect(fromItem({ json })).toBeUndefined();
	});
});
