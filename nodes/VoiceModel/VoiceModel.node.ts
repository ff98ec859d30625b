import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import type { ItemOperation } from '../shared/run/operation';
import { runOperations } from '../shared/run/runOperations';
import { voiceList } from '../shared/run/voiceList';
import { create } from './operations/create.operation';

/** Lists all voices, because the list does not say who has created a public one. */
const getMany: ItemOperation = {
	...voiceList,
	value: 'getMany',
	name: 'Get Many Voice Models',
	action: 'Get many voice models',
	description: 'List the voices that you have created and the built-in ones',
};

const operations = [create, getMany];

export class VoiceModel implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Voice Model',
		name: 'voiceModel',
		icon: { light: 'file:voiceModel.svg', dark: 'file:voiceModel.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Clone a voice from recordings with a unified AI gateway',
		builderHint: {
			searchHint: 'Clones a voice from audio files of the input, to speak with in Unified AI Speech.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-base.readWriteFile', relationHint: 'Reads the recordings' },
				{ nodeType: 'n8n-nodes-unified-ai-gateway.speech', relationHint: 'Speaks with the voice' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Voice Model', value: 'voiceModel' }, operations),
	};

	methods = { credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
