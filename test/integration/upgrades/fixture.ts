import path from 'node:path';
import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { catalogue } from '../../../nodes/Utilities/catalogue';
import { nodeTypes } from '../engine/nodeTypes';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { operationCases } from '../faults/operations';
import { wavSample } from '../VoiceModel/voiceSamples';
import { everyParameterSet } from './everyParameter';

/** The workflows that must keep working, one file for each version that was released. */
export const UPGRADES = path.join(__dirname, '..', '..', 'fixtures', 'upgrades');

const recording = wavSample({ sampleRate: 24_000 });

/** A transparent picture of one pixel. */
const picture: IBinaryData = {
	data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	mimeType: 'image/png',
	fileName: 'sample.png',
};

/** What is in the binary field "sample" of the items, by node; otherwise a recording. */
const samples: Record<string, IBinaryData> = { chat: picture, image: picture };

/** What differs from run to run in an address: IDs, and the day of a digest. */
const DIFFERS = /[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d/g;

/** A node as a workflow of that version has it, and what it sent. */
export interface SavedNode {
	/** The full name of the type. */
	type: string;
	parameters: INodeParameters;
	/** Empty for a sub-node, which sends nothing by itself. */
	requests: SavedRequest[];
}

/** A request without what differs from run to run. */
interface SavedRequest {
	route: string;
	query?: Readonly<Record<string, unknown>>;
	body?: unknown;
}

/** Every node of the package with every parameter set. */
export function everyNode(): Array<Omit<SavedNode, 'requests'>> {
	return Object.entries(nodeTypes).flatMap(([type, { description }]) => {
		const name = type.split('.')[1];
		const known = (operation: string) => ({
			...caseOf(name, operation)?.parameters,
			options: undefined,
			tags: undefined,
			// The option that parses JSON needs some.
			...(name === 'chat' ? { prompt: 'Return only JSON.' } : {}),
		});
		return everyParameterSet({ ...description, name }, known)
			.flatMap(withoutConflicts)
			.map((parameters) => ({ type, parameters: fitting(parameters) }));
	});
}

/** Options that a node refuses together: one node has the one, another node the other. */
function withoutConflicts(parameters: INodeParameters): INodeParameters[] {
	const options = (parameters.options ?? {}) as INodeParameters;
	if (options.thinkingBudget === undefined || options.reasoningEffort === undefined) return [parameters];
	const { thinkingBudget, reasoningEffort, ...others } = options;
	return [
		{ ...parameters, options: { ...others, thinkingBudget, temperature: 1 } },
		// A model that reasons takes no other temperature.
		{ ...parameters, options: { ...others, reasoningEffort, temperature: 1 } },
	];
}

/** Values that fit those of other parameters: the file format the files, and a list the endpoint. */
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

/** Whether a node runs in the main flow of a workflow, unlike a sub-node. */
export function isMainNode(type: string): boolean {
	return (nodeTypes[type].description.inputs as string[]).length > 0;
}

/** Runs a node on what its operation needs. @returns what it sent @throws Error when an item failed */
export async function requestsOf(
	{ type, parameters }: Pick<SavedNode, 'type' | 'parameters'>,
	emulator: Emulator,
	executionId: string,
): Promise<SavedRequest[]> {
	const name = type.split('.')[1];
	emulator.journal.clear();
	emulator.voices.clear();
	emulator.behaviour.reset();
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	const { error, outputs } = await runWorkflow(oneNode(name, parameters), {
		credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 0 },
		input: inputOf(name, parameters, emulator),
		executionId,
	});
	if (error) throw new Error(`${error.message} ${(error as { description?: string }).description ?? ''}`);
	const failed = outputs.flat().find(({ json }) => json.error !== undefined);
	if (failed) throw new Error(JSON.stringify(failed.json));
	return emulator.journal.entries('/*').map(({ method, path: address, query, body }) => ({
		route: `${method} ${address.replace(DIFFERS, '*')}`,
		...(Object.keys(query).length > 0 ? { query } : {}),
		...(body === null || body === undefined ? {} : { body }),
	}));
}

/** An operation as text; empty for a node with a single one. */
export function nameOf(operation: INodeParameters[string]): string {
	return typeof operation === 'string' ? operation : '';
}

function caseOf(node: string, operation: string) {
	return operationCases.find((one) => one.node === node && one.operation === operation);
}

/** The items that an operation needs. */
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
