import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { nodeTypes } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { everyNode, isMainNode, nameOf, requestsOf } from '../upgrades/fixture';

/** A list of choices in the parameters of a node, and these parameters with another value of it. */
interface Choice {
	path: string;
	property: INodeProperties;
	with(value: string): INodeParameters;
}

/** The lists of choices that a node has values of, without those that select the operation. */
function choicesIn(properties: INodeProperties[], values: INodeParameters, prefix = ''): Choice[] {
	return properties.flatMap((property): Choice[] => {
		const { name, type, options = [], displayOptions } = property;
		const value = values[name];
		const { show, hide } = displayOptions ?? {};
		const operation = values.operation as string;
		const isOfOther =
			show?.operation?.includes(operation) === false || hide?.operation?.includes(operation) === true;
		if (value === undefined || isOfOther || ['resource', 'operation'].includes(name)) return [];
		const path = prefix + name;
		if (type === 'options' || type === 'multiOptions') {
			return [{ path, property, with: (other) => ({ ...values, [name]: other }) }];
		}
		if (type === 'collection') {
			return choicesIn(options as INodeProperties[], value as INodeParameters, `${path}.`).map((inner) => ({
				...inner,
				with: (other) => ({ ...values, [name]: inner.with(other) }),
			}));
		}
		if (type !== 'fixedCollection') return [];
		return (options as INodePropertyCollection[]).flatMap((group) => {
			const [entry, ...others] = [(value as INodeParameters)[group.name] ?? []].flat() as INodeParameters[];
			if (entry === undefined) return [];
			const isList = Array.isArray((value as INodeParameters)[group.name]);
			return choicesIn(group.values, entry, `${path}.${group.name}.`).map((inner) => ({
				...inner,
				with: (other) => ({
					...values,
					[name]: {
						...(value as INodeParameters),
						[group.name]: isList ? [inner.with(other), ...others] : inner.with(other),
					},
				}),
			}));
		});
	});
}

const choicesOf = ({ options }: INodeProperties) =>
	(options as INodePropertyOptions[]).map(({ value }) => value);

const seen = new Set<string>();
const cases = everyNode()
	.filter(({ type }) => isMainNode(type))
	.flatMap(({ type, parameters }) =>
		choicesIn(nodeTypes[type].description.properties, parameters).map((choice) => ({
			...choice,
			type,
			operation: nameOf(parameters.operation),
			name: type.split('.')[1],
		})),
	)
	// A list with the choice Custom takes anything.
	.filter(({ property }) => !choicesOf(property).includes('custom'))
	.filter(({ type, path, operation, property }) => {
		// The same list of several utilities is read by the same code.
		const own = type.endsWith('.utilities') ? String(choicesOf(property)) : operation;
		const key = `${type} ${own} ${path}`;
		return !seen.has(key) && seen.add(key);
	});

const gateway = useEmulator(1e7);

describe('A list of choices that an expression fills', () => {
	it.each(cases)(
		'refuses what is not one of them, and sends nothing: $name $operation, $path',
		async (one) => {
			const parameters = { ...one.with('={{ "no such choice" }}'), waitForCompletion: true };
			await expect(requestsOf({ type: one.type, parameters }, gateway.emulator, 'choices')).rejects.toThrow(
				/no such choice.*which is not one of the choices/,
			);
			expect(gateway.emulator.journal.entries('/*')).toEqual([]);
		},
	);

	const open = cases.filter(({ property }) => !property.noDataExpression);
	it.each(open)('takes each of them and its label in any case: $name $operation, $path', async (one) => {
		const outcomeOf = async (choice: string) => {
			// Waiting takes seconds; what it reads is read by Wait for Song as well.
			const parameters = { ...one.with(`={{ ${JSON.stringify(choice)} }}`), waitForCompletion: false };
			const outcome = await requestsOf({ type: one.type, parameters }, gateway.emulator, 'choices').catch(
				String,
			);
			// Each task has an ID of its own, and each voice a name.
			return JSON.stringify(outcome, null, '\t').replace(/[0-9a-f]{32}|Voice \d+/g, '*');
		};
		for (const { name, value } of one.property.options as INodePropertyOptions[]) {
			const expected = await outcomeOf(String(value));
			for (const spelling of new Set([name.toUpperCase(), String(value).toUpperCase()])) {
				expect([spelling, await outcomeOf(spelling)]).toEqual([spelling, expected]);
			}
		}
	});
});
