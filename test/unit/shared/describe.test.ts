import {
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { optionFields } from '../../../nodes/shared/fields/options';
import { describeOperations } from '../../../nodes/shared/run/describe';
import type { Operation } from '../../../nodes/shared/run/operation';
import { toolFields } from '../../../nodes/shared/run/deliver';

const PROMPT: INodeProperties = { displayName: 'Prompt', name: 'prompt', type: 'string', default: '' };
const SEED: INodeProperties = {
	displayName: 'Seed',
	name: 'seed',
	type: 'number',
	default: 0,
	displayOptions: { show: { random: [false] }, hide: { '@version': [1] } },
};

const operation = (value: string, fields: INodeProperties[]): Operation => ({
	value,
	name: value.toUpperCase(),
	action: `Do ${value}`,
	description: `What ${value} does`,
	fields,
	run: async () => [],
});
const draw = operation('draw', [PROMPT, SEED]);
const list = operation('list', []);

it('The time limit in Limits and Retries begins with that of the endpoint', () => {
	const lists = optionFields({ method: 'POST', timeoutSeconds: 7 });
	const { options = [] } = lists.find(({ name }) => name === 'limits')!;
	expect(options.find(({ name }) => name === 'timeoutSeconds')).toMatchObject({ default: 7 });
});

describe('A node', () => {
	const image = { name: 'Image', value: 'image' };

	it("has a heading of n8n's list of actions for each group, and one list of operations in the editor", () => {
		const grouped = [draw, list].map((one) => ({ ...one, group: one.value }));
		const properties = describeOperations(image, grouped);
		const [resource] = properties;
		expect(resource).toMatchObject({ type: 'hidden', default: 'image' });
		const headings = (resource.options as INodePropertyOptions[]).map(({ value }) => value);
		expect(headings).toEqual(['draw', 'list']);
		for (const heading of headings) {
			// As n8n makes its list of actions: the first selector of a resource, and what choosing an action sets.
			const selector = properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(heading as string),
			)!;
			expect(selector.options).toEqual([
				{ name: heading, value: heading, action: `Do ${heading as string}` },
			]);
			expect(selector.displayOptions?.show).toEqual({ resource: ['image', heading] });
			for (const value of ['image', ...headings]) {
				const { displayParameter } = NodeHelpers;
				const isShown = displayParameter({ resource: value }, selector, null, null);
				expect([value, isShown]).toEqual([value, value === heading]);
			}
		}
		const shown = properties.filter((one) =>
			NodeHelpers.displayParameter({ resource: 'image', operation: 'draw' }, one, null, null),
		);
		expect(shown.filter(({ name }) => name === 'operation')).toMatchObject([{ options: [{}, {}] }]);
	});

	it('offers an agent only the operations that can be tools', () => {
		const sort: Operation = { ...operation('sort', [PROMPT]), isTool: false };
		const properties = describeOperations(image, [sort, draw, list]);
		const shownIn = (type: string, values: Record<string, string>) =>
			properties.filter((property) =>
				NodeHelpers.displayParameter({ resource: 'image', ...values }, property, null, {
					name: type,
				} as INodeTypeDescription),
			);
		const selectorIn = (type: string) => shownIn(type, {}).find(({ name }) => name === 'operation');
		expect(selectorIn('image')).toMatchObject({ default: 'sort', options: [{}, {}, { value: 'sort' }] });
		expect(selectorIn('imageTool')).toMatchObject({
			default: 'draw',
			options: [{ value: 'draw' }, { value: 'list' }],
		});
		const toolOnly = toolFields.map(({ name }) => name);
		const namesIn = (type: string, value: string) =>
			shownIn(type, { operation: value }).map(({ name }) => name);
		expect(namesIn('imageTool', 'draw')).toEqual(expect.arrayContaining(toolOnly));
		expect(namesIn('image', 'draw')).not.toContain(toolOnly[0]);
		expect(describeOperations(image, [sort]).map(({ name }) => name)).not.toContain(toolOnly[0]);
	});
});
