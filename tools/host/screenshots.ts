import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import {
	filesOf,
	newWorkflow,
	type Picture,
	pictures,
	isStale,
	remember,
	runningWorkflow,
} from '../docs/pictures';
import {
	type Browser,
	type ColorScheme,
	execute,
	executeUntil,
	fitCanvas,
	launchBrowser,
	openEditor,
	openPanel,
	openWorkflow,
} from './browser';
import { runCommand } from './command';
import { readExamples, triggerOf } from './examples';
import type { NodeType, Workflow } from './n8nTypes';
import { step } from './progress';
import { openStage, type Stage } from './stage';
import { workflowWithNode } from './workflowBuilder';

const usage = `Usage: npm run screenshots -- [options] [names]

  Takes the screenshots in docs/images in a real n8n: those whose node or example has changed, or the ones that you name,
  such as daily-briefing or panels/chat. Needs Chromium (or set CHROMIUM_PATH to its executable) and a font with Chinese
  characters (Debian: fonts-noto-cjk).

  --all   take all screenshots
  --help  show this help`;

/** The workflow to show, and the node whose panel to open. */
interface Scene {
	workflow: Workflow;
	nodeName?: string;
	/** A text on the canvas. When it appears, the picture is taken, while the workflow runs. */
	until?: string;
}

runCommand(usage, main);

async function main(selected: string[]): Promise<void> {
	const all = await pictures();
	const chosen = all.filter((picture) =>
		selected.length === 0 ? isStale(picture) : selected.includes('--all') || selected.includes(picture.name),
	);
	if (chosen.length === 0) return void process.stdout.write('All screenshots are up to date.\n');
	const examples = await readExamples();
	const stage = await step('Setting up n8n', () => openStage());
	// Songs finish at once.
	stage.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	// A batch of images takes long enough for a picture of it.
	stage.emulator.behaviour.set('POST /v1/images/generations', { latencyMs: 3000 });
	try {
		const browser = await launchBrowser();
		for (const picture of chosen) {
			await step(picture.name, () => capture(browser, stage, picture, examples));
			remember(picture);
		}
		await browser.close();
	} finally {
		await stage.close();
	}
}

/** Takes a screenshot in each of its color schemes. */
async function capture(
	browser: Browser,
	stage: Stage,
	picture: Picture,
	examples: Workflow[],
): Promise<void> {
	const scene = await sceneOf(picture, examples, stage);
	const workflow = stage.prepare(scene.workflow);
	const { rest } = stage;
	const workflowId = await rest.saveWorkflow(workflow, (await rest.workflowIds()).get(workflow.name));
	const schemes: ColorScheme[] = ['light', 'dark'];
	for (const [index, file] of filesOf(picture).entries()) {
		const page = await openEditor(browser, stage.server.url, stage.owner, schemes[index]);
		await openWorkflow(page, stage.server.url, workflowId);
		if (scene.until) {
			await fitCanvas(page);
			await executeUntil(page, scene.until);
		} else {
			const canRun = triggerOf(workflow) !== undefined && workflow.nodes.length > 2;
			if (!picture.isNew && canRun) await execute(page);
			await fitCanvas(page);
		}
		if (scene.nodeName) await openPanel(page, scene.nodeName);
		await mkdir(path.dirname(file), { recursive: true });
		await page.screenshot({ path: file });
		await page.close();
		if (scene.until) await rest.stopExecution((await rest.newestExecution(workflowId))!.id);
	}
}

async function read(file: string): Promise<Workflow> {
	return JSON.parse(await readFile(file, 'utf8')) as Workflow;
}

/** Returns the example to show. For a panel, returns the first example with the node, or a new workflow with it. */
async function sceneOf(picture: Picture, examples: Workflow[], stage: Stage): Promise<Scene> {
	const { example, nodeType, isRunning, isNew } = picture;
	// The third of ten batches is in progress.
	if (isRunning) return { workflow: await read(runningWorkflow), until: '60 items' };
	if (isNew) {
		const workflow = await read(newWorkflow);
		return { workflow, nodeName: workflow.nodes.at(-1)?.name };
	}
	const type = `${stage.packageName}.${nodeType}`;
	for (const workflow of examples) {
		if (workflow.name === example) return { workflow };
		const node = workflow.nodes.find((candidate) => candidate.type === type);
		if (node) return { workflow, nodeName: node.name };
	}
	const described = stage.nodeTypes.find(({ name }) => name === type) as NodeType;
	return { workflow: workflowWithNode(described), nodeName: described.displayName };
}
