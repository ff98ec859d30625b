import { NodeHelpers, type INodeProperties, type INodePropertyOptions } from 'n8n-workflow';
import type { WorkflowNode } from '../../tools/host/n8nTypes';
import { workflowNode } from '../../tools/host/workflowBuilder';
import { nodeTypes } from '../integration/engine/nodeTypes';
import { byId } from './workflows';

/** A tool that carries out one operation of one node. */
interface OperationTool {
	tool: WorkflowNode;
	/** The description that n8n gives to models. */
	description: string;
}

/** The values of resource locators that no model chooses, by node and parameter. */
const chosen: Record<string, string> = {
	'chat model': 'aurora-4-mini',
	'image model': 'image-2',
	'music model': 'music-v5',
	'rerank model': 'reranker-v2-m3',
	'speech model': 'svc-tts',
	'speech voice': 'Anders',
};

/** Other parameters that a tool needs and no model enters. */
const settings: Record<string, object> = {
	music_generate: { waitForCompletion: false },
	music_wait: { limits: { pollIntervalSeconds: 5 } },
	utilities_currentWeather: { query: "={{ $fromAI('city') }}" },
	utilities_fuelPrices: { region: "={{ $fromAI('city') }}" },
	utilities_musicChart: { id: byId('3778678') },
	utilities_translate: { text: "={{ $fromAI('text') }}", to: byId('fr') },
	utilities_weatherForecast: { query: "={{ $fromAI('city') }}" },
};

/** A tool for each operation that can be one, without a description of its own. The model enters what is required. */
export function allTools(): OperationTool[] {
	const nodes = Object.entries(nodeTypes).filter(([, { description }]) => description.usableAsTool);
	return nodes.flatMap(([type, { description }]) => {
		const { properties } = description;
		const selector = properties.findLast(({ name, type }) => name === 'operation' && type === 'options')!;
		const node = type.split('.').at(-1)!;
		return (selector.options as INodePropertyOptions[]).map(({ value, action }) => {
			const name = `${node}_${value}`;
			const parameters = {
				descriptionType: 'auto',
				operation: value,
				...requiredOf(node, properties, String(value)),
				...settings[name],
			};
			return {
				tool: workflowNode(name, `${type}Tool`, 1, parameters),
				description: `${action} in ${description.defaults.name}`,
			};
		});
	});
}

function requiredOf(node: string, properties: INodeProperties[], operation: string): Record<string, unknown> {
	const tool = { name: `${node}Tool` } as never;
	const values = NodeHelpers.getNodeParameters(properties, { operation }, true, true, null, tool)!;
	const shown = properties.filter(
		(property) => property.required && NodeHelpers.displayParameter(values, property, null, tool),
	);
	return Object.fromEntries(
		shown.flatMap(({ name, type }): Array<[string, unknown]> => {
			const choice = chosen[`${node} ${name}`];
			if (choice !== undefined) return [[name, byId(choice)]];
			if (type === 'number') return [[name, `={{ $fromAI('${name}', '', 'number') }}`]];
			return values[name] === '' ? [[name, `={{ $fromAI('${name}') }}`]] : [];
		}),
	);
}

/** The arguments that the scripted model enters, by parameter. */
export const sampleArguments: Record<string, string | number> = {
	age: 40,
	city: '上海',
	content: 'Hello',
	documents: 'A lamp\nA chair',
	domain: 'example.com',
	gender: 'female',
	height: 180,
	password: 'correct horse battery staple',
	path: '/v1/models',
	prompt: 'A red kite over the sea',
	query: 'lamp',
	text: 'Good morning',
	url: 'https://example.com',
	weight: 75,
	word: 'tea',
};

/** Arguments of single tools that differ from the others. */
export const ownArguments: Record<string, Record<string, string>> = {
	utilities_getCustomEndpoint: { path: '60s' },
};
