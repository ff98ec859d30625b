import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { launchBrowser, openEditor, openPanel, openWorkflow, type Page } from './browser';
import { runCommand } from './command';
import { credentialType, prepareExample } from './examples';
import { folders } from './folders';
import { chatMistakes } from './mistakes/chatMistakes';
import { dataMistakes } from './mistakes/dataMistakes';
import { mediaMistakes } from './mistakes/mediaMistakes';
import { type Mistake, workflowOf } from './mistakes/mistake';
import { Problem } from './problem';
import { step } from './progress';
import { openStage, type Stage } from './stage';

const usage = `Usage: npm run mistake-pass -- [options] [words]

  Makes the mistakes that users make in n8n's editor, and checks that the editor itself says what is wrong and what to do.
  Saves screenshots of the canvas and of the failed node, and a list of all messages, in demo/.state/mistake-pass. To make
  only some mistakes, give words of their names, such as "voice". Needs Chromium (or set CHROMIUM_PATH to its executable).

  --help  show this help`;

const folder = path.join(folders.state, 'mistake-pass');

runCommand(usage, main);

async function main(words: string[]): Promise<void> {
	const chosen = [...chatMistakes, ...mediaMistakes, ...dataMistakes].filter(
		({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
	);
	const stage = await step('Setting up n8n', () => openStage());
	const list: string[] = [];
	const unsaid: string[] = [];
	try {
		await mkdir(folder, { recursive: true });
		const browser = await launchBrowser();
		const page = await openEditor(browser, stage.server.url, stage.owner, 'light');
		for (const mistake of chosen) {
			const { name, says } = mistake;
			const shown = await step(name, () => make(page, stage, mistake));
			list.push(`## ${name}\n\n${shown}\n`);
			unsaid.push(...says.filter((part) => !shown.includes(part)).map((part) => `${name}: ${part}`));
		}
		await browser.close();
	} finally {
		await stage.close();
	}
	await writeFile(path.join(folder, 'messages.md'), list.join('\n'));
	if (unsaid.length > 0) throw new Problem('The editor does not say:', unsaid.join('\n'));
}

/** Makes a mistake in the editor; returns what the notice and the output of the failed node say. */
async function make(page: Page, stage: Stage, mistake: Mistake): Promise<string> {
	const { name, credential, rules = {} } = mistake;
	const { emulator, rest } = stage;
	emulator.behaviour.reset();
	for (const [route, rule] of Object.entries(rules)) emulator.behaviour.set(route, rule);
	await rest.saveCredential('Gateway', credentialType, {
		baseUrl: emulator.url,
		apiKey: emulator.apiKey,
		...credential,
	});
	const { credential: gateway, nodeTypes } = stage;
	const made = workflowOf(mistake);
	const workflow = credential === null ? made : prepareExample(made, gateway, nodeTypes, emulator.url);
	await openWorkflow(page, stage.server.url, await rest.replaceWorkflow(workflow));
	// There are two such buttons; the one on the canvas is the last.
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	const notice = page.locator('.el-notification');
	await notice.first().waitFor();
	await page.waitForTimeout(500);
	const noticed = await notice.allInnerTexts();
	await page.screenshot({ path: path.join(folder, `${name}.png`) });
	await openPanel(page, mistake.failing ?? workflow.nodes[workflow.nodes.length - 1].name);
	await page.screenshot({ path: path.join(folder, `${name}.panel.png`) });
	const output = await page
		.locator('[data-test-id="output-panel"], [data-test-id="ndv-output-panel"]')
		.allInnerTexts();
	return [...noticed, ...output].join('\n').replace(/\n+/g, '\n');
}
