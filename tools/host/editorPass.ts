import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import {
	type ColorScheme,
	launchBrowser,
	nodesFound,
	openEditor,
	openPanel,
	openWorkflow,
	type Page,
} from './browser';
import { describeFailure, Problem } from './problem';
import { step } from './progress';
import type { NodeProperty, NodeType, Workflow } from './rest';
import { folders } from './settings';
import { openStage, type Stage } from './stage';

const usage = `Usage: npm run editor-pass -- [options] [nodes]

  Looks at every node as a user meets it: searches the editor for it by each of its search words, and takes a picture of
  its panel in each operation, light and dark, into demo/.state/editor-pass. Nodes are named like "chat". Needs Chromium
  (CHROMIUM_PATH names its program).

  --help  show this`;

/** In front of the node. */
const START = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** What the user chose: parameters that decide which others are shown. */
interface Choice {
	resource?: string;
	operation?: string;
}

main().catch((failure: unknown) => {
	process.stderr.write(`${describeFailure(failure)}\n`);
	process.exitCode = 1;
});

async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	if (wanted.includes('--help')) return void process.stdout.write(`${usage}\n`);
	const stage = await step('Setting up an n8n', () => openStage());
	try {
		const nodes = stage.nodeTypes.filter(
			({ name }) => name.startsWith(`${stage.packageName}.`) && isWanted(shortName(name), wanted),
		);
		const browser = await launchBrowser();
		const missed: string[] = [];
		for (const scheme of ['light', 'dark'] satisfies ColorScheme[]) {
			for (const node of nodes) {
				const page = await openEditor(browser, stage.server.url, stage.owner, scheme);
				await step(`${node.displayName}, ${scheme}`, () => takePanels(page, stage, node, scheme));
				if (scheme === 'light') missed.push(...(await missedWords(page, stage, node)));
				await page.close();
			}
		}
		await browser.close();
		if (missed.length > 0) throw new Problem('Search words that find nothing:', missed.join('\n'));
	} finally {
		await stage.close();
	}
}

/** Agents' tools are made by n8n from the nodes and have the same panels. */
function isWanted(name: string, wanted: string[]): boolean {
	return !name.endsWith('Tool') && (wanted.length === 0 || wanted.includes(name));
}

function shortName(type: string): string {
	return type.slice(type.lastIndexOf('.') + 1);
}

async function takePanels(page: Page, stage: Stage, node: NodeType, scheme: ColorScheme): Promise<void> {
	const folder = path.join(folders.state, 'editor-pass', scheme);
	await mkdir(folder, { recursive: true });
	for (const choice of choicesOf(node.properties)) {
		const workflow = stage.prepare(workflowOf(node, choice));
		const known = (await stage.rest.workflowIds()).get(workflow.name);
		await openWorkflow(page, stage.server.url, await stage.rest.saveWorkflow(workflow, known));
		await openPanel(page, node.displayName);
		const name = [shortName(node.name), choice.resource, choice.operation].filter(Boolean).join('-');
		await page.screenshot({ path: path.join(folder, `${name}.png`) });
	}
}

/**
 * The search words under which the editor does not offer the node. Embeddings and rerankers, n8n's own too, are offered
 * only at the connectors that take them; there is nothing to look for then.
 */
async function missedWords(page: Page, stage: Stage, node: NodeType): Promise<string[]> {
	const { AI: groups } = node.codex?.subcategories ?? {};
	if (groups && !groups.includes('Root Nodes')) return [];
	const workflow = stage.prepare({ name: 'Search', nodes: [START], connections: {} });
	const known = (await stage.rest.workflowIds()).get(workflow.name);
	await openWorkflow(page, stage.server.url, await stage.rest.saveWorkflow(workflow, known));
	const words = [node.displayName, ...(node.codex?.alias ?? [])];
	const missed: string[] = [];
	for (const word of words) {
		if (!(await nodesFound(page, word)).includes(node.displayName))
			missed.push(`${node.displayName}: ${word}`);
	}
	return missed;
}

/** Every resource with every operation of it. */
export function choicesOf(properties: NodeProperty[]): Choice[] {
	// n8n adds a choice of its own, which leads away from the node.
	const values = ({ options = [] }: NodeProperty) =>
		options.map(({ value }) => String(value)).filter((value) => value !== '__CUSTOM_API_CALL__');
	const operations = properties.filter(({ name }) => name === 'operation');
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(values);
	if (operations.length === 0) return [{}];
	if (resources.length === 0) return operations.flatMap(values).map((operation) => ({ operation }));
	return resources.flatMap((resource) =>
		operations
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource) ?? true)
			.flatMap(values)
			.map((operation) => ({ resource, operation })),
	);
}

function workflowOf({ name: type, displayName, inputs }: NodeType, choice: Choice): Workflow {
	const node = { id: 'node', name: displayName, type, typeVersion: 1, parameters: { ...choice } };
	return {
		name: 'Editor pass',
		nodes: [START, { ...node, position: [220, 0] }],
		connections:
			inputs.length === 0 ? {} : { Start: { main: [[{ node: displayName, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
