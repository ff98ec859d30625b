import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import {
	type ColorScheme,
	cutLabels,
	launchBrowser,
	nodesFound,
	openEditor,
	openPanel,
	openWorkflow,
	outOfSight,
	type Page,
} from './browser';
import { runCommand } from './command';
import { folders } from './folders';
import type { NodeProperty, NodeType } from './n8nTypes';
import { Problem } from './problem';
import { step } from './progress';
import { type SearchIntent, searchIntents } from './searchIntents';
import { openStage, type Stage } from './stage';
import { manualTrigger, workflowWithNode } from './workflowBuilder';

const usage = `Usage: npm run editor-pass -- [options] [nodes]

  Checks every node in n8n's editor: searches for it by each of its search words and by what people type (it must then be
  among the first three), opens its panel for each operation on a small screen, which must show all required parameters, and
  cut off no label with all options added, and saves a screenshot of it, light and dark, in demo/.state/editor-pass. To check only some nodes, name their types, such as "chat". Needs Chromium (or set CHROMIUM_PATH
  to its executable).

  --search  only search
  --help    show this help`;

/** Where the screenshots go. */
const passFolder = path.join(folders.state, 'editor-pass');

/** The screen of a small notebook. */
const smallScreen = { width: 1440, height: 900 };

/** How far down the list of n8n's node search people look. */
const inSight = 3;

/** The parameter that decides which other parameters are shown. */
interface Choice {
	operation?: string;
}

runCommand(usage, main);

async function main(commandLine: string[]): Promise<void> {
	const selected = commandLine.filter((word) => !word.startsWith('--'));
	const schemes: ColorScheme[] = commandLine.includes('--search') ? [] : ['light', 'dark'];
	await mkdir(passFolder, { recursive: true });
	const stage = await step('Setting up n8n', () => openStage());
	try {
		const nodes = stage.nodeTypes.filter(
			({ name }) => name.startsWith(`${stage.packageName}.`) && isSelected(shortName(name), selected),
		);
		const browser = await launchBrowser();
		const unseen: string[] = [];
		for (const scheme of schemes) {
			for (const node of nodes) {
				const page = await openEditor(browser, stage.server.url, stage.owner, scheme);
				await page.setViewportSize(smallScreen);
				await step(`${node.displayName}, ${scheme}`, async () => {
					unseen.push(...(await capturePanels(page, stage, node, scheme)));
				});
				await page.close();
			}
		}
		const page = await openEditor(browser, stage.server.url, stage.owner, 'light');
		const problems = await step('Searching', () => search(page, stage, nodes));
		await browser.close();
		if (unseen.length > 0) throw new Problem('In the panels:', unseen.join('\n'));
		if (problems.length > 0) throw new Problem('The node search:', problems.join('\n'));
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

/** @returns the required parameters of each operation that are not on the first screen, and the labels that are cut off */
async function capturePanels(
	page: Page,
	stage: Stage,
	node: NodeType,
	scheme: ColorScheme,
): Promise<string[]> {
	const unseen: string[] = [];
	const folder = path.join(passFolder, scheme);
	await mkdir(folder, { recursive: true });
	const show = async (parameters: object) => {
		const workflow = stage.prepare(workflowWithNode('Editor pass', node, parameters));
		await openWorkflow(page, stage.server.url, await stage.rest.replaceWorkflow(workflow));
		await openPanel(page, node.displayName);
	};
	for (const choice of choicesOf(node.properties)) {
		await show(choice);
		const name = [shortName(node.name), choice.operation].filter(Boolean).join('-');
		await page.screenshot({ path: path.join(folder, `${name}.png`) });
		const required = node.properties.filter((property) => property.required).map((property) => property.name);
		const below = await outOfSight(page, [...new Set(required)]);
		unseen.push(...below.map((parameter) => `${name}: ${parameter} is not on the first screen`));
		if (scheme === 'dark') continue;
		await show({ ...withAllOptions(node), ...choice });
		unseen.push(...(await cutLabels(page)).map((label) => `${name}: "${label}" is cut off`));
	}
	return unseen;
}

/** Parameters with every option that can be added to a list. */
function withAllOptions({ properties }: NodeType): Record<string, object> {
	const lists = properties.filter(({ type }) => type === 'collection');
	return Object.fromEntries(
		lists.map(({ name, options = [] }) => [
			name,
			Object.fromEntries(options.map((option) => [option.name, option.default])),
		]),
	);
}

/** Searches for the nodes; returns what is wrong with the results. */
async function search(page: Page, stage: Stage, nodes: NodeType[]): Promise<string[]> {
	const workflow = stage.prepare({ name: 'Search', nodes: [manualTrigger()], connections: {} });
	await openWorkflow(page, stage.server.url, await stage.rest.replaceWorkflow(workflow));
	const problems: string[] = [];
	for (const node of nodes) {
		for (const word of [node.displayName, ...(node.codex?.alias ?? [])]) {
			if (!(await nodesFound(page, word)).includes(node.displayName))
				problems.push(`"${word}" does not find ${node.displayName}`);
		}
		for (const intent of searchIntents.filter((one) => one.node === shortName(node.name)))
			problems.push(...problemsOf(intent, await nodesFound(page, intent.words), node.displayName));
	}
	return problems;
}

function problemsOf({ words, reason }: SearchIntent, found: string[], node: string): string[] {
	const place = found.indexOf(node) + 1;
	if (place === 0) return [`"${words}" does not find ${node}`];
	if (place > inSight && !reason)
		return [`"${words}" finds ${node} in place ${place}, after ${found.slice(0, place - 1).join(', ')}`];
	if (place <= inSight && reason)
		return [`"${words}" finds ${node} in place ${place}; delete its reason for not being among the first`];
	return [];
}

/** Every operation. */
function choicesOf(properties: NodeProperty[]): Choice[] {
	// n8n adds this option itself; it opens another node.
	const values = ({ options = [] }: NodeProperty) =>
		options.map(({ value }) => String(value)).filter((value) => value !== '__CUSTOM_API_CALL__');
	const operations = properties.filter(({ name }) => name === 'operation');
	if (operations.length === 0) return [{}];
	return operations.flatMap(values).map((operation) => ({ operation }));
}
