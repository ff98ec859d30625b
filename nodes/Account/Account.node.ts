import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import { runOperations } from '../shared/run/runOperations';
import { getManyModels } from './operations/getManyModels.operation';
import { getSubscription } from './operations/getSubscription.operation';

const operations = [getManyModels, getSubscription];

export class Account implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Account',
		name: 'account',
		icon: { light: 'file:account.svg', dark: 'file:account.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'List the models and limits of your account at a unified AI gateway',
		builderHint: {
			searchHint:
				'Lists the models of the gateway and shows quota and remaining credit of its API key. Use IDs from it where a model cannot be guessed.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-unified-ai-gateway.chat', relationHint: 'Uses the models that it lists' },
				{ nodeType: 'n8n-nodes-base.if', relationHint: 'Stops a run when the remaining credit is low' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Account', value: 'account' }, operations),
	};

	methods = { credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
