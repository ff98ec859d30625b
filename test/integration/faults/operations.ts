import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator, Rule } from '../../../emulator';
import { chosen } from '../engine/chosen';
import { oneNode, type WorkflowJson } from '../engine/runWorkflow';
import { wavSample } from '../VoiceModel/voiceSamples';

/** One operation of a node with its parameters, on one item. */
export interface OperationCase {
	/** Internal name of the node. */
	node: string;
	operation: string;
	/** Distinguishes several entries of an operation. */
	variant?: string;
	/** The required parameters of the operation. Options are added to them. */
	parameters: INodeParameters;
	/** Returns the input items; default: one empty item. */
	input?(emulator: Emulator): INodeExecutionData[];
	/** The route pattern of the answers that the case tests; default: all routes of the gateway. */
	route?: string;
	/** The reader of the answers. For slow tests, one entry with each reader is enough. */
	reader?: string;
	/** A rule for the answers of the emulator. */
	rule?: Rule;
}

const chat = { model: chosen('aurora-4'), prompt: 'Why is the sky blue?' };
const speech = { model: chosen('svc-tts'), voice: chosen('Anders') };
const image = { model: chosen('image-2'), prompt: 'A red fox', size: '512' };
const rerank = { model: chosen('reranker-v2-m3'), query: 'How do I reset my password?' };
const twoTexts = ['Reset a password', 'The moon'].map((text) => ({ json: { text } }));

let voices = 0;
const sample = wavSample();

const short = { maxWaitMinutes: 0.5, pollIntervalSeconds: 5 };
const withFiles = { files: ['audio', 'cover'] };
const SUBMIT = 'POST /v1/music/generations';
const TASK = 'GET /v1/music/tasks/*';
const TRACKS = 'GET /__emulator/files/music/*';

function finishedSong({ tasks }: Emulator): INodeExecutionData[] {
	const song = { prompt: 'Rain', model: 'music-v5', custom_mode: false, instrumental: false };
	return [{ json: { taskId: tasks.submit(song, { pendingMs: 0, processingMs: 0 }).id } }];
}

