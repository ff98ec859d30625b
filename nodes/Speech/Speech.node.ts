import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import type { ItemOperation } from '../shared/run/operation';
import { runOperations } from '../shared/run/runOperations';
import { voiceList } from '../shared/run/voiceList';
import { create } from './operations/create.operation';
import { joinItems } from './operations/joinItems.operation';
import { searchVoices } from './fields';

const getManyVoices: ItemOperation = {
	...voiceList,
	value: 'getManyVoices',
	name: 'Get Many Voices',
	action: 'Get many voices',
	description: 'List the built-in voices and your own',
};

const operations = [create, getManyVoices, joinItems];

export class Speech implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Speech',
		name: 'speech',
		icon: { light: 'file:speech.svg', dark: 'file:speech.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, ['model', 'voice']),
		description: 'Turn text of any length into speech with a unified AI gateway',
		builderHint: {
			searchHint:
				'Speaks texts of any length; the audio is in the binary field data. Join Items makes one episode of all items, with chapters and subtitles.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-base.readWriteFile', relationHint: 'Saves the audio' },
				{ nodeType: 'n8n-nodes-unified-ai-gateway.voiceModel', relationHint: 'Clones a voice to speak with' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Speech', value: 'speech' }, operations),
	};

	methods = {
		listSearch: { searchModels: modelSearch('speech'), searchVoices },
		credentialTest: { testCredential },
	};

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
