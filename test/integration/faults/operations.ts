import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { wav } from '../voiceSamples';
import { Utilities } from '../../../nodes/Utilities/Utilities.node.ts';

/** How the fault matrix runs one operation of a node, on one item. */
export interface OperationCase {
	/** Internal name of the node. */
	node: string;
	resource?: string;
	operation: string;
	/** What is special about this entry when an operation has several. */
	variant?: string;
	/** The least that the operation needs; Options are added. */
	parameters: INodeParameters;
	/** Default: one empty item. */
	input?: INodeExecutionData[];
	/** Route pattern that the faults hit; default: all routes of the gateway. */
	route?: string;
	/** Whether a POST leaves something behind, so that not even a 500 may be followed by another one. */
	creates?: boolean;
}

const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
const chat = { model: chosen('aurora-4'), prompt: 'Why is the sky blue?' };
const image = { model: chosen('image-2'), prompt: 'A red fox', size: '512' };
const rerank = { model: chosen('reranker-v2-m3'), query: 'How do I reset my password?' };
const twoTexts = ['Reset a password', 'The moon'].map((text) => ({ json: { text } }));

const sample: IBinaryData = {
	data: wav().toString('base64'),
	mimeType: 'audio/wav',
	fileName: 'sample.wav',
};

const CASES: OperationCase[] = [
	{ node: 'account', operation: 'getManyModels', parameters: { returnAll: true } },
	{ node: 'account', operation: 'getSubscription', parameters: {} },
	{ node: 'account', operation: 'customRequest', variant: 'GET', parameters: { path: '/v1/models' } },
	{
		node: 'account',
		operation: 'customRequest',
		variant: 'POST',
		creates: true,
		parameters: {
			method: 'POST',
			path: '/v1/rerank',
			jsonBody: '{"model":"reranker-v2-m3","query":"moon","documents":["The moon"]}',
		},
	},
	...['chatCompletion', 'message', 'generateContent'].flatMap((operation): OperationCase[] => [
		{ node: 'chat', operation, parameters: chat },
		{ node: 'chat', operation, variant: 'streamed', parameters: { ...chat, stream: true } },
	]),
	{
		node: 'embed',
		operation: 'embedText',
		parameters: { model: chosen('embedding-3-small'), text: '={{ $json.text }}' },
		input: twoTexts,
	},
	{ node: 'image', operation: 'generate', parameters: image },
	{
		node: 'image',
		operation: 'generate',
		variant: 'faults in the download',
		route: 'GET /__emulator/files/images/*',
		parameters: image,
	},
	{
		node: 'rerank',
		operation: 'rerankInputItems',
		parameters: { ...rerank, text: '={{ $json.text }}' },
		input: twoTexts,
	},
	{
		node: 'rerank',
		operation: 'rerankList',
		parameters: { ...rerank, documents: '["Reset it","The moon"]' },
	},
	{
		node: 'speech',
		operation: 'create',
		parameters: { model: chosen('svc-tts'), voice: chosen('Anders'), text: 'Good morning.' },
	},
	{
		node: 'speech',
		operation: 'create',
		variant: 'two parts, joined',
		parameters: {
			model: chosen('svc-tts'),
			voice: chosen('Anders'),
			text: 'First part. Second part.',
			options: { partLength: 12 },
		},
	},
	{ node: 'speech', operation: 'getManyVoices', parameters: { returnAll: true } },
	{
		node: 'voiceModel',
		operation: 'create',
		creates: true,
		parameters: {
			name: 'My voice',
			samples: {
				sample: ['one', 'two'].map((field) => ({ binaryPropertyName: field, transcript: 'A text.' })),
			},
			public: true,
		},
		input: [{ json: {}, binary: { one: sample, two: sample } }],
	},
	{ node: 'voiceModel', operation: 'getMany', parameters: { returnAll: true } },
];

/** What the required parameters of utilities hold, by their names. */
const UTILITY_VALUES: INodeParameters = {};

/** Every operation of Utilities, with a value for whatever is required. */
function utilityCases(): OperationCase[] {
	return operationsOf(new Utilities()).map(({ resource, operation }) => ({
		node: 'utilities',
		resource,
		operation,
		parameters: UTILITY_VALUES,
	}));
}

/** The table of the matrix. */
export const operationCases: OperationCase[] = [...CASES, ...utilityCases()];

/** The operations that a node offers in the editor, with their resources. */
export function operationsOf(
	node: Pick<Utilities, 'description'>,
): Array<{ resource?: string; operation: string }> {
	return node.description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options.map((option) => ({
				resource: displayOptions?.show?.resource?.[0] as string | undefined,
				operation: String((option as { value: unknown }).value),
			})),
		);
}