const CASES: OperationCase[] = [
	{ node: 'account', operation: 'getManyModels', parameters: { returnAll: true } },
	{ node: 'account', operation: 'getSubscription', parameters: {} },
	...['chatCompletion', 'message', 'generateContent'].flatMap((operation): OperationCase[] => [
		{ node: 'chat', operation, reader: 'JSON', parameters: chat },
		{
			node: 'chat',
			operation,
			variant: 'streamed',
			reader: 'event stream',
			parameters: { ...chat, options: { stream: true } },
		},
	]),
	{
		node: 'embed',
		operation: 'embedText',
		parameters: { model: chosen('embedding-3-small'), text: '={{ $json.text }}' },
		input: () => twoTexts,
		reader: 'embeddings',
	},
	{ node: 'image', operation: 'generate', parameters: image },
	{
		node: 'image',
		operation: 'generate',
		variant: 'image in the JSON',
		reader: 'image in JSON',
		parameters: image,
		rule: { images: { answerAs: 'b64_json' } },
	},
	{
		node: 'image',
		operation: 'generate',
		variant: 'faults in the download',
		route: 'GET /__emulator/files/images/*',
		reader: 'image file',
		parameters: image,
	},
	...[
		{ variant: 'only submitting', parameters: { waitForCompletion: false } },
		{ variant: 'faults in submitting', route: SUBMIT, parameters: withFiles },
		{ variant: 'faults in polling', route: TASK, reader: 'task', parameters: withFiles },
		{ variant: 'faults in the download', route: TRACKS, reader: 'track', parameters: withFiles },
	].map(({ parameters, ...others }): OperationCase => ({
		node: 'music',
		operation: 'generate',
		parameters: { model: chosen('music-v5'), prompt: 'A song about rain', ...parameters, options: short },
		...others,
	})),
	...['get', 'wait'].map((operation): OperationCase => ({
		node: 'music',
		operation,
		parameters: { taskId: '={{ $json.taskId }}', options: short },
		input: finishedSong,
	})),
	{
		node: 'rerank',
		operation: 'rerankInputItems',
		parameters: { ...rerank, text: '={{ $json.text }}' },
		input: () => twoTexts,
	},
	{
		node: 'rerank',
		operation: 'rerankList',
		parameters: { ...rerank, documents: '["Reset it","The moon"]' },
	},
	{
		node: 'speech',
		operation: 'create',
		reader: 'audio',
		parameters: { ...speech, text: 'Good morning.' },
	},
	{
		node: 'speech',
		operation: 'create',
		variant: 'two parts, joined',
		reader: 'audio to join',
		parameters: { ...speech, text: 'First part. Second part.', options: { partLength: 12 } },
	},
	{
		node: 'speech',
		operation: 'joinItems',
		parameters: {
			...speech,
			source: 'text',
			text: 'Good morning.',
			subtitles: 'both',
			tags: { title: 'A show', chapterTitle: 'Morning' },
		},
	},
	{ node: 'speech', operation: 'getManyVoices', parameters: { returnAll: true } },
	{
		node: 'voiceModel',
		operation: 'create',
		parameters: {
			name: '={{ $json.name }}',
			samples: {
				sample: ['one', 'two'].map((field) => ({ binaryPropertyName: field, transcript: 'A text.' })),
			},
			public: true,
		},
		// A name can be used only once.
		input: () => [{ json: { name: `Voice ${++voices}` }, binary: { one: sample, two: sample } }],
	},
	{
		node: 'voiceModel',
		operation: 'getMany',
		reader: 'voice list',
		parameters: { returnAll: true, visibility: 'all', filter: 'Anders' },
	},
];

/** Utilities that represent all others: lists, objects, files, data that contains a message, and an address. */
const UTILITIES: Record<string, INodeParameters> = {
	worldNews: { encoding: 'json', splitOutLists: true },
	microblogHot: {},
	ipAddress: {},
	quote: {},
	qrCode: { text: 'hello' },
	passwordCheck: { password: 'hunter2' },
	translate: { text: 'hello', to: chosen('zh-CHS') },
	currentWeather: { query: '上海' },
	getCustomEndpoint: { path: '60s' },
};

const utilityCases = Object.entries(UTILITIES).map(([operation, parameters]): OperationCase => {
	const reader = operation === 'worldNews' ? 'utility' : undefined;
	return { node: 'utilities', operation, reader, parameters };
});

/** The cases of every operation of every node, except for most of Utilities. */
export const operationCases: OperationCase[] = [...CASES, ...utilityCases];

/** Returns the name of an operation in the tests. */
export function titleOf({ node, operation, variant }: OperationCase): string {
	return [node, operation, variant].filter(Boolean).join(' ');
}

/** The workflow of an operation. @param more parameters and options beside its own ones */
export function workflowOf(
	{ node, operation, parameters }: OperationCase,
	more: { options?: object; [parameter: string]: unknown } = {},
	settings: Partial<INode> = {},
): WorkflowJson {
	const options = { ...(parameters.options as object), ...more.options };
	return oneNode(node, { operation, ...parameters, ...more, options }, settings);
}

/** Returns the case of an operation; by default, the first one. @throws Error when there is none */
export function operationCase(node: string, operation: string, variant?: string): OperationCase {
	const found = operationCases.find(
		(one) => one.node === node && one.operation === operation && [undefined, one.variant].includes(variant),
	);
	if (!found) throw new Error(`There is no ${node} ${operation} ${variant ?? ''}.`);
	return found;
}

/** One operation for each way of reading answers. */
export const onePerReader: OperationCase[] = operationCases.filter(
	({ reader }, index) => operationCases.findIndex((one) => one.reader === reader) === index,
);
