import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { NodeHelpers, type INode, type INodeProperties, type INodePropertyCollection } from 'n8n-workflow';
import { version } from '../../../package.json';
import { nodeTypes, withDefaults } from '../engine/nodeTypes';
import { useEmulator } from '../engine/useEmulator';
import { placesIn } from './everyParameter';
import { isMainNode, nameOf, requestsOf, type SavedNode, UPGRADES } from './fixture';

/**
 * Workflows that were made with an earlier version keep working: names and values of parameters stay. If a test fails for
 * a version that was released, the change breaks the workflows of its users.
 */

function savedNodes(file: string): SavedNode[] {
	return JSON.parse(readFileSync(path.join(UPGRADES, file), 'utf8')) as SavedNode[];
}

const files = readdirSync(UPGRADES);
const cases = files.flatMap((file) =>
	savedNodes(file).map((saved, index) => ({
		...saved,
		index,
		name: `${path.parse(file).name}: ${saved.type.split('.')[1]} ${nameOf(saved.parameters.operation)}`,
	})),
);

/** The paths of all parameters that a user can set; those of tools belong to agents, which no fixture has. */
function settablePaths(properties: INodeProperties[], prefix = ''): string[] {
	return properties
		.filter(({ type, displayOptions }) => {
			return !['notice', 'hidden'].includes(type) && !displayOptions?.show?.['@tool']?.includes(true);
		})
		.flatMap((property) => {
			const own = prefix + property.name;
			if (property.type === 'collection') {
				return [own, ...settablePaths(property.options as INodeProperties[], `${own}.`)];
			}
			if (property.type !== 'fixedCollection') return [own];
			return (property.options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				settablePaths(values, `${own}.${name}.`),
			);
		});
}

const gateway = useEmulator();

describe('A workflow of an earlier version', () => {
	it.each(cases)('keeps every parameter of $name ($index)', ({ type, parameters }) => {
		const { description } = nodeTypes[type];
		const node = { name: 'Node', type, typeVersion: 1, parameters } as INode;
		expect(withDefaults(description, parameters)).toMatchObject(parameters);
		expect(NodeHelpers.getNodeParametersIssues(description.properties, node, description)).toBeNull();
	});

	it.each(cases.filter(({ type }) => isMainNode(type)))(
		'sends what it sent with $name ($index)',
		async ({ index, requests, ...saved }) => {
			expect(await requestsOf(saved, gateway.emulator, `upgrade-${index}`)).toEqual(requests);
		},
	);
});

describe('The fixture of this version', () => {
	it.each(Object.entries(nodeTypes))('sets every parameter of %s', (type, { description }) => {
		const nodes = savedNodes(`${version}.json`).filter((saved) => saved.type === type);
		const places = nodes.flatMap(({ parameters }) => placesIn(description.properties, parameters));
		const set = new Set(places.map(({ path: name }) => name));
		expect(settablePaths(description.properties).filter((name) => !set.has(name))).toEqual([]);
	});
});
