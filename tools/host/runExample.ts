import type { ImportedExample } from './examples';
import type { Execution, NodeRun, ResultFile } from './n8nTypes';
import type { N8nRest } from './rest';

/** How long an example may run, in ms. */
const runTimeoutMs = 300_000;

/** The result of running an example. */
export interface ExampleResult {
	succeeded: boolean;
	nodes: NodeReport[];
	/** The files in the results of all nodes. A file that is passed on counts once. */
	files: ExampleFile[];
	/** Undefined when the run did not end in time. */
	executionId?: string;
	/** Why the run failed, if no node reports it. */
	reason?: string;
}

/** A file in the results of a run. */
export interface ExampleFile extends ResultFile {
	/** The node that has output it first. */
	node: string;
}

/** The result of one node in a run. */
export interface NodeReport {
	name: string;
	items: number;
	milliseconds: number;
	failure?: string;
}

/** Runs an example from its trigger; returns the result of each node and the files in their results. */
export async function runExample(
	rest: N8nRest,
	{ workflowId, start }: ImportedExample,
): Promise<ExampleResult> {
	const { trigger, input } = start;
	const { id, status, runData, error } = await rest.runWorkflow(workflowId, trigger, runTimeoutMs, input);
	const nodes = Object.entries(runData).map(([name, runs]) => reportNode(name, runs));
	const succeeded = status === 'success';
	const hasNodeFailure = nodes.some(({ failure }) => failure);
	return {
		succeeded,
		nodes,
		files: filesOf(runData),
		executionId: id,
		reason: succeeded || hasNodeFailure ? undefined : reasonOf({ status, error }),
	};
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
		milliseconds: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
		failure: failures.length > 0 ? failures.join('\n') : undefined,
	};
}

function reasonOf({ status, error }: Pick<Execution, 'status' | 'error'>): string {
	return error ? sentencesOf(error) : `The execution ended with the status "${status}".`;
}

function sentencesOf({ message, description }: { message?: string; description?: string | null }): string {
	return [message ?? 'No message.', description].filter(Boolean).join('\n');
}
