import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypes,
	Workflow,
} from 'n8n-workflow';
import { nodeTypes, withDefaults } from '../../integration/engine/nodeTypes';

const LISTS = ['options', 'limits', 'spending'];
const nodes = Object.entries(nodeTypes).map(([type, { description }]) => ({
	name: type.split('.')[1],
	description,
}));

/** What the editor shows of a node with these values. */
function inSight(name: string, values: INodeParameters, within?: INodeProperties[]): INodeProperties[] {
	const { description } = nodes.find((node) => node.name === name)!;
	const node = { typeVersion: 1 } as INode;
	const all = NodeHelpers.getNodeParameters(description.properties, values, true, true, node, description)!;
	return (within ?? description.properties).filter(
		(property) =>
			!['hidden', 'notice'].includes(property.type) &&
			NodeHelpers.displayParameter(within ? {} : all, property, node, description, all),
	);
}

/** The names of the options that the editor offers in a list. */
function offered(name: string, values: INodeParameters, list: string): string[] {
	const collection = inSight(name, values).find((property) => property.name === list);
	const options = (collection?.options ?? []) as INodeProperties[];
	return inSight(name, values, options).map((option) => option.name);
}

const optionsOf = ({ properties }: { properties: INodeProperties[] }, lists = LISTS) =>
	properties
		.filter(({ name, type }) => type === 'collection' && lists.includes(name))
		.flatMap(({ options }) => options as INodeProperties[]);

/** The fields of the entries of a fixed collection. */
const entriesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'fixedCollection' ? (options as INodePropertyCollection[]).flatMap(({ values }) => values) : [];

const chosen = (value: string) => ({ __rl: true, mode: 'list', value });

it('Numbers are whole, except those that are no count', () => {
	const all = nodes.flatMap(({ description }) => [...description.properties, ...optionsOf(description)]);
	const numbers = all.filter(
		({ type, typeOptions = {} }) => type === 'number' && typeOptions.numberPrecision !== 0,
	);
	expect([...new Set(numbers.map(({ displayName }) => displayName))].sort()).toEqual([
		'Max Cost',
		'Max Wait (Minutes)',
		'Minimum Score',
		'Pause Between Items (Seconds)',
		'Poll Interval (Seconds)',
		'Speed',
		'Temperature',
		'Timeout (Seconds)',
		'Top P',
		'Total Time Limit (Minutes)',
	]);
});

it('Numbers may have all values that their descriptions name', () => {
	const all = nodes.flatMap(({ description }) => [...description.properties, ...optionsOf(description)]);
	const ranges = all.flatMap(({ description = '', typeOptions }) => {
		const named = /from ([\d.]+) to ([\d.]+\d|\d)/.exec(description);
		return named ? [[Number(named[1]), Number(named[2]), typeOptions] as const] : [];
	});
	expect(ranges.length).toBeGreaterThan(2);
	for (const [minValue, maxValue, typeOptions] of ranges) {
		expect(typeOptions).toMatchObject({ minValue, maxValue });
	}
});

it.each<[string, INodeParameters, string]>([
	['chat', { model: chosen('aurora-4') }, 'aurora-4'],
	['chatModel', { model: chosen('aurora-4') }, 'aurora-4'],
	['speech', { model: chosen('svc-tts'), voice: chosen('Anders') }, 'svc-tts, Anders'],
	['music', { options: { model: chosen('song-5') } }, 'song-5'],
	['music', {}, 'Generate music'],
])('The canvas shows below %s with %j: %s', (name, parameters, below) => {
	const type = Object.keys(nodeTypes).find((one) => one.endsWith(`.${name}`))!;
	const { description } = nodeTypes[type];
	const all = withDefaults(description, parameters);
	const node: INode = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters: all };
	const types = { getByNameAndVersion: () => nodeTypes[type] } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes: types });
	const subtitle = workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {});
	expect(subtitle).toBe(below);
});

describe.each(nodes)('The panel of $name', ({ description }) => {
	it('offers switches that are on when they are added, and each option in one list only', () => {
		const options = optionsOf(description);
		const switches = options.filter(({ type }) => type === 'boolean');
		expect(switches.filter(({ default: preset }) => preset !== true)).toEqual([]);
		const lists = [...new Set(options.map((option) => option.name))].map((name) =>
			LISTS.filter((list) => optionsOf(description, [list]).some((option) => option.name === name)),
		);
		expect(lists.filter((found) => found.length !== 1)).toEqual([]);
	});

	it('has no label that the panel cuts off', () => {
		// At 1440 x 900, n8n 2.41 cut off "Speak Each Sentence Separately" in a list.
		const tooLong = (properties: INodeProperties[], most: number) =>
			properties.filter(({ type, displayName }) => type !== 'notice' && displayName.length > most);
		expect(tooLong(description.properties, 33)).toEqual([]);
		expect(tooLong(optionsOf(description), 29)).toEqual([]);
		// "Input Data Field Names" in an entry of a list.
		expect(tooLong(optionsOf(description).flatMap(entriesOf), 21)).toEqual([]);
	});
});

const pickers = nodes.flatMap(({ name: node, description }) =>
	[...description.properties, ...optionsOf(description)]
		.filter(({ name }) => name === 'model')
		.map(({ default: preset }) => ({ node, preset })),
);
it.each(pickers)('The panel of $node preselects no model', ({ preset }) => {
	expect(preset).toEqual({ mode: 'list', value: '' });
});

describe('The panels', () => {
	it.each([
		['chat', 'chatCompletion', 16],
		['chat', 'message', 16],
		['chat', 'generateContent', 16],
		['speech', 'create', 6],
		['speech', 'joinItems', 7],
	])('of %s offer for %s at most %i options about the model', (name, operation, most) => {
		expect(offered(name, { operation }, 'options').length).toBeLessThanOrEqual(most);
	});

	it('of Join Items show at most six fields above the lists: the text, its voice, and little more', () => {
		const names = inSight('speech', { operation: 'joinItems' }).map(({ name }) => name);
		const fields = ['operation', 'source', 'model', 'text', 'voice', 'removeFormatting'];
		expect(names).toEqual([...fields, 'tags', ...LISTS]);
	});

	it.each([
		['text', true],
		['mixed', true],
		['={{ $json.source }}', true],
		['file', false],
	])('of Join Items with the source %s offer a format only if something is spoken', (source, isOffered) => {
		const options = offered('speech', { operation: 'joinItems', source }, 'options');
		expect(options.includes('format')).toBe(isOffered);
	});
});

describe('The panel of Unified AI Chat', () => {
	const { properties } = nodes.find(({ name }) => name === 'chat')!.description;
	const operation = properties.find(({ name }) => name === 'operation')!;
	const choices = operation.options as Array<{ name: string; value: string; description: string }>;

	it('begins with the operation that is right for nearly everybody', () => {
		expect(operation.default).toBe('chatCompletion');
		expect(choices[0]).toMatchObject({ name: 'Message a Model', value: 'chatCompletion' });
	});

	it.each(choices.flatMap(({ value }) => ['prompt', 'messages', 'json'].map((input) => [value, input])))(
		'shows at most seven parameters above Options for %s with the input %s',
		(value, inputType) => {
			const names = inSight('chat', { operation: value, inputType }).map(({ name }) => name);
			expect(names.splice(-3)).toEqual(LISTS);
			expect(names.length).toBeLessThanOrEqual(7);
			expect(names.slice(0, 3)).toEqual(['operation', 'model', 'inputType']);
		},
	);
});
