import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { groupBy } from '../../../nodes/shared/plain/values';
import { nodeTypes } from '../engine/runWorkflow';
import { runSubNode } from '../engine/runSubNode';
import { useEmulator } from '../engine/useEmulator';
import { everyNode, isMainNode, nameOf, requestsOf } from '../upgrades/fixture';

/**
 * Every switch and every number of every node, as spreadsheets write them: the usual spellings mean what they say, and
 * anything else fails before anything is sent.
 */

type Path = Array<string | number>;

/** A parameter of one node, with that node's parameters. */
interface Case {
	type: string;
	/** For the title of the test. */
	name: string;
	parameters: INodeParameters;
	path: Path;
}

/** The places of all values of a type in the parameters of a node. */
function pathsOf(value: unknown, type: 'boolean' | 'number', path: Path = []): Path[] {
	if (typeof value === type) return path.at(-1) === '__rl' ? [] : [path];
	if (typeof value !== 'object' || value === null) return [];
	const entries: Array<[string | number, unknown]> = Array.isArray(value)
		? [...value.entries()]
		: Object.entries(value);
	return entries.flatMap(([key, entry]) => pathsOf(entry, type, [...path, key]));
}

/** Parameters that other settings of every node here overrule, so that they are not read. */
const OVERRULED = [
	// A schema is always checked.
	// n8n itself misses the fields that it shows.
	'music generate ownLyrics',
	// The text is sent as it is.
	'speech create options.partLength',
];

/**
 * The nodes with each parameter of each operation; most parameters of the utilities are the same ones. With other
 * settings, some of them have no effect and are not read.
 */
function casesOf(valueType: 'boolean' | 'number'): Array<{ name: string; type: string; nodes: Case[] }> {
	const all = everyNode().flatMap(({ type, parameters }) =>
		pathsOf(parameters, valueType).map((path): Case => {
			const node = type.split('.')[1];
			const operation = node === 'utilities' ? '' : nameOf(parameters.operation);
			const name = [node, operation, path.join('.')].filter((part) => part !== '').join(' ');
			return { type, name, parameters, path };
		}),
	);
	const read = all.filter(({ name }) => !OVERRULED.includes(name));
	return groupBy(read, ({ name }) => name).map((nodes) => ({ ...nodes[0], nodes }));
}

/** The first of the nodes that refuses a value before anything is sent. */
async function refusing(nodes: Case[], value: string, reason: string): Promise<Case> {
	for (const node of nodes) {
		const { properties } = nodeTypes[node.type].description;
		const labels = labelsOf(properties, String(node.path.at(-1)));
		const start = startOf(await outcomeOf(node, value));
		if (!labels.some((label) => start === `${label} ${reason}: "${value}"`)) continue;
		expect(sentNothing()).toBe(true);
		return node;
	}
	throw new Error(`"${value}" is not refused.`);
}

function withValue(parameters: INodeParameters, path: Path, value: unknown): INodeParameters {
	const copy = structuredClone(parameters);
	let place = copy as Record<string | number, unknown>;
	for (const key of path.slice(0, -1)) place = place[key] as typeof place;
	// What a row contains reaches the parameter through an expression.
	place[path.at(-1)!] = `={{ ${JSON.stringify(value)} }}`;
	return copy;
}

/** The labels of all parameters with a name. */
function labelsOf(properties: INodeProperties[], name: string): string[] {
	return properties.flatMap((property) => {
		const nested = (property.options ?? []).flatMap((option): INodeProperties[] =>
			'values' in option ? option.values : 'type' in option ? [option] : [],
		);
		const own = property.name === name ? [property.displayName] : [];
		return [...own, ...labelsOf(nested, name)];
	});
}

const emulated = useEmulator(31_000_000);
let execution = 0;

/** IDs of tasks, and the names of voices, which have to be new. */
const CHANCE = /\b[0-9a-f]{32}\b|(?<=Voice )\d+/g;

/** What a node sends, without what differs from run to run, or the message of its failure. */
async function outcomeOf({ type, parameters, path }: Case, value: unknown): Promise<unknown> {
	const changed = withValue(parameters, path, value);
	execution += 1;
	if (!isMainNode(type)) {
		const name = type.split('.')[1] as Parameters<typeof runSubNode>[0];
		emulated.reset();
		const credential = emulated.credential();
		const { error } = await runSubNode(name, changed, async () => await Promise.resolve(), { credential });
		return error?.message ?? [];
	}
	const outcome = await requestsOf(
		{ type, parameters: changed },
		emulated.emulator,
		`inputs-${execution}`,
	).catch((error: Error) => error.message);
	return JSON.parse(JSON.stringify(outcome).replace(CHANCE, '0')) as unknown;
}

const sentNothing = () => emulated.emulator.journal.entries('/*').length === 0;

describe('A switch', () => {
	const cases = casesOf('boolean');

	it('is found in every node', () => {
		const types = new Set(cases.map(({ type }) => type));
		expect(types.size).toBeGreaterThanOrEqual(Object.keys(nodeTypes).length - 1);
		expect(cases.length).toBeGreaterThan(60);
	});

	it.each(cases)('$name means what it says, or is refused before anything is sent', async ({ nodes }) => {
		const one = await refusing(nodes, 'maybe', 'is neither on nor off');
		const [on, off] = [await outcomeOf(one, true), await outcomeOf(one, false)];
		expect(await outcomeOf(one, ' YES ')).toEqual(on);
		expect(await outcomeOf(one, 0)).toEqual(off);
	});
});

describe('A number', () => {
	const cases = casesOf('number');

	it('is found in every node', () => {
		expect(new Set(cases.map(({ type }) => type)).size).toBe(Object.keys(nodeTypes).length);
		expect(cases.length).toBeGreaterThan(100);
	});

	it.each(cases)('$name may be a text, or is refused before anything is sent', async ({ nodes }) => {
		const one = await refusing(nodes, '8,5', 'is not a number');
		const number = one.path.reduce<unknown>((value, key) => (value as INodeParameters)[key], one.parameters);
		const text = Number.isInteger(number) ? ` ${String(number)}.0 ` : ` ${String(number)} `;
		expect(await outcomeOf(one, text)).toEqual(await outcomeOf(one, number));
	});
});

/** A message up to the end of the value that it quotes. */
function startOf(message: unknown): string {
	const text = typeof message === 'string' ? message : JSON.stringify(message);
	return /^[^"]*"[^"]*"/.exec(text)?.[0] ?? text;
}
