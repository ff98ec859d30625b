import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Problem } from './problem';
import type { Credential, Execution, N8nRest, NodeRun, NodeType, Workflow } from './rest';
import { folders } from './settings';

/** The credential type of the nodes. */
export const credentialType = 'unifiedAiGatewayApi';

/** Stand in the example files for the folder that they write to, and for their own, where their sample files are. */
const outputPlaceholder = '__OUTPUT_FOLDER__';
const examplesPlaceholder = '__EXAMPLES_FOLDER__';

/** Triggers that need nothing from outside, so that "Execute workflow" alone runs the workflow. */
const selfStarting = new Set(['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.manualTrigger']);

/** How long one example may run, in ms. */
const runTimeoutMs = 300_000;

/** An example as it lies in n8n. */
export interface ImportedExample {
	workflowId: string;
	name: string;
	/** The trigger to run it from; undefined when it waits for a call from outside. */
	trigger?: string;
	/** Path of the webhook that it waits at, if it does. */
	webhookPath?: string;
}

/** What one example did. */
export interface ExampleResult {
	succeeded: boolean;
	nodes: NodeReport[];
	/** Files written, absolute, with their size in bytes. */
	files: Array<{ path: string; bytes: number }>;
	/** Why it did not succeed, when no node says so. */
	reason?: string;
}

/** What one node did in a run. */
export interface NodeReport {
	name: string;
	items: number;
	milliseconds: number;
	failure?: string;
}

/**
 * Reads the example workflows of a folder, sorted by file name.
 *
 * @throws Problem when there is none, or a file is not JSON
 */
export async function readExamples(folder: string): Promise<Workflow[]> {
	const files = existsSync(folder)
		? (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
		: [];
	if (files.length === 0) {
		throw new Problem(`There is no example in ${folder}.`, 'Check out the project again.');
	}
	return await Promise.all(
		files.map(async (file) => {
			try {
				return JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Workflow;
			} catch (failure) {
				throw new Problem(
					`The example ${file} cannot be read: ${String(failure)}`,
					'Check out the project again.',
				);
			}
		}),
	);
}

/** The node that "Execute workflow" alone runs an example from; undefined when it waits for a call from outside. */
export function triggerOf({ nodes }: Workflow): string | undefined {
	return nodes.find(({ type, disabled }) => selfStarting.has(type) && !disabled)?.name;
}

/**
 * An example made ready for one n8n: its nodes use the credential, read the sample files beside the examples, and write
 * into the output folder.
 */
export function prepareExample(
	example: Workflow,
	credential: Credential,
	nodeTypes: NodeType[],
	outputFolder: string,
): Workflow {
	const users = new Set(
		nodeTypes
			.filter(({ credentials }) => credentials?.some(({ name }) => name === credentialType))
			.map(({ name }) => name),
	);
	const nodes = example.nodes.map((node) => {
		const parameters = replaceInTexts(node.parameters, {
			[outputPlaceholder]: outputFolder.replaceAll('\\', '/'),
			[examplesPlaceholder]: folders.examples.replaceAll('\\', '/'),
		});
		const usesCredential = users.has(node.type) || credentialType in (node.credentials ?? {});
		const { id, name } = credential;
		const credentials = usesCredential
			? { ...node.credentials, [credentialType]: { id, name } }
			: node.credentials;
		return { ...node, parameters, credentials };
	});
	return { ...example, nodes };
}

/**
 * Puts examples into n8n, each once. One that is there already is replaced only when the example itself has changed, so
 * that what was changed in the editor stays.
 *
 * @param memoryFile remembers what was put in
 */
export async function importExamples(
	rest: N8nRest,
	examples: Workflow[],
	memoryFile: string,
): Promise<ImportedExample[]> {
	const digests = existsSync(memoryFile)
		? (JSON.parse(await readFile(memoryFile, 'utf8')) as Record<string, string>)
		: {};
	const ids = await rest.workflowIds();
	const imported: ImportedExample[] = [];
	for (const example of examples) {
		const { name } = example;
		const digest = createHash('sha256').update(JSON.stringify(example)).digest('hex');
		const known = ids.get(name);
		const workflowId = known && digests[name] === digest ? known : await rest.saveWorkflow(example, known);
		digests[name] = digest;
		const trigger = triggerOf(example);
		const webhook = example.nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		const webhookPath = trigger ? undefined : (webhook?.parameters.path as string | undefined);
		imported.push({ workflowId, name, trigger, webhookPath });
	}
	await writeFile(memoryFile, JSON.stringify(digests, null, 2));
	return imported;
}

/** Runs an example from its trigger and reports what each node did and which files it wrote. */
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
	const nodeTellsWhy = nodes.some(({ failure }) => failure);
	return { succeeded, nodes, files, reason: succeeded || nodeTellsWhy ? undefined : reasonOf(execution) };
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

/** A copy of a JSON value in whose texts each key of `replacements` has become its value. */
function replaceInTexts<T>(value: T, replacements: Record<string, string>): T {
	const replaced = (text: string) =>
		Object.entries(replacements).reduce(
			(result, [search, replacement]) => result.replaceAll(search, () => replacement),
			text,
		);
	const copy: unknown = JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
		typeof part === 'string' ? replaced(part) : part,
	);
	return copy as T;
}
