import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { folders } from '../../../tools/host/folders';
import { chosen } from '../engine/chosen';
import { nodeTypes } from '../engine/nodeTypes';
import { runWorkflow, type WorkflowJson } from '../engine/runWorkflow';
import { testNode } from '../engine/testNode';
import { useEmulator } from '../engine/useEmulator';

// The instance that n8n's expressions use.
const { requireOnce } = globalThis as unknown as { requireOnce: (name: string) => object };
const { Settings } = requireOnce('luxon') as { Settings: { now: () => number } };
const MINUTE_MS = 60_000;
const TODAY = '2026-08-21';
/** The day of the news as the prompts write it. */
const DAYS = {
	yesterday: /Thursday, 20 August 2026|2026年8月20日 星期四/,
	today: /Friday, 21 August 2026|2026年8月21日 星期五/,
};

/** The time of everything: the emulator, the nodes, and the expressions of the workflow. */
let now = 0;
const gateway = useEmulator({ now: () => now, newsHour: 8 });
/** It has never an issue of today. */
const late = useEmulator({ now: () => now, newsHour: 24 });
const original = { date: systemClock.date, now: Settings.now };
beforeAll(() => {
	systemClock.date = () => now;
	Settings.now = () => now;
});
afterAll(() => {
	systemClock.date = original.date;
	Settings.now = original.now;
});

const parameters = (...names: string[]) =>
	names.map((name): INodeProperties => ({ displayName: name, name, type: 'json', default: '' }));
const main = NodeConnectionTypes.Main;

interface Conditions {
	combinator: string;
	conditions: Array<{ leftValue: unknown; rightValue: unknown; operator: { operation: string } }>;
}

/** n8n's own nodes as far as the examples need them; *Wait* lets the time pass. */
const ownNodes: Record<string, INodeType> = {
	scheduleTrigger: testNode(
		{ inputs: [], outputs: [main] },
		{
			async execute(this: IExecuteFunctions) {
				return [this.getInputData()];
			},
		},
	),
	if: testNode(
		{ inputs: [main], outputs: [main, main] },
		{
			async execute(this: IExecuteFunctions) {
				const { combinator, conditions } = this.getNodeParameter('conditions', 0) as unknown as Conditions;
				const found = conditions.map(({ leftValue, rightValue, operator: { operation } }) =>
					operation === 'gte' ? Number(leftValue) >= Number(rightValue) : leftValue === rightValue,
				);
				expect(combinator).toBe('or');
				return found.includes(true) ? [this.getInputData(), []] : [[], this.getInputData()];
			},
		},
	),
	wait: testNode(
		{ inputs: [main], outputs: [main] },
		{
			async execute(this: IExecuteFunctions) {
				expect(this.getNodeParameter('unit', 0)).toBe('minutes');
				if (now > Date.parse(`${TODAY}T23:00:00+08:00`)) throw new Error('It waits for ever.');
				now += Number(this.getNodeParameter('amount', 0)) * MINUTE_MS;
				return [this.getInputData()];
			},
		},
	),
};
ownNodes.if.description.properties = parameters('conditions');
ownNodes.wait.description.properties = parameters('amount', 'unit');
beforeAll(() => {
	for (const [name, type] of Object.entries(ownNodes)) nodeTypes[`n8n-nodes-base.${name}`] = type;
});
afterAll(() => {
	for (const name of Object.keys(ownNodes)) delete nodeTypes[`n8n-nodes-base.${name}`];
});

const MODELS: Record<string, string> = { chat: 'aurora-4-mini', image: 'image-2', speech: 'svc-tts' };

/** An example as far as it needs only these nodes, with the models and voices that it leaves to the user. */
function exampleOf(file: string): WorkflowJson {
	const text = readFileSync(path.join(folders.examples, file), 'utf8');
	const { nodes, connections } = JSON.parse(text) as WorkflowJson;
	const known = nodes.filter(({ type }) => type in nodeTypes);
	for (const { type, parameters } of known) {
		const model = MODELS[type.split('.')[1]];
		if (model) parameters.model = chosen(model);
		if (type.endsWith('.speech')) parameters.voice = chosen('Anders');
	}
	const names = new Set(known.map(({ name }) => name));
	const reached = Object.entries(connections).map(([from, { main: outputs = [] }]) => [
		from,
		{ main: outputs.map((output) => (output ?? []).filter(({ node }) => names.has(node))) },
	]);
	return { nodes: known, connections: Object.fromEntries(reached), settings: { timezone: 'Asia/Shanghai' } };
}

async function start(file: string, time: string, { emulator, credential, sent } = gateway) {
	now = Date.parse(`${TODAY}T${time}+08:00`);
	const { error, run } = await runWorkflow(exampleOf(file), { credential: credential() });
	expect(error).toBeUndefined();
	const count = (route: string) => emulator.journal.count(route);
	const prompts = sent('POST /v1/chat/completions').map((body) => JSON.stringify(body));
	return { asked: count('GET /v2/apis/60s'), spoken: count('POST /v1/audio/speech'), prompts, run };
}

describe('The morning examples', () => {
	it.each(['daily-briefing.json', 'daily-briefing.zh-CN.json'])(
		'%s waits for the news of today, and speaks it once',
		async (file) => {
			const { asked, spoken, prompts } = await start(file, '06:30');
			expect([asked, prompts.length]).toEqual([6, 1]);
			expect(prompts[0]).toMatch(DAYS.today);
			expect(prompts[0]).not.toMatch(DAYS.yesterday);
			gateway.reset();
			const later = await start(file, '12:00');
			expect([later.asked, later.spoken]).toEqual([1, spoken]);
			expect(spoken).toBeGreaterThan(0);
		},
	);

	it.each(['daily-briefing.json', 'daily-briefing.zh-CN.json'])(
		'%s waits until ten at the latest, and says of which day the news is',
		async (file) => {
			const { asked, prompts } = await start(file, '06:30', late);
			expect([asked, prompts.length]).toEqual([12, 1]);
			expect(prompts[0]).toMatch(DAYS.yesterday);
			expect(prompts[0]).not.toMatch(DAYS.today);
		},
	);

	it.each(['morning-show.json', 'morning-show.zh-CN.json'])(
		'%s pays for nothing else before the news of today is there',
		async (file) => {
			const { asked, run } = await start(file, '06:30');
			expect(asked).toBe(6);
			const others = gateway.emulator.journal
				.entries()
				.filter(({ path }) => path.startsWith('/v') && path !== '/v2/apis/60s');
			expect(others.map(({ path }) => path).sort()).toEqual(
				[
					'/v1/images/generations',
					'/v2/apis/exchange-rate',
					'/v2/apis/today-in-history',
					'/v2/apis/weather/forecast',
				].sort(),
			);
			const runs = Object.values(run.data.resultData.runData).map((tasks) => tasks.length);
			expect(Math.max(...runs)).toBe(6);
			for (const { receivedAt } of others) expect(receivedAt).toBe(now);
		},
	);
});
