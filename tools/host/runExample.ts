import path from 'node:path';

import type { ImportedExample } from './examples';
import { folders } from './folders';
import type { Execution, NodeRun, ResultFile } from './n8nTypes';
import { Problem } from './problem';
import type { N8nRest } from './rest';
import { fillInForm, getPage } from './visitor';

/** The longest time that an example may run, in ms. */
const runTimeoutMs = 300_000;

/** The file that a visitor uploads where a form asks for one. */
const sampleTable = path.join(folders.examples, 'images-from-spreadsheet.csv');

/** The result of running an example. */
export interface ExampleResult {
	succeeded: boolean;
	nodes: NodeReport[];
	/** The files in the results of all nodes. A file that is passed on is included once. */
	files: ExampleFile[];
	/** Undefined if the run did not end in time. */
	executionId?: string;
	/** The response of the example's webhook. */
	served?: string;
	/** The text of the last node that answers. */
	message?: string;
	/** The reason for which the run failed, if no node reports it. */
	reason?: string;
}

/** A file in the results of a run. */
export interface ExampleFile extends ResultFile {
	/** The first node that has output the file. */
	node: string;
}

/** The result of one node in a run. */
export interface NodeReport {
	name: string;
	items: number;
	failure?: string;
}

/**
 * Runs an example from its trigger, or opens its form or webhook; returns the result of each node and the files in their
 * results.
 */
export async function runExample(
	rest: N8nRest,
	{ workflowId, name: exampleName, start }: ImportedExample,
): Promise<ExampleResult> {
	const { trigger, input, opens } = start;
	const served = opens === undefined ? undefined : await visit(rest, workflowId, opens);
	const execution =
		opens === undefined
			? await rest.runWorkflow(workflowId, trigger, runTimeoutMs, input)
			: await rest.lastExecution(workflowId);
	if (!execution) throw new Problem(`"${exampleName}" did not end.`, 'Open its executions in the editor.');
	const { id, status, runData, error } = execution;
	const nodes = Object.entries(runData).map(([name, runs]) => reportNode(name, runs));
	const succeeded = status === 'success';
	const hasNodeFailure = nodes.some(({ failure }) => failure);
	return {
		succeeded,
		nodes,
		files: filesOf(runData),
		executionId: id,
		served,
		message: messageOf(Object.values(runData)),
		reason: succeeded || hasNodeFailure ? undefined : reasonOf({ status, error }),
	};
}

/**
 * Publishes a workflow and opens what it offers to a visitor: its webhook, or its form, which is filled in.
 *
 * @returns the response of the webhook; undefined for a form
 */
async function visit(rest: N8nRest, workflowId: string, opens: string): Promise<string | undefined> {
	await rest.publish(workflowId);
	const address = `${rest.url}/${opens}`;
	if (!opens.startsWith('form/')) return await getPage(address);
	await fillInForm(address, sampleTable);
	return undefined;
}

/** The fields that contain the answers of nodes. */
const ANSWERS = ['output', 'response', 'text'];

/** Returns the answer of the last node that has one; undefined if the workflow ended without items. */
function messageOf(nodes: NodeRun[][]): string | undefined {
	const items = nodes.map((runs) => runs.flatMap(({ data }) => Object.values(data ?? {}).flat(2)));
	if (!items.at(-1)?.length) return undefined;
	const fields = items.flat().reverse();
	const values = fields.flatMap((item) => ANSWERS.map((name) => item?.json?.[name]));
	return values.find((value) => typeof value === 'string');
}

function filesOf(runData: Execution['runData']): ExampleFile[] {
	const files = new Map<string, ExampleFile>();
	for (const [node, runs] of Object.entries(runData)) {
		const items = runs.flatMap(({ data }) => Object.values(data ?? {}).flat(2));
		for (const file of items.flatMap((item) => Object.values(item?.binary ?? {}))) {
			if (!files.has(file.id)) files.set(file.id, { ...file, node });
		}
	}
	return [...files.values()];
}

function reportNode(name: string, runs: NodeRun[]): NodeReport {
	const outputs = runs.flatMap(({ data }) => Object.values(data ?? {}).flat());
	const failures = runs.flatMap(({ error }) => (error ? [sentencesOf(error)] : []));
	return {
		name,
		items: outputs.reduce((sum, items) => sum + (items?.length ?? 0), 0),
		failure: failures.length > 0 ? failures.join('\n') : undefined,
	};
}

function reasonOf({ status, error }: Pick<Execution, 'status' | 'error'>): string {
	return error ? sentencesOf(error) : `The execution ended with the status "${status}".`;
}

function sentencesOf({ message, description }: { message?: string; description?: string | null }): string {
	return [message ?? 'No message.', description].filter(Boolean).join('\n');
}
