import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { groupBy } from '../../../nodes/shared/plain/values';
import { nodeTypes } from '../engine/runWorkflow';
import { runSubNode } from '../engine/runSubNode';
import { useEmulator } from '../engine/useEmulator';
import { everyNode, isMainNode, nameOf, requestsOf } from '../upgrades/fixture';

/**
 * Every parameter of every node, with what the rows of a spreadsheet contain: the usual spellings mean what they say, and
 * anything else fails before anything is sent.
 */

/** A parameter of a node. */
interface Place {
	path: string;
	property: INodeProperties;
	value: unknown;
	/** The parameters of the node with another value of it. */
	with(value: unknown): INodeParameters;
}

/** The parameters that have a value in a node, also inside of collections and lists. */
function placesIn(properties: INodeProperties[], values: INodeParameters, prefix = ''): Place[] {
	return properties.flatMap((property): Place[] => {
		const { name, type, options = [], displayOptions: { show, hide } = {} } = property;
		const value = values[name];
		const operation = values.operation as string;
		const isOfOther =
			show?.operation?.includes(operation) === false || hide?.operation?.includes(operation) === true;
		if (value === undefined || isOfOther || ['resource', 'operation'].includes(name)) return [];
		const path = prefix + name;
		const changed = (other: unknown) => ({ ...values, [name]: other }) as INodeParameters;
		const itself = { path, property, value, with: changed };
		if (type === 'collection') {
			const inner = placesIn(options as INodeProperties[], value as INodeParameters, `${path}.`);
			return [
				itself,
				...inner.map((one) => ({ ...one, with: (other: unknown) => changed(one.with(other)) })),
			];
		}
		if (type !== 'fixedCollection') return [itself];
		const groups = value as Record<string, INodeParameters | INodeParameters[]>;
		const inner = (options as INodePropertyCollection[]).flatMap((group) => {
			const list = groups[group.name] ?? [];
			return [list].flat().flatMap((entry, index) =>
				placesIn(group.values, entry, `${path}.${group.name}.`).map((one) => ({
					...one,
					with: (other: unknown) => {
						const entries = Array.isArray(list) ? list.with(index, one.with(other)) : one.with(other);
						return changed({ ...groups, [group.name]: entries });
					},
				})),
			);
		});
		return [itself, ...inner];
	});
}

/** Parameters that other settings of every node here overrule, so that they are not read. */
const OVERRULED = [
	// n8n itself misses the fields that it shows.
	'music generate ownLyrics',
	// The text is sent as it is.
	'speech create options.partLength',
];
const all = everyNode()
	.flatMap(({ type, parameters }) => {
		const node = type.split('.')[1];
		// The utilities share their fields.
		const operation = node === 'utilities' ? '' : nameOf(parameters.operation);
		return placesIn(nodeTypes[type].description.properties, parameters).map((place) => {
			const name = [node, operation, place.path].filter((part) => part !== '').join(' ');
			return { ...place, type, name };
		});
	})
	.filter(({ name }) => !OVERRULED.includes(name));
type Case = (typeof all)[number];
/** The places of each parameter; with other settings, some of them have no effect and are not read. */
const casesOf = (type: INodeProperties['type']) =>
	groupBy(
		all.filter(({ property }) => property.type === type),
		({ name }) => name,
	).map((places) => ({ name: places[0].name, places }));

const gateway = useEmulator(3.1e7);
let executions = 0;
/** IDs of tasks, and the names of voices, which have to be new. */
const CHANCE = /\b[0-9a-f]{32}\b|(?<=Voice )\d+/g;

/** What a node sends, without what differs from run to run, or the message of its failure. */
async function outcomeOf(type: string, parameters: INodeParameters): Promise<unknown> {
	if (!isMainNode(type)) {
		const name = type.split('.')[1] as Parameters<typeof runSubNode>[0];
		gateway.reset();
		const credential = gateway.credential();
		const { error } = await runSubNode(name, parameters, async () => await Promise.resolve(), { credential });
		return error?.message ?? [];
	}
	const executionId = `rows-${(executions += 1)}`;
	const outcome = await requestsOf({ type, parameters }, gateway.emulator, executionId).catch(
		(error: Error) => error.message,
	);
	return JSON.parse(JSON.stringify(outcome).replace(CHANCE, '0')) as unknown;
}
/** What a row contains reaches the parameter through an expression. */
const inRow = (value: unknown) => `={{ ${JSON.stringify(value)} }}`;
const outcomeWith = async (place: Case, value: unknown) =>
	await outcomeOf(place.type, place.with(inRow(value)));
