import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Installation } from './install';
import type {
	Credential,
	CredentialTest,
	CredentialType,
	DataTable,
	DataTableRow,
	Execution,
	NodeType,
	Workflow,
} from './n8nTypes';
import { Problem } from './problem';
import { RestSession } from './restSession';

const finalStatuses = new Set(['success', 'error', 'canceled', 'crashed']);

/** The node types, credentials, workflows, executions and data tables of an n8n, over its internal REST API. */
export class N8nRest extends RestSession {
	private readonly parseFlatted: (text: string) => unknown;

	/** @param installation the n8n at the address, whose own library reads the executions that it writes */
	constructor(url: string, installation: Installation) {
		super(url);
		const { parse } = createRequire(installation.n8n)('flatted') as { parse: (text: string) => unknown };
		this.parseFlatted = parse;
	}

	/** Returns every node type that is loaded. */
	async nodeTypes(): Promise<NodeType[]> {
		return await this.request('GET', '/types/nodes.json');
	}

	/** Returns every credential type that is loaded. */
	async credentialTypes(): Promise<CredentialType[]> {
		return await this.request('GET', '/types/credentials.json');
	}

	/** Creates the credential with this name and type, or updates its data. */
	async saveCredential(name: string, type: string, data: Record<string, unknown>): Promise<Credential> {
		const all = await this.request<Array<Credential & { type: string }>>('GET', '/rest/credentials');
		const existing = all.find((credential) => credential.name === name && credential.type === type);
		const body = { name, type, data };
		return existing
			? await this.request('PATCH', `/rest/credentials/${existing.id}`, body)
			: await this.request('POST', '/rest/credentials', body);
	}

