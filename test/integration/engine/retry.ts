import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';
import type { IRunExecutionData } from 'n8n-workflow';
import { nodeTypes, withDefaults } from './nodeTypes';
import { resumeWorkflow, type RunOptions, type RunResult, type WorkflowJson } from './runWorkflow';

// This ES module has a CommonJS version, which only `require` finds.
const { parse, stringify } = createRequire(__filename)('flatted') as {
	parse: (text: string) => unknown;
	stringify: (value: unknown) => string;
};

/**
 * Retries a failed execution like the "Retry" button in n8n's list of executions.
 *
 * @param json the workflow; as in n8n, a node that has changed since the failure runs in its new form
 * @param options `executionId` is that of the retry, because n8n makes a new execution
 * @throws Error when the run did not fail
 */
export async function retryRun(
	json: WorkflowJson,
	failed: RunResult,
	options: RunOptions,
): Promise<RunResult> {
	return await resumeWorkflow(
		json,
		{ ...failed, run: { ...failed.run, data: prepared(json, failed) } },
		{ mode: 'retry', ...options },
	);
}

/** Prepares a saved execution to run again, like n8n 2.40.7 (`execution.service.js`, `retry`). */
function prepared({ nodes }: WorkflowJson, { run, error }: RunResult): IRunExecutionData {
	if (!error) throw new Error('Only an execution that failed can be retried.');
	// The server saves executions in this format.
	const data = parse(stringify(run.data)) as IRunExecutionData;
	const { resultData, executionData } = data;
	delete resultData.error;
	const runsOfLast = resultData.runData[resultData.lastNodeExecuted ?? ''] ?? [];
	if (runsOfLast.at(-1)?.error !== undefined) runsOfLast.pop();
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		const current = nodes.find(({ name }) => name === entry.node.name);
		if (!current) continue;
		const { description } = nodeTypes[current.type];
		entry.node = { ...current, parameters: withDefaults(description, current.parameters) };
	}
	return data;
}

/** Deletes the files that an execution has stored, as n8n does some time after the execution. */
export async function deleteFilesOf(executionId: string): Promise<void> {
	const { localStoragePath } = Container.get(BinaryDataConfig);
	const folder = path.join(localStoragePath, 'workflows', 'test-workflow', 'executions', executionId);
	await rm(folder, { recursive: true, force: true });
}
