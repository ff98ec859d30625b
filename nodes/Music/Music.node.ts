import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import type { Operation } from '../shared/run/operation';
import { runOperations } from '../shared/run/runOperations';
import { generate } from './operations/generate.operation';
import { get } from './operations/get.operation';
import { wait } from './operations/wait.operation';

export const operations: Operation[] = [generate, get, wait];

export class Music implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Music',
		name: 'music',
		icon: { light: 'file:music.svg', dark: 'file:music.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, ['options?.model?.value']),
		description: 'Generate songs with a unified AI gateway and wait for all of them',
		builderHint: {
			searchHint:
				'Generates songs. Wait for Completion is on by default, so one node does everything. If it is off, connect Wait, then this node with Get, then IF, which leads back to Wait until the status is final.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.wait',
					relationHint: 'Between two Get operations, waits for tasks without keeping a worker busy',
				},
				{ nodeType: 'n8n-nodes-base.readWriteFile', relationHint: 'Saves the songs' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Music', value: 'music' }, operations),
	};

	methods = { listSearch: { searchModels: modelSearch('music') }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
