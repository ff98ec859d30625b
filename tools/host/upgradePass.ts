import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { type INode, type INodeParameters, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { type Browser, fitCanvas, openEditor, openWorkflow, type Page } from './browser';
import { folders } from './folders';
import type { NodeType, Workflow, WorkflowNode } from './n8nTypes';
import type { Stage } from './stage';
import { workflowNode } from './workflowBuilder';

/** The workflows with every parameter of every node, one file for each released version; see CONTRIBUTING.md. */
const upgrades = path.join(folders.project, 'test', 'fixtures', 'upgrades');

/** How far apart nodes are on the canvas, and how many are in a row. */
const grid = { step: 220, columns: 14 };

/** How long the editor may take to save, in milliseconds. */
const saveWithinMs = 60_000;

/**
 * Opens the workflows of earlier versions in the editor and saves them there, which must not change a parameter.
 *
 * @param folder where the screenshots go
 * @returns what is wrong
 */
export async function passUpgrades(browser: Browser, stage: Stage, folder: string): Promise<string[]> {
	const problems: string[] = [];
	for (const file of await readdir(upgrades)) {
		const version = path.parse(file).name;
		const workflow = stage.prepare(await workflowOf(file));
		const id = await stage.rest.replaceWorkflow(workflow);
		const page = await openEditor(browser, stage.server.url, stage.owner, 'light');
		await openWorkflow(page, stage.server.url, id);
		await fitCanvas(page);
		await page.screenshot({ path: path.join(folder, `upgrade-${version}.png`) });
		const saved = await changeAndSave(page, stage, id);
		await page.close();
		problems.push(
			...differences(workflow, saved, stage.nodeTypes).map((name) => `${version}: ${name} has changed`),
		);
	}
	return problems;
}

async function workflowOf(file: string): Promise<Workflow> {
	const saved = JSON.parse(await readFile(path.join(upgrades, file), 'utf8')) as Array<
		Pick<WorkflowNode, 'type' | 'parameters'>
	>;
	const nodes = saved.map(({ type, parameters }, index) => {
		const position: [number, number] = [
			(index % grid.columns) * grid.step,
			Math.floor(index / grid.columns) * grid.step,
		];
		return workflowNode(`${index + 1} ${type.split('.')[1]}`, type, 1, parameters, { position });
	});
	return { name: `Upgrade ${path.parse(file).name}`, nodes, connections: {}, settings: {} };
}

/** Adds a sticky note, so that there is something to save. */
async function changeAndSave(page: Page, stage: Stage, id: string): Promise<Workflow> {
	await page.keyboard.press('Shift+s');
	await page.waitForTimeout(1000);
	await page.keyboard.press('Escape');
	await page.keyboard.press('Control+s');
	for (const deadline = Date.now() + saveWithinMs; Date.now() < deadline; await sleep(500)) {
		const saved = await stage.rest.workflow(id);
		if (saved.nodes.some(({ type }) => type.endsWith('.stickyNote'))) return saved;
	}
	throw new Error(`The editor did not save the workflow within ${saveWithinMs / 1000} s.`);
}

/** The names of nodes whose parameters are not the same any more. The editor leaves out what has its default. */
function differences(before: Workflow, after: Workflow, nodeTypes: NodeType[]): string[] {
	const typeOf = new Map(nodeTypes.map((type) => [type.name, type]));
	const complete = (node: WorkflowNode) => {
		const type = typeOf.get(node.type) as unknown as INodeTypeDescription;
		return NodeHelpers.getNodeParameters(
			type.properties,
			node.parameters as INodeParameters,
			true,
			false,
			node as unknown as INode,
			type,
		);
	};
	const nodesOf = new Map(after.nodes.map((node) => [node.name, node]));
	return before.nodes
		.filter((node) => {
			const saved = nodesOf.get(node.name);
			return !saved || !isDeepStrictEqual(complete(saved), complete(node));
		})
		.map(({ name }) => name);
}
