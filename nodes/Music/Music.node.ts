import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { searchModels } from '../shared/fields/picker';
import { describeOperations } from '../shared/runtime/describe';
import { runOperations } from '../shared/runtime/runOperations';
import { operations } from './operations';

export class Music implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Music',
		name: 'music',
		icon: { light: 'file:music.svg', dark: 'file:music.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ { generate: "Generate music", get: "Get music task", wait: "Wait for music tasks" }[$parameter["operation"]] }}',
		description: 'Have songs made by a unified AI gateway and wait for them without losing one',
		defaults: { name: 'Unified AI Music' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true }],
		properties: describeOperations(operations),
	};

	methods = { listSearch: { searchModels } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, operations);
	}
}
