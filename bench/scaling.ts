import { setTimeout as sleep } from 'node:timers/promises';
import type { Rule } from '../emulator';
import { credentialType } from '../tools/host/examples';
import type { Workflow, WorkflowNode } from '../tools/host/n8nTypes';
import { openStage, type Stage } from '../tools/host/stage';
import { connectInOrder, manualTrigger, workflowNode } from '../tools/host/workflowBuilder';
import { picked } from './task';

/**
 * `npm run bench:scaling`: thousands of rows in a real n8n in queue mode, with one worker and with two, and with up to four
 * that share a limit of the gateway. Needs Redis. The gateway is the emulator, in this process.
 */

const CHAT = 'POST /v1/chat/completions';
/** Executions that a worker runs at the same time. */
const WORKER_CONCURRENCY = 5;
/** Requests that an execution sends at the same time. */
const MAX_CONCURRENCY = 10;
const timeoutMs = 600_000;

/** A way to process the rows. */
interface Job {
	name: string;
	rows: number;
	/** Rows per execution; if undefined, all rows run in one execution. */
	batch?: number;
	/** Requests per Minute of the credential. */
	requestsPerMinute: number;
	rule: Rule;
	/** With how many workers at most it is measured; default: 2. */
	mostWorkers?: number;
}

const jobs: Job[] = [
	{ name: 'All rows in one execution', rows: 2000, requestsPerMinute: 0, rule: { latencyMs: 500 } },
	{ name: 'Executions of 100 rows', rows: 2000, batch: 100, requestsPerMinute: 0, rule: { latencyMs: 500 } },
	{
		name: 'Requests per Minute 600 in the credential',
		rows: 400,
		batch: 20,
		requestsPerMinute: 600,
		rule: { latencyMs: 100 },
	},
	{
		name: 'The gateway accepts 20 requests per second',
		rows: 1200,
		batch: 20,
		requestsPerMinute: 0,
		mostWorkers: 4,
		rule: { latencyMs: 100, limit: { requests: 20, perMs: 1000, retryAfter: 'seconds' } },
	},
];

/** The workflow for a batch: a webhook receives the rows, and the chat node processes each of them. */
function worker(packageName: string, path: string): Workflow {
	const nodes = [
		{
			...workflowNode('Rows arrive', 'n8n-nodes-base.webhook', 2, {
				httpMethod: 'POST',
				path,
				responseMode: 'lastNode',
				responseData: 'noData',
				options: {},
			}),
			webhookId: '0c8f4a52-2f1b-4d0e-9e11-5b7a0f6d0001',
		},
		workflowNode('One item per row', 'n8n-nodes-base.splitOut', 1, {
			fieldToSplitOut: 'body.rows',
			options: {},
		}),
		ask(packageName, '={{ $json["body.rows"] }}', MAX_CONCURRENCY),
	];
	return { name: path, nodes, connections: connectInOrder(nodes), settings: { executionOrder: 'v1' } };
}

function ask(packageName: string, prompt: string, parallelRequests: number): WorkflowNode {
	return workflowNode('Ask', `${packageName}.chat`, 1, {
		operation: 'chatCompletion',
		model: picked('aurora-4-mini'),
		prompt,
		limits: { parallelRequests, maxRetries: 20 },
	});
}

/** Creates the rows, and either processes all of them itself or calls the worker workflow once per batch. */
function coordinator({ packageName, server }: Stage, { rows, batch }: Job, path: string): Workflow {
	const size = batch ?? rows;
	const code = `const rows = Array.from({ length: ${rows} }, (_, index) => 'Row ' + index);
return ${
		batch === undefined
			? 'rows.map((row) => ({ json: { row } }))'
			: `Array.from({ length: ${rows / size} }, (_, index) => ({ json: { rows: rows.slice(index * ${size}, (index + 1) * ${size}) } }))`
	};`;
	const call = workflowNode('Send batches', 'n8n-nodes-base.httpRequest', 4.2, {
		method: 'POST',
		url: `${server.url}/webhook/${path}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify({ rows: $json.rows }) }}',
		options: { timeout: timeoutMs },
	});
	const nodes = [
		manualTrigger(),
		workflowNode('Batches', 'n8n-nodes-base.code', 2, { jsCode: code }),
		batch === undefined ? ask(packageName, '={{ $json.row }}', MAX_CONCURRENCY * WORKER_CONCURRENCY) : call,
	];
	return {
		name: `${path} start`,
		nodes,
		connections: connectInOrder(nodes),
		settings: { executionOrder: 'v1' },
	};
}

/** Runs a job; returns its time in seconds and the number of requests to the gateway. */
async function measure(
	stage: Stage,
	job: Job,
	index: number,
): Promise<{ seconds: number; requests: number }> {
	const path = `rows-${index}`;
	const { url: baseUrl, apiKey } = stage.emulator;
	const { requestsPerMinute } = job;
	// Each job has its own credential, because learned rates are stored per credential.
	stage.credential = await stage.rest.saveCredential(`Job ${index}`, credentialType, {
		baseUrl,
		apiKey,
		advancedSettings: true,
		requestsPerMinute: requestsPerMinute || 10_000_000 + index,
	});
	const { rest } = stage;
	await rest.publish(await rest.saveWorkflow(stage.prepare(worker(stage.packageName, path))));
	const id = await rest.saveWorkflow(stage.prepare(coordinator(stage, job, path)));
	await sleep(3000);
	stage.emulator.journal.clear();
	stage.emulator.behaviour.set(CHAT, job.rule);
	const startedAt = performance.now();
	const execution = await rest.runWorkflow(id, 'Start', timeoutMs);
	const seconds = (performance.now() - startedAt) / 1000;
	const answered = stage.emulator.journal.entries(CHAT).filter(({ status }) => status === 200).length;
	stage.emulator.behaviour.reset();
	if (execution.status !== 'success' || answered !== job.rows) {
		throw new Error(`${job.name}: ${execution.status}, ${answered} of ${job.rows} rows answered.`);
	}
	return { seconds, requests: stage.emulator.journal.count(CHAT) };
}

async function main(): Promise<void> {
	const figures: Array<Record<string, string | number>> = jobs.map(({ name, rows }) => ({ name, rows }));
	for (const workers of [1, 2, 3, 4]) {
		const environment = { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(WORKER_CONCURRENCY) };
		const stage = await openStage({ workers, environment });
		try {
			for (const [index, job] of jobs.entries()) {
				if (workers > (job.mostWorkers ?? 2)) continue;
				const { seconds, requests } = await measure(stage, job, index);
				figures[index][`${workers} worker(s)`] =
					`${seconds.toFixed(1)} s, ${(job.rows / seconds).toFixed(0)} rows/s, ${requests} requests`;
				console.log(workers, figures[index]);
			}
		} finally {
			await stage.close();
		}
	}
	console.table(figures);
}

void main();