const expectNothingSent = () => expect(gateway.emulator.journal.entries('/*')).toEqual([]);

/** The first of the places where a value is refused before anything is sent. */
async function refusing(places: Case[], value: string, reason: string): Promise<Case> {
	for (const place of places) {
		const message = await outcomeWith(place, value);
		const words = `${place.property.displayName} ${reason}: "${value}"`;
		if (typeof message !== 'string' || !message.startsWith(words)) continue;
		expectNothingSent();
		return place;
	}
	throw new Error(`"${value}" is not refused.`);
}

describe('A switch', () => {
	const cases = casesOf('boolean');

	it('is found in every node', () => {
		const types = new Set(cases.map(({ places }) => places[0].type));
		expect(types.size).toBeGreaterThanOrEqual(Object.keys(nodeTypes).length - 1);
		expect(cases.length).toBeGreaterThan(60);
	});

	it.each(cases)('$name means what it says, or is refused before anything is sent', async ({ places }) => {
		const place = await refusing(places, 'maybe', 'is neither on nor off');
		const [on, off] = [await outcomeWith(place, true), await outcomeWith(place, false)];
		expect(await outcomeWith(place, ' YES ')).toEqual(on);
		expect(await outcomeWith(place, 0)).toEqual(off);
	});
});

describe('A number', () => {
	const cases = casesOf('number');

	it('is found in every node', () => {
		expect(new Set(cases.map(({ places }) => places[0].type)).size).toBe(Object.keys(nodeTypes).length);
		expect(cases.length).toBeGreaterThan(90);
	});

	it.each(cases)('$name may be a text, or is refused before anything is sent', async ({ places }) => {
		const place = await refusing(places, '8,5', 'is not a number');
		const text = Number.isInteger(place.value) ? ` ${String(place.value)}.0 ` : ` ${String(place.value)} `;
		expect(await outcomeWith(place, text)).toEqual(await outcomeWith(place, place.value));
	});
});

const ofMainNodes = all.filter(({ type }) => isMainNode(type));

describe('A choice', () => {
	const choicesOf = ({ options }: INodeProperties) => options as INodePropertyOptions[];
	const valuesOf = (property: INodeProperties) => choicesOf(property).map(({ value }) => value);
	const lists = ofMainNodes
		.filter(({ property }) => ['options', 'multiOptions'].includes(property.type))
		// A list with the choice Custom takes anything.
		.filter(({ property }) => !valuesOf(property).includes('custom'));
	// The same list of several utilities is read by the same code.
	const keyOf = ({ type, name, property }: Case) =>
		type.endsWith('.utilities') ? `${name} ${String(valuesOf(property))}` : name;
	const cases = groupBy(lists, keyOf).map(([one]) => one);

	it.each(cases)('that is none is refused, and nothing is sent: $name', async (place) => {
		const parameters = { ...place.with(inRow('no such choice')), waitForCompletion: true };
		const message = await outcomeOf(place.type, parameters);
		expect(message).toMatch(/no such choice.*which is not one of the choices/);
		expectNothingSent();
	});

	const open = cases.filter(({ property }) => !property.noDataExpression);
	it.each(open)('may be named by its label, in any case: $name', async (place) => {
		// Waiting takes seconds; what it reads is read by Wait for Song as well.
		const outcomeFor = async (choice: string) =>
			await outcomeOf(place.type, { ...place.with(inRow(choice)), waitForCompletion: false });
		for (const { name, value } of choicesOf(place.property)) {
			const expected = await outcomeFor(String(value));
			for (const spelling of new Set([name.toUpperCase(), String(value).toUpperCase()])) {
				expect([spelling, await outcomeFor(spelling)]).toEqual([spelling, expected]);
			}
		}
	});
});

describe('A parameter that is missing or odd', () => {
	/** What an expression gives for a row without the field, or with another type; and no parameter at all. */
	const ODD = ['={{ undefined }}', '={{ {} }}', undefined];
	const cases = groupBy(
		ofMainNodes.filter(({ path }) => /^(?:options\.)?[^.]+$/.test(path)),
		({ name }) => name,
	).map(([one]) => one);

	it.each(cases)('is never "undefined" in a message: $name', async (place) => {
		for (const odd of ODD) {
			// Waiting takes seconds.
			const outcome = await outcomeOf(place.type, { ...place.with(odd), waitForCompletion: false });
			// n8n does not resolve every expression.
			if (typeof outcome === 'string') {
				expect(outcome.replace('{{ undefined }}', '')).not.toMatch(/\bundefined\b/);
			}
		}
	});
});
