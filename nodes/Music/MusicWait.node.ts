import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testCredential } from '../shared/gateway/testCredential';
import { waitDurably } from './durableWait/durableWait';
import { fields } from './durableWait/fields';

export class MusicWait implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Music Wait',
		name: 'musicWait',
		icon: { light: 'file:musicWait.svg', dark: 'file:musicWait.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: 'Get songs of finished tasks',
		description: 'Get the songs of music tasks once they are finished; until then, the execution sleeps',
		builderHint: {
			searchHint:
				'Sleeps until music tasks are finished. Connect its output Check Again back to its own input; the output Done has the songs, and what failed. No Wait node is needed. Connect no error output.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-unified-ai-gateway.music',
					relationHint: 'Starts the tasks, with Wait for Completion off',
				},
			],
		},
		defaults: { name: 'Unified AI Music Wait' },
		// A tool cannot sleep. Agents use the Wait operation of Unified AI Music instead.
		usableAsTool: undefined,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Check Again', 'Done'],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: fields,
	};

	methods = { credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await waitDurably(this);
	}
}
