import type { INodeProperties } from 'n8n-workflow';
import { describeOperations, describeResources, subtitleOf } from '../../../nodes/shared/runtime/describe';
import type { Operation } from '../../../nodes/shared/runtime/operation';

const PROMPT: INodeProperties = { displayName: 'Prompt', name: 'prompt', type: 'string', default: '' };
const SEED: INodeProperties = {
	displayName: 'Seed',
	name: 'seed',
	type: 'number',
	default: 0,
	displayOptions: { show: { random: [false] }, hide: { '@version': [1] } },
};

const operation = (value: string, fields: INodeProperties[], resource?: string): Operation => ({
	resource,
	value,
	name: value.toUpperCase(),
	action: `Do ${value}`,
	description: `What ${value} does`,
	fields,
	run: async () => [],
});
const draw = operation('draw', [PROMPT, SEED]);
const list = operation('list', []);
const listed = (value: string) => ({
	value,
	name: value.toUpperCase(),
	action: `Do ${value}`,
	description: `What ${value} does`,
});

describe('A node without resources', () => {
	it('offers its operations, the first one by default, and shows the fields of the chosen one', () => {
		expect(describeOperations([draw, list])).toEqual([
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				options: [listed('draw'), listed('list')],
				default: 'draw',
			},
			{ ...PROMPT, displayOptions: { show: { operation: ['draw'] } } },
			{
				...SEED,
				displayOptions: { show: { operation: ['draw'], random: [false] }, hide: { '@version': [1] } },
			},
		]);
	});
});

describe('A node with resources', () => {
	const resources = [
		{ name: 'Image', value: 'image' },
		{ name: 'Style', value: 'style' },
	];
	const operations = [operation('draw', [PROMPT], 'image'), operation('list', [], 'style')];

	it('offers the operations of the chosen resource', () => {
		const [resource, images, styles, prompt, ...more] = describeResources(resources, operations);
		expect(resource).toEqual({
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources,
			default: 'image',
		});
		expect(images).toMatchObject({
			name: 'operation',
			displayOptions: { show: { resource: ['image'] } },
			options: [listed('draw')],
			default: 'draw',
		});
		expect(styles).toMatchObject({
			displayOptions: { show: { resource: ['style'] } },
			options: [listed('list')],
			default: 'list',
		});
		expect(prompt).toEqual({
			...PROMPT,
			displayOptions: { show: { resource: ['image'], operation: ['draw'] } },
		});
		expect(more).toEqual([]);
	});

	it('starts with another resource if it says so', () => {
		expect(describeResources(resources, operations, 'style')[0].default).toBe('style');
	});
});

describe('The text below a node', () => {
	it('is the action of the chosen operation', () => {
		expect(subtitleOf([draw, list])).toBe(
			'={{ {"draw":"Do draw","list":"Do list"}[$parameter["operation"]] }}',
		);
	});
});
