import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import { runOperations } from '../shared/run/runOperations';
import { generateImage } from './operations/generate.operation';

const operations = [generateImage];

export class Image implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Image',
		name: 'image',
		icon: { light: 'file:image.svg', dark: 'file:image.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations, ['model']),
		description: 'Generate images from text and reference images with a unified AI gateway',
		builderHint: {
			searchHint:
				'Generates images from prompts, also with reference images. The file is in the binary field data.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-base.readWriteFile', relationHint: 'Saves the images' },
				{
					nodeType: 'n8n-nodes-base.extractFromFile',
					relationHint: 'Provides a prompt per row of a spreadsheet',
				},
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Image', value: 'image' }, operations),
	};

	methods = { listSearch: { searchModels: modelSearch('image') }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
