import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Installation } from './install';
import { Problem } from './problem';

/** Who signs in to the editor. */
export interface Owner {
	email: string;
	password: string;
}

/** A credential as n8n keeps it, without its data. */
export interface Credential {
	id: string;
	name: string;
}

/** A workflow as an example file holds it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[field: string]: unknown;
}

/** A node of a workflow; the fields that the demo looks at. */
export interface WorkflowNode {
	name: string;
	type: string;
	disabled?: boolean;
	parameters: Record<string, unknown>;
	credentials?: Record<string, Credential>;
	[field: string]: unknown;
}

/** What `/types/nodes.json` says of a node type; the fields that the demo looks at. */
export interface NodeType {
	name: string;
	displayName: string;
	/** Empty for a sub-node; an expression in some nodes. */
	inputs: unknown[] | string;
	credentials?: Array<{ name: string }>;
	iconUrl?: IconUrl;
	properties: NodeProperty[];
	/** Search words, and where the editor's node list shows the node. */
	codex?: { alias?: string[]; subcategories?: Record<string, string[]> };
}

/** A parameter of a node type; the fields that the demo looks at. */
export interface NodeProperty {
	name: string;
	options?: Array<{ value?: unknown }>;
	displayOptions?: { show?: Record<string, unknown[]> };
}

/** What `/types/credentials.json` says of a credential type; the fields that the demo looks at. */
export interface CredentialType {
	name: string;
	displayName: string;
	iconUrl?: IconUrl;
}

/** Paths below the editor's address. */
type IconUrl = string | { light: string; dark: string };

/** One run of one node within an execution. */
export interface NodeRun {
	executionStatus?: string;
	/** Milliseconds. */
	executionTime: number;
	error?: { message?: string; description?: string | null };
	/** Items by connection type, then by output. */
	data?: Record<string, Array<unknown[] | null>>;
}

/** An execution: finished, running or waiting. */
export interface Execution {
	id: string;
	status: string;
	/** The runs of every node that ran, by the node's name and in the order of their start. */
	runData: Record<string, NodeRun[]>;
	error?: { message?: string; description?: string | null };
}

/** The answer to a credential test. */
export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

const endStates = new Set(['success', 'error', 'canceled', 'crashed']);

/** n8n's own REST interface, the one that its editor uses, as far as the demo and its tests need it. */
export class N8nRest {
	private cookie = '';
	private readonly unflatten: (text: string) => unknown;

	/** @param installation the n8n behind the address: its own library reads the executions it writes */
	constructor(
		readonly url: string,
		installation: Installation,
	) {
		const { parse } = createRequire(installation.n8n)('flatted') as { parse: (text: string) => unknown };
		this.unflatten = parse;
	}

	/**
	 * Signs in; on a new n8n, makes the owner's account first.
	 *
	 * @throws Problem when the account has another password
	 */
	async signIn(owner: Owner): Promise<void> {
		const settings = await this.ask<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/rest/settings',
		);
		const response = settings.userManagement.showSetupOnFirstLoad
			? await this.send('POST', '/rest/owner/setup', { ...owner, firstName: 'Demo', lastName: 'Owner' })
			: await this.send('POST', '/rest/login', {
					emailOrLdapLoginId: owner.email,
					password: owner.password,
				});
		if (!response.ok) {
			throw new Problem(
				`n8n does not let ${owner.email} in with the demo's password (HTTP ${response.status}).`,
				'If the account was changed in the editor, delete the folder demo/.state to start afresh.',
			);
		}
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	/** Every node type that is loaded. */
	async nodeTypes(): Promise<NodeType[]> {
		return await this.ask('GET', '/types/nodes.json');
	}

	/** Every credential type that is loaded. */
	async credentialTypes(): Promise<CredentialType[]> {
		return await this.ask('GET', '/types/credentials.json');
	}

	/** Creates the credential of this name and type, or gives it these data. */
	async saveCredential(name: string, type: string, data: Record<string, unknown>): Promise<Credential> {
		const all = await this.ask<Array<Credential & { type: string }>>('GET', '/rest/credentials');
		const known = all.find((credential) => credential.name === name && credential.type === type);
		const body = { name, type, data };
		return known
			? await this.ask('PATCH', `/rest/credentials/${known.id}`, body)
			: await this.ask('POST', '/rest/credentials', body);
	}

