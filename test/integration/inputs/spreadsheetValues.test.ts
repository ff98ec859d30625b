import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';
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

/** One case for each parameter of each operation; most parameters of the utilities are the same ones. */
function casesOf(valueType: 'boolean' | 'number'): Case[] {
	const seen = new Set<string>();
	return everyNode().flatMap(({ type, parameters }) =>
		pathsOf(parameters, valueType).flatMap((path) => {
			const node = type.split('.')[1];
			const operation = node === 'utilities' ? '' : nameOf(parameters.operation);
			const name = [node, operation, path.join('.')].filter((part) => part !== '').join(' ');
			if (seen.has(name)) return [];
			seen.add(name);
			return [{ type, name, parameters, path }];
		}),
	);
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
		const nested = (property.options ?? []).flatMap((option) =>
			'values' in option ? (option as INodePropertyCollection).values : 'type' in option ? [option] : [],
		) as INodeProperties[];
		const own = property.name === name ? [property.displayName] : [];
		return [...own, ...labelsOf(nested, name)];
	});
}

const emulated = useEmulator(31_000_000);
let execution = 0;

/** What a node sends, or the message of its failure. */
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
	return await requestsOf({ type, parameters: changed }, emulated.emulator, `inputs-${execution}`).catch(
		(error: Error) => error.message,
	);
}

const sentNothing = () => emulated.emulator.journal.entries('/*').length === 0;

describe('A switch', () => {
	const cases = casesOf('boolean');

	it('is found in every node', () => {
		const types = new Set(cases.map(({ type }) => type));
		expect(types.size).toBeGreaterThanOrEqual(Object.keys(nodeTypes).length - 1);
		expect(cases.length).toBeGreaterThan(60);
	});

	it.each(cases)('$name means what it says, or is refused before anything is sent', async (one) => {
		const [on, off] = [await outcomeOf(one, true), await outcomeOf(one, false)];
		expect(await outcomeOf(one, ' YES ')).toEqual(on);
		expect(await outcomeOf(one, 0)).toEqual(off);
		const refusal = await outcomeOf(one, 'maybe');
		const labels = labelsOf(nodeTypes[one.type].description.properties, String(one.path.at(-1)));
		expect(labels.map((label) => `${label} is neither on nor off: "maybe"`)).toContain(startOf(refusal));
		expect(sentNothing()).toBe(true);
	});
});

describe('A number', () => {
	const cases = casesOf('number');

	it('is found in every node', () => {
		expect(new Set(cases.map(({ type }) => type)).size).toBe(Object.keys(nodeTypes).length);
		expect(cases.length).toBeGreaterThan(100);
	});

	it.each(cases)('$name may be a text, or is refused before anything is sent', async (one) => {
		const number = one.path.reduce<unknown>((value, key) => (value as INodeParameters)[key], one.parameters);
		const text = Number.isInteger(number) ? ` ${String(number)}.0 ` : ` ${String(number)} `;
		expect(await outcomeOf(one, text)).toEqual(await outcomeOf(one, number));
		const refusal = await outcomeOf(one, '8,5');
		const labels = labelsOf(nodeTypes[one.type].description.properties, String(one.path.at(-1)));
		expect(labels.map((label) => `${label} is not a number: "8,5"`)).toContain(startOf(refusal));
		expect(sentNothing()).toBe(true);
	});
});

/** A message up to the end of the value that it quotes. */
function startOf(message: unknown): string {
	const text = typeof message === 'string' ? message : JSON.stringify(message);
	return /^[^"]*"[^"]*"/.exec(text)?.[0] ?? text;
}