	/** Tests a credential with this data, like its "Retry" button; the stored data does not change. */
	async testCredential(
		{ id, name }: Credential,
		type: string,
		data: Record<string, unknown>,
	): Promise<CredentialTest> {
		return await this.request('POST', '/rest/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	/** Returns the IDs of all workflows that are not archived, by name. */
	async workflowIds(): Promise<Map<string, string>> {
		const filter = encodeURIComponent(JSON.stringify({ isArchived: false }));
		const all = await this.request<Array<{ id: string; name: string }>>(
			'GET',
			`/rest/workflows?filter=${filter}`,
		);
		return new Map(all.map(({ id, name }) => [name, id]));
	}

	/** Returns the current state of a workflow. */
	async workflow(id: string): Promise<Workflow> {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/** Creates a workflow, or replaces the one with the given ID; returns the ID. */
	async saveWorkflow(workflow: Workflow, id?: string): Promise<string> {
		const { name, nodes, connections, settings } = workflow;
		// Without it, n8n saves null, and then "Execute step" fails after the workflow has run.
		const pinData = {};
		const body = { name, nodes, connections, settings, pinData };
		const saved = id
			? await this.request<{ id: string }>('PATCH', `/rest/workflows/${id}`, body)
			: // Older versions of n8n require `active`.
				await this.request<{ id: string }>('POST', '/rest/workflows', { ...body, active: false });
		return saved.id;
	}

	/** Publishes a workflow, which activates its webhooks and schedules. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	/** The newest execution of a workflow, once it has ended; undefined when none has ended within 20 s. */
	async lastExecution(workflowId: string): Promise<Execution | undefined> {
		for (let tries = 0; tries < 80; tries++) {
			const newest = await this.newestExecution(workflowId);
			if (newest && finalStatuses.has(newest.status)) return await this.execution(newest.id);
			await sleep(250);
		}
		return undefined;
	}

	/** ID and status of the newest execution of a workflow, if there is one; it may still be running or waiting. */
	async newestExecution(workflowId: string): Promise<{ id: string; status: string } | undefined> {
		return (await this.executions(workflowId, 1)).at(0);
	}

	/** Returns the IDs and statuses of the executions of a workflow, newest first. */
	async executions(workflowId: string, limit = 100): Promise<Array<{ id: string; status: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.request<{ results: Array<{ id: string; status: string }> }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=${limit}`,
		);
		return results;
	}

	/** Returns the current state of an execution; it may still be running or waiting. */
	async execution(id: string): Promise<Execution> {
		const { status, data } = await this.request<{ status: string; data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		// An execution that has just started has no data yet.
		const saved = this.parseFlatted(data) as { resultData: Pick<Execution, 'runData' | 'error'> } | undefined;
		return { id, status, runData: saved?.resultData.runData ?? {}, error: saved?.resultData.error };
	}

	/** Returns the content of a file in the results of an execution. */
	async file(id: string): Promise<Buffer> {
		return await this.download(`/rest/binary-data?action=download&id=${encodeURIComponent(id)}`);
	}

	/**
	 * Starts a workflow like the editor's "Execute workflow" button; returns the ID of the execution.
	 *
	 * @param input what the trigger outputs, like a message in the editor's chat; default: the trigger itself runs
	 */
	async startWorkflow(workflowId: string, trigger: string, input?: Record<string, unknown>): Promise<string> {
		const { executionId } = await this.request<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			// Older versions of n8n run the workflow in the request; newer ones run the saved workflow.
			{
				triggerToStartFrom: { name: trigger, data: input && triggerRun(input) },
				workflowData: await this.workflow(workflowId),
			},
		);
		return executionId;
	}

	/** Deletes a finished execution and its files. */
	async deleteExecution(id: string): Promise<void> {
		await this.request('POST', '/rest/executions/delete', { ids: [id] });
	}

	/** Stops an execution like the editor's "Stop" button. */
	async stopExecution(id: string): Promise<void> {
		await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/** Returns all rows of the data table with this name; empty if there is no such table. */
	async dataTableRows(name: string): Promise<DataTableRow[]> {
		const { data: tables } = await this.request<{ data: DataTable[] }>(
			'GET',
			'/rest/data-tables-global?take=250',
		);
		const table = tables.find((candidate) => candidate.name === name);
		if (!table) return [];
		const rows: DataTableRow[] = [];
		for (;;) {
			const { count, data } = await this.request<{ count: number; data: DataTableRow[] }>(
				'GET',
				`/rest/projects/${table.projectId}/data-tables/${table.id}/rows?take=250&skip=${rows.length}`,
			);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}

	/** Retries a failed execution with its own workflow, like the button in the list, and waits until the retry has ended. */
	async retryExecution(id: string): Promise<Execution> {
		const retry = await this.request<{ id: string }>('POST', `/rest/executions/${id}/retry`, {
			loadWorkflow: false,
		});
		return await this.execution(retry.id);
	}

	/**
	 * Runs a workflow like the editor's "Execute workflow" button and waits until it has ended.
	 *
	 * @param trigger name of the trigger node to start from
	 * @param timeoutMs the execution is stopped after this time
	 * @param input see {@link startWorkflow}
	 * @throws Problem when the time runs out
	 */
	async runWorkflow(
		workflowId: string,
		trigger: string,
		timeoutMs: number,
		input?: Record<string, unknown>,
	): Promise<Execution> {
		const executionId = await this.startWorkflow(workflowId, trigger, input);
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			// Some versions of n8n cannot return an execution that has no data yet, but the list contains its status.
			const listed = (await this.executions(workflowId)).find(({ id }) => id === executionId);
			if (listed && finalStatuses.has(listed.status)) return await this.execution(executionId);
			await sleep(250);
		}
		await this.stopExecution(executionId);
		throw new Problem(
			`The workflow was still running after ${timeoutMs / 1000} s and was stopped.`,
			`Open the execution to see where it stopped: ${this.url}/workflow/${workflowId}/executions/${executionId}`,
		);
	}
}

/** Returns the run data of a trigger that outputs one item. */
function triggerRun(json: Record<string, unknown>): object {
	return {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [],
		data: { main: [[{ json }]] },
	};
}
