import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations, subtitleOf } from '../shared/run/describe';
import { runOperations } from '../shared/run/runOperations';
import { catalogue } from './catalogue';
import type { Encoding } from './catalogue/utility';
import { cataloguedOperations } from './operations/catalogued.operation';
import { customEndpoint } from './operations/customEndpoint.operation';
import { searchLanguages, searchMusicCharts } from './fields';
import { alias, categories, resources } from './Utilities.node.json';

const operations = [...cataloguedOperations, customEndpoint];

/** Describes each operation, because n8n tells its AI builder only their values. */
const operationsHint = catalogue.map(({ value, description }) => `${value}: ${description}`).join('\n');
const withDefault = (encoding: Encoding) =>
	catalogue.flatMap(({ value, encodings }) => (encodings[0] === encoding ? value : [])).join(', ');
/** n8n tells its AI builder only the default of the first operation. */
const encodingHint = `encoding: json by default; text for ${withDefault('text')}; image for ${withDefault('image')}`;

const searchWords = catalogue.flatMap(({ name, searchWords: others }) => [name, ...others]);

export class Utilities implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Utilities',
		name: 'utilities',
		icon: { light: 'file:utilities.svg', dark: 'file:utilities.dark.svg' },
		group: ['input'],
		version: 1,
		codex: { categories, resources, alias: [...alias, ...searchWords] },
		subtitle: subtitleOf(operations),
		description:
			'Get news, weather, translations, exchange rates, charts, QR codes, jokes, and more from a unified AI gateway',
		builderHint: {
			searchHint:
				'About 60 endpoints in one node: news, weather, translation, trends, charts, exchange rates, QR codes, jokes, and more. Choose one by Operation.',
			extraTypeDefContent: [{ content: `${operationsHint}\n${encodingHint}` }],
			relatedNodes: [
				{ nodeType: 'n8n-nodes-unified-ai-gateway.speech', relationHint: 'Reads news and weather aloud' },
				{ nodeType: 'n8n-nodes-unified-ai-gateway.chat', relationHint: 'Writes texts from what it gets' },
			],
		},
		defaults: { name: 'Unified AI' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Utility', value: 'utility' }, operations, 'as given'),
	};

	methods = { listSearch: { searchLanguages, searchMusicCharts }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
