import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { filesOf, type Picture, pictures, isStale, remember } from '../docs/pictures';
import {
	type Browser,
	type ColorScheme,
	execute,
	fitCanvas,
	launchBrowser,
	openEditor,
	openPanel,
	openWorkflow,
	type Page,
} from './browser';
import { readExamples, triggerOf } from './examples';
import { describeFailure } from './problem';
import { step } from './progress';
import type { NodeType, Workflow, WorkflowNode } from './rest';
import { folders } from './settings';
import { openStage, type Stage } from './stage';

const usage = `Usage: npm run screenshots -- [options] [names]

  Takes the pictures of docs/images from a real n8n of its own: those whose node or example has changed since, or the
  named ones, e.g. daily-briefing or panels/chat. Needs Chromium (CHROMIUM_PATH names its program) and a font with
  Chinese characters (Debian: fonts-noto-cjk).

  --all   every picture
  --help  show this`;

/** What the examples that wait for a call are called with. */
const calls: Record<string, object> = {
	'Streaming chat': { question: 'Why is the sky blue?' },
	'Durable music wait': { songs: [{ title: 'First Snow', style: 'folk', lyrics: 'The first snow falls' }] },
};

/** A workflow to take a picture of, and the node whose panel is to be shown. */
interface Scene {
	workflow: Workflow;
	nodeName?: string;
}

main().catch((failure: unknown) => {
	process.stderr.write(`${describeFailure(failure)}\n`);
	process.exitCode = 1;
});

async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	if (wanted.includes('--help')) return void process.stdout.write(`${usage}\n`);
	const all = await pictures();
	const chosen = all.filter((picture) =>
		wanted.length === 0 ? isStale(picture) : wanted.includes('--all') || wanted.includes(picture.name),
	);
	if (chosen.length === 0) return void process.stdout.write('Every picture is up to date.\n');
	const examples = await readExamples(folders.examples);
	const stage = await step('Setting up an n8n', () => openStage());
	// Nobody waits for songs while pictures are taken.
	stage.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
	try {
		const browser = await launchBrowser();
		for (const picture of chosen) {
			await step(picture.name, () => take(browser, stage, picture, examples));
			remember(picture);
		}
		await browser.close();
	} finally {
		await stage.close();
	}
}

/** Takes a picture in the color schemes that it is wanted in. */
async function take(browser: Browser, stage: Stage, picture: Picture, examples: Workflow[]): Promise<void> {
	const scene = sceneOf(picture, examples, stage);
	const workflow = stage.prepare(scene.workflow);
	const known = (await stage.rest.workflowIds()).get(workflow.name);
	const workflowId = await stage.rest.saveWorkflow(workflow, known);
	const schemes: ColorScheme[] = ['light', 'dark'];
	for (const [index, file] of filesOf(picture).entries()) {
		const page = await openEditor(browser, stage.server.url, stage.owner, schemes[index]);
		await openWorkflow(page, stage.server.url, workflowId);
		await run(page, stage, workflow);
		await fitCanvas(page);
		if (scene.nodeName) await openPanel(page, scene.nodeName);
		await mkdir(path.dirname(file), { recursive: true });
		await page.screenshot({ path: file });
		await page.close();
	}
}

/** Runs a workflow in the editor where it can run; others are shown as they are. */
async function run(page: Page, stage: Stage, workflow: Workflow): Promise<void> {
	const body = calls[workflow.name];
	if (body) {
		const { parameters } = workflow.nodes.find(({ type }) => type.endsWith('.webhook')) as WorkflowNode;
		await execute(page, () => callTestWebhook(stage, parameters.path as string, body));
	} else if (triggerOf(workflow) && workflow.nodes.length > 2) {
		await execute(page);
	}
}

async function callTestWebhook({ server }: Stage, webhookPath: string, body: object): Promise<void> {
	for (let tries = 0; tries < 20; tries++) {
		const response = await fetch(`${server.url}/webhook-test/${webhookPath}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		await response.text();
		if (response.ok) return;
		await sleep(250);
	}
}

/** An example; for a panel, the first one that uses the node, or else a workflow made for it. */
function sceneOf({ example, nodeType }: Picture, examples: Workflow[], stage: Stage): Scene {
	const type = `${stage.packageName}.${nodeType}`;
	for (const workflow of examples) {
		if (workflow.name === example) return { workflow };
		const node = workflow.nodes.find((candidate) => candidate.type === type);
		if (node) return { workflow, nodeName: node.name };
	}
	const described = stage.nodeTypes.find(({ name }) => name === type) as NodeType;
	return { workflow: workflowFor(described), nodeName: described.displayName };
}

/** A trigger and the node with the parameters that it starts with; a sub-node stands beside the trigger. */
function workflowFor({ name: type, displayName, inputs }: NodeType): Workflow {
	const node = (name: string, nodeType: string, x: number): WorkflowNode => ({
		id: name,
		name,
		type: nodeType,
		typeVersion: 1,
		position: [x, 0],
		parameters: {},
	});
	return {
		name: displayName,
		nodes: [node('Start', 'n8n-nodes-base.manualTrigger', 0), node(displayName, type, 220)],
		connections:
			inputs.length === 0 ? {} : { Start: { main: [[{ node: displayName, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
