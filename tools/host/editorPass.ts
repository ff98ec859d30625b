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
import { runCommand } from './command';
import { folders } from './folders';
import type { NodeProperty, NodeType } from './n8nTypes';
import { Problem } from './problem';
import { step } from './progress';
import { openStage, type Stage } from './stage';
import { manualTrigger, workflowWithNode } from './workflowBuilder';

const usage = `Usage: npm run editor-pass -- [options] [nodes]

  Checks every node in n8n's editor: searches for it by each of its search words, and saves a screenshot of its panel for
  each operation, light and dark, in demo/.state/editor-pass. To check only some nodes, name their types, such as "chat".
  Needs Chromium (or set CHROMIUM_PATH to its executable).

  --help  show this help`;

/** The parameters that decide which other parameters are shown. */
interface Choice {
	resource?: string;
	operation?: string;
}

runCommand(usage, main);

async function main(selected: string[]): Promise<void> {
	const stage = await step('Setting up n8n', () => openStage());
	try {
		const nodes = stage.nodeTypes.filter(
			({ name }) => name.startsWith(`${stage.packageName}.`) && isSelected(shortName(name), selected),
		);
		const browser = await launchBrowser();
		const notFound: string[] = [];
		for (const scheme of ['light', 'dark'] satisfies ColorScheme[]) {
			for (const node of nodes) {
				const page = await openEditor(browser, stage.server.url, stage.owner, scheme);
				await step(`${node.displayName}, ${scheme}`, () => capturePanels(page, stage, node, scheme));
				if (scheme === 'light') notFound.push(...(await wordsNotFound(page, stage, node)));
				await page.close();
			}
		}
		await browser.close();
		if (notFound.length > 0) {
			throw new Problem('These search words do not find their node:', notFound.join('\n'));
		}
	} finally {
		await stage.close();
	}
}

/** Excludes the tool variants that n8n generates from the nodes, because their panels are the same. */
function isSelected(name: string, selected: string[]): boolean {
	return !name.endsWith('Tool') && (selected.length === 0 || selected.includes(name));
}

function shortName(type: string): string {
	return type.slice(type.lastIndexOf('.') + 1);
}

async function capturePanels(page: Page, stage: Stage, node: NodeType, scheme: ColorScheme): Promise<void> {
	const folder = path.join(folders.state, 'editor-pass', scheme);
	await mkdir(folder, { recursive: true });
	for (const choice of choicesOf(node.properties)) {
		const workflow = stage.prepare(workflowWithNode('Editor pass', node, choice));
		await openWorkflow(page, stage.server.url, await stage.rest.replaceWorkflow(workflow));
		await openPanel(page, node.displayName);
		const name = [shortName(node.name), choice.resource, choice.operation].filter(Boolean).join('-');
		await page.screenshot({ path: path.join(folder, `${name}.png`) });
	}
}

/**
 * The search words for which the editor does not list the node. The editor lists sub-nodes such as embeddings and
 * rerankers only at matching connectors, so they are skipped.
 */
async function wordsNotFound(page: Page, stage: Stage, node: NodeType): Promise<string[]> {
	const { AI: groups } = node.codex?.subcategories ?? {};
	if (groups && !groups.includes('Root Nodes')) return [];
	const workflow = stage.prepare({ name: 'Search', nodes: [manualTrigger()], connections: {} });
	await openWorkflow(page, stage.server.url, await stage.rest.replaceWorkflow(workflow));
	const words = [node.displayName, ...(node.codex?.alias ?? [])];
	const notFound: string[] = [];
	for (const word of words) {
		if (!(await nodesFound(page, word)).includes(node.displayName))
			notFound.push(`${node.displayName}: ${word}`);
	}
	return notFound;
}

/** Every combination of a resource and one of its operations. */
function choicesOf(properties: NodeProperty[]): Choice[] {
	// n8n adds this option itself; it opens another node.
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
