import type { IDataObject } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { oneNode, type RunResult, type WorkflowJson } from '../engine/runWorkflow';
import { operationCases, type OperationCase } from '../faults/operations';
import { titleOf } from '../faults/operationCase';

const PAID_NODES = ['chat', 'embed', 'image', 'rerank', 'speech'];

function isPaid({ node, operation, variant }: OperationCase): boolean {
	if (variant === 'faults in the download') return false;
	if (node === 'music') return variant === 'only submitting';
	if (node === 'voiceModel') return operation === 'create';
	return PAID_NODES.includes(node) && operation !== 'getManyVoices';
}

/** Every operation that is paid for, without its waits and downloads. */
export const paidOperations = operationCases
	.filter(isPaid)
	.map((operation) => ({ ...operation, title: titleOf(operation) }));

/** The workflow of an operation. */
export function workflowOf(
	{ node, operation, parameters }: OperationCase,
	options: object = {},
	settings: object = {},
): WorkflowJson {
	const all = { ...(parameters.options as object), ...options };
	return oneNode(node, { operation, ...parameters, options: all }, settings);
}

/** A proxy's page in place of the answer to a request that was carried out. */
export const LOST: NonNullable<Rule['faults']>[number] = { kind: 'html', status: 502, carriedOut: true };

/** The details of the failure of a run, whether it stopped the run or became an item. */
export function detailsOf({ error, outputs }: RunResult): IDataObject | undefined {
	return (error?.context.details ?? outputs.flat()[0]?.json.details) as IDataObject | undefined;
}
