import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { describeResources } from '../shared/runtime/describe';
import { runOperations } from '../shared/runtime/runOperations';
import { groups } from './catalogue';
import { operations } from './operations';

export class Utilities implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Utilities',
		name: 'utilities',
		icon: { light: 'file:utilities.svg', dark: 'file:utilities.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"].replace(/([A-Z])/g, " $1").toLowerCase() + " (" + $parameter["resource"] + ")" }}',
		description: 'Get news and other information from a unified AI gateway',
		defaults: { name: 'Unified AI Utilities' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true }],
		properties: describeResources(groups, operations),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, operations);
	}
}
