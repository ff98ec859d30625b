import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import type { ImportedExample } from './examples';
import type { Execution, NodeRun } from './n8nTypes';
import type { N8nRest } from './rest';

/** How long an example may run, in ms. */
const runTimeoutMs = 300_000;

/** The result of running an example. */
export interface ExampleResult {
	succeeded: boolean;
	nodes: NodeReport[];
	/** The files that were written: absolute path and size in bytes. */
	files: Array<{ path: string; bytes: number }>;
	/** Why the run failed, if no node reports it. */
	reason?: string;
}

/** The result of one node in a run. */
export interface NodeReport {
	name: string;
	items: number;
	milliseconds: number;
	failure?: string;
}

/** Runs an example from its trigger; returns the result of each node and the files that were written. */
export async function runExample(
	rest: N8nRest,
	{ workflowId, trigger }: ImportedExample & { trigger: string },
	outputFolder: string,
): Promise<ExampleResult> {
	const before = await listFiles(outputFolder);
	const execution = await rest.runWorkflow(workflowId, trigger, runTimeoutMs);
	const after = await listFiles(outputFolder);
	const files = [...after]
		.filter(([file, { changedAt }]) => before.get(file)?.changedAt !== changedAt)
		.map(([file, { bytes }]) => ({ path: file, bytes }));
	const nodes = Object.entries(execution.runData).map(([name, runs]) => reportNode(name, runs));
	const succeeded = execution.status === 'success';
	const hasNodeFailure = nodes.some(({ failure }) => failure);
	return { succeeded, nodes, files, reason: succeeded || hasNodeFailure ? undefined : reasonOf(execution) };
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

function reasonOf({ status, error }: Execution): string {
	return error ? sentencesOf(error) : `The execution ended with the status "${status}".`;
}

function sentencesOf({ message, description }: { message?: string; description?: string | null }): string {
	return [message ?? 'No message.', description].filter(Boolean).join('\n');
}

async function listFiles(folder: string): Promise<Map<string, { changedAt: number; bytes: number }>> {
	const files = new Map<string, { changedAt: number; bytes: number }>();
	for (const name of await readdir(folder, { recursive: true })) {
		const file = path.join(folder, name);
		const state = await stat(file);
		if (state.isFile()) files.set(file, { changedAt: state.mtimeMs, bytes: state.size });
	}
	return files;
}