	/** Tests a credential with these data, as its "Retry" button does; the stored data stay as they are. */
	async testCredential(
		{ id, name }: Credential,
		type: string,
		data: Record<string, unknown>,
	): Promise<CredentialTest> {
		return await this.ask('POST', '/rest/credentials/test', { credentials: { id, name, type, data } });
	}

	/** The ids of the workflows that are not archived, by name. */
	async workflowIds(): Promise<Map<string, string>> {
		const filter = encodeURIComponent(JSON.stringify({ isArchived: false }));
		const all = await this.ask<Array<{ id: string; name: string }>>(
			'GET',
			`/rest/workflows?filter=${filter}`,
		);
		return new Map(all.map(({ id, name }) => [name, id]));
	}

	/** A workflow as it is now. */
	async workflow(id: string): Promise<Workflow> {
		return await this.ask('GET', `/rest/workflows/${id}`);
	}

	/** Creates a workflow, or with an id replaces that one; returns the id. */
	async saveWorkflow(workflow: Workflow, id?: string): Promise<string> {
		const { name, nodes, connections, settings } = workflow;
		const body = { name, nodes, connections, settings };
		const saved = id
			? await this.ask<{ id: string }>('PATCH', `/rest/workflows/${id}`, body)
			: // Older versions of n8n want to be told that it is not active.
				await this.ask<{ id: string }>('POST', '/rest/workflows', { ...body, active: false });
		return saved.id;
	}

	/** Publishes a workflow, so that its webhooks and schedules are alive. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.ask('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	/** The newest execution of a workflow, once it has ended; undefined when there is none within 20 s. */
	async lastExecution(workflowId: string): Promise<Execution | undefined> {
		for (let tries = 0; tries < 80; tries++) {
			const newest = await this.newestExecution(workflowId);
			if (newest && endStates.has(newest.status)) return await this.execution(newest.id);
			await sleep(250);
		}
		return undefined;
	}

	/** Id and status of the newest execution of a workflow, if there is one; it may still be running or waiting. */
	async newestExecution(workflowId: string): Promise<{ id: string; status: string } | undefined> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.ask<{ results: Array<{ id: string; status: string }> }>(
			'GET',
			`/rest/executions?filter=${filter}&limit=1`,
		);
		return results.at(0);
	}

	/** An execution as it is now; it may still be running or waiting. */
	async execution(id: string): Promise<Execution> {
		const { status, data } = await this.ask<{ status: string; data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		// An execution that has just begun holds nothing yet.
		const saved = this.unflatten(data) as { resultData: Pick<Execution, 'runData' | 'error'> } | undefined;
		return { id, status, runData: saved?.resultData.runData ?? {}, error: saved?.resultData.error };
	}

	/**
	 * Runs a workflow as the editor's "Execute workflow" button does and waits for its end.
	 *
	 * @param trigger name of the trigger node to start from
	 * @param timeoutMs after this the execution is stopped
	 * @throws Problem when time runs out
	 */
	async runWorkflow(workflowId: string, trigger: string, timeoutMs: number): Promise<Execution> {
		const { executionId } = await this.ask<{ executionId: string }>(
			'POST',
			`/rest/workflows/${workflowId}/run`,
			// Older versions of n8n run what they are sent, newer ones what they have saved.
			{ triggerToStartFrom: { name: trigger }, workflowData: await this.workflow(workflowId) },
		);
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			const execution = await this.execution(executionId);
			if (endStates.has(execution.status)) return execution;
			await sleep(250);
		}
		await this.ask('POST', `/rest/executions/${executionId}/stop`);
		throw new Problem(
			`The workflow was still running after ${timeoutMs / 1000} s and was stopped.`,
			`See what it waited for: ${this.url}/workflow/${workflowId}/executions/${executionId}`,
		);
	}

	/** Sends one request and reads its answer, which n8n mostly wraps in `data`. */
	private async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`);
		}
		const content = JSON.parse(text) as T | { data: T };
		const isWrapped = typeof content === 'object' && content !== null && 'data' in content;
		return isWrapped ? content.data : content;
	}

	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		try {
			return await fetch(this.url + path, {
				method,
				headers: { cookie: this.cookie, 'content-type': 'application/json' },
				body: JSON.stringify(body),
				signal: AbortSignal.timeout(60_000),
			});
		} catch {
			throw new Problem(`n8n at ${this.url} does not answer.`, 'Its log may say why.');
		}
	}
}
