import type { IDataObject } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { operationCases } from '../faults/operations';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { useFastClock } from '../faults/fastClock';
import { titleOf } from '../faults/operationCase';
import { oneNode, runWorkflow } from './runWorkflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';

useFastClock(20);

/** Operations of many endpoints. */
const NOT_SIMPLIFIED = /^utilities/;
/** What an operation is asked for, which its table begins with. */
const FIRST: Record<string, string> = {
	'account getManyModels': 'id',
	'account getSubscription': 'hardLimitUsd',
	chat: 'text',
	'embed embedText': 'text',
	'image generate': 'prompt',
	'music generate': 'title',
	'music get': 'title',
	'music wait': 'title',
	'rerank rerankInputItems': 'text',
	'rerank rerankList': 'document',
	'speech create': 'voice',
	'speech getManyVoices': 'name',
	'speech joinItems': 'title',
	'voiceModel create': 'name',
	'voiceModel getMany': 'name',
};
/** What cannot be flat: a vector, and where each of many items is in one file. */
const NESTED: Record<string, string[]> = {
	'embed embedText': ['embedding'],
	'speech joinItems': ['stories'],
};
/** A value that makes a table hard to read: an address. What was asked for may be long and still comes first. */
const isLong = (value: unknown) => typeof value === 'string' && /^https?:/.test(value);

const cases = operationCases
	.map((operation) => [titleOf(operation), operation] as const)
	.filter(([title]) => !NOT_SIMPLIFIED.test(title) && !/only submitting/.test(title));

/** The names of the fields in the examples of output on the page of a node. */
function examplesOf(node: string): string[][] {
	const page = node.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
	const text = readFileSync(path.join(__dirname, `../../../docs/nodes/${page}.md`), 'utf8');
	return [...text.matchAll(/```json\n(\{\n[^]*?\n\})\n```/g)].map(([, json]) =>
		[...json.matchAll(/^ {2}"(\w+)":/gm)].map(([, name]) => name),
	);
}

describe('The table of simplified results', () => {
	const tables = new Map<string, string[][]>();
	let emulator: Emulator;
	beforeAll(async () => (emulator = await startEmulator({ now: () => systemClock.date() })));
	afterAll(async () => await emulator.close());

	it.each(cases)(
		'%s is flat, begins with what was asked for, and ends with long values',
		async (title, operation) => {
			const { node, operation: value, parameters, input } = operation;
			const workflow = oneNode(node, { operation: value, simplify: true, ...parameters });
			const { items, error } = await runWorkflow(workflow, {
				credential: { baseUrl: emulator.url, apiKey: emulator.apiKey },
				input: input?.(emulator),
			});
			expect(error).toBeUndefined();
			const json: IDataObject = items[0].json;
			const keys = Object.keys(json);
			tables.set(node, [...(tables.get(node) ?? []), keys]);
			const known = Object.entries(FIRST).find(([start]) => title.startsWith(start));
			expect(keys[0]).toBe(known?.[1]);
			const nested = keys.filter((key) => typeof json[key] === 'object' && json[key] !== null);
			expect(nested).toEqual(NESTED[title] ?? []);
			const long = keys.map((key) => isLong(json[key]));
			expect(long).toEqual([...long].sort());
		},
	);

	it.each([...new Set(cases.map(([, { node }]) => node))])(
		'has the order of the examples in docs/nodes: %s',
		(node) => {
			const outOfOrder = examplesOf(node).filter((names) => {
				const alike = tables
					.get(node)!
					.filter((keys) => keys.filter((key) => names.includes(key)).length >= 3);
				const inOrder = (keys: string[]) => names.filter((name) => keys.includes(name)).join();
				return (
					alike.length > 0 &&
					!alike.some((keys) => inOrder(keys) === keys.filter((key) => names.includes(key)).join())
				);
			});
			expect(outOfOrder).toEqual([]);
		},
	);
});
