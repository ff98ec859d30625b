import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { nodeTypes } from '../engine/nodeTypes';
import { operationCases } from '../faults/operations';
import { wavSample } from '../VoiceModel/voiceSamples';
import { everyParameterSet } from './everyParameter';

const recording = wavSample({ sampleRate: 24_000 });

/** A transparent picture of one pixel. */
const picture: IBinaryData = {
	data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	mimeType: 'image/png',
	fileName: 'sample.png',
};

/** The content of the binary field "sample" of the items, by node; for other nodes, a recording. */
const samples: Record<string, IBinaryData> = { chat: picture, image: picture };

/** A node in a workflow. */
interface NodeSettings {
	/** The full name of the type. */
	type: string;
	parameters: INodeParameters;
}

/** Returns every node of the package, with every parameter set in one of the results. */
export function everyNode(): NodeSettings[] {
	return Object.entries(nodeTypes).flatMap(([type, { description }]) => {
		const name = type.split('.')[1];
		const known = (operation: string) => ({
			...caseOf(name, operation)?.parameters,
			options: undefined,
			tags: undefined,
			// The option that parses JSON needs an answer in JSON.
			...(name === 'chat' ? { prompt: 'Return only JSON.' } : {}),
		});
		return everyParameterSet({ ...description, name }, known)
			.flatMap(withoutConflicts)
			.map((parameters) => ({ type, parameters: fitting(parameters) }));
	});
}

/** Splits up options that a node refuses together: one result has the first option, and another result the second. */
function withoutConflicts(parameters: INodeParameters): INodeParameters[] {
	const options = (parameters.options ?? {}) as INodeParameters;
	if (options.thinkingBudget === undefined || options.reasoningEffort === undefined) return [parameters];
	const { thinkingBudget, reasoningEffort, ...others } = options;
	return [
		{ ...parameters, options: { ...others, thinkingBudget, temperature: 1 } },
		// A model that reasons accepts no other temperature.
		{ ...parameters, options: { ...others, reasoningEffort, temperature: 1 } },
	];
}

/** Replaces values that must fit others: the file format those of the files, and the list that of the endpoint. */
function fitting(parameters: INodeParameters): INodeParameters {
	const [list] = Object.keys(
		catalogue.find(({ value }) => value === parameters.operation)?.output?.lists ?? {},
	);
	const options = parameters.options as INodeParameters | undefined;
	if (list !== undefined && options?.listToSplitOut !== undefined) {
		return { ...parameters, options: { ...options, listToSplitOut: list } };
	}
	if (parameters.operation === 'joinItems' && parameters.format) return { ...parameters, format: 'wav' };
	if (parameters.operation === 'generateContent' && parameters.messagesJson !== undefined) {
		return {
			...parameters,
			messagesJson: '[{"role":"user","parts":[{"text":"Return only JSON, nothing else."}]}]',
		};
	}
	return parameters;
}

/** Tells whether a node runs in the main flow of a workflow, unlike a sub-node. */
export function isMainNode(type: string): boolean {
	return (nodeTypes[type].description.inputs as string[]).length > 0;
}

/** Returns an operation as text; empty for a node with a single operation. */
export function nameOf(operation: INodeParameters[string]): string {
	return typeof operation === 'string' ? operation : '';
}

function caseOf(node: string, operation: string) {
	return operationCases.find((one) => one.node === node && one.operation === operation);
}

/** Returns the items that an operation needs. */
export function inputOf(
	node: string,
	{ operation, samplesFrom }: INodeParameters,
	emulator: Emulator,
): INodeExecutionData[] {
	const items: INodeExecutionData[] = caseOf(node, nameOf(operation))?.input?.(emulator) ?? [{ json: {} }];
	// A voice needs two recordings.
	const recordings = samplesFrom === 'items' ? items.flatMap((item) => [item, item]) : items;
	return recordings.map((item) => ({
		json: { sample: 'A text', ...item.json },
		binary: { sample: samples[node] ?? recording, ...item.binary },
	}));
}
