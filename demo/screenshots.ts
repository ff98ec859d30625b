import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { installN8n } from './install';
import { describeFailure, Problem } from './problem';
import { N8nRest, type Owner } from './rest';
import { folders } from './settings';
import { findRunningDemo, readOwner } from './state';

/**
 * Takes the pictures of docs/images from a running demo: `npx tsx demo/screenshots.ts`, with the browser that
 * CHROMIUM_PATH names.
 */

const example = 'Daily briefing';
const picture = path.join(folders.project, 'docs', 'images', 'daily-briefing.png');
const size = { width: 1600, height: 900 };

/** The few parts of playwright-core that are used: it belongs to the demo's private package, not to the project. */
interface Locator {
	first(): Locator;
	last(): Locator;
	click(): Promise<void>;
	fill(text: string): Promise<void>;
	waitFor(options?: { state: 'hidden' }): Promise<void>;
}
interface Page {
	goto(url: string): Promise<unknown>;
	locator(selector: string): Locator;
	getByText(text: string): Locator;
	keyboard: { press(key: string): Promise<void> };
	waitForTimeout(milliseconds: number): Promise<void>;
	screenshot(options: { path: string }): Promise<unknown>;
}
interface Browser {
	newPage(options: { viewport: typeof size; colorScheme: 'light'; reducedMotion: 'reduce' }): Promise<Page>;
	close(): Promise<void>;
}
interface Playwright {
	chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
}

/** Everything a browser needs to run without a display, as any user, and to reach nothing but this machine. */
const browserFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

main().catch((failure: unknown) => {
	process.stderr.write(`${describeFailure(failure)}\n`);
	process.exitCode = 1;
});

async function main(): Promise<void> {
	const running = await findRunningDemo();
	if (!running)
		throw new Problem('The demo is not running.', 'Start it first, in another terminal: npm start');
	const owner = await readOwner();
	const rest = new N8nRest(running.url, await installN8n());
	await rest.signIn(owner);
	const workflowId = (await rest.workflowIds()).get(example);
	if (!workflowId)
		throw new Problem(`The demo has no workflow "${example}".`, 'Start the demo anew: npm start');

	const browser = await launchBrowser();
	try {
		const page = await browser.newPage({ viewport: size, colorScheme: 'light', reducedMotion: 'reduce' });
		await signIn(page, running.url, owner);
		await page.goto(`${running.url}/workflow/${workflowId}`);
		await runInEditor(page);
		await mkdir(path.dirname(picture), { recursive: true });
		await page.screenshot({ path: picture });
		process.stdout.write(`Wrote ${path.relative(process.cwd(), picture)}\n`);
	} finally {
		await browser.close();
	}
}

async function launchBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
	if (!existsSync(executablePath)) {
		throw new Problem(
			`There is no Chromium at ${executablePath}.`,
			'Install it (Debian: apt-get install chromium), or name its program in CHROMIUM_PATH.',
		);
	}
	const { chromium } = createRequire(__filename)('playwright-core') as Playwright;
	return await chromium.launch({ executablePath, args: browserFlags });
}

async function signIn(page: Page, url: string, owner: Owner): Promise<void> {
	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[name="password"]').fill(owner.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.locator('[data-test-id="main-sidebar"], #sidebar').first().waitFor();
}

/** Executes the workflow as a person would and waits until it has succeeded and the canvas is at rest. */
async function runInEditor(page: Page): Promise<void> {
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
	// The button exists twice; the one on the canvas comes last.
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	const notice = page.getByText('Workflow executed successfully').first();
	await notice.waitFor();
	await notice.waitFor({ state: 'hidden' });
	// "1" fits the whole workflow into the canvas, which takes a moment to get there.
	await page.keyboard.press('1');
	await page.waitForTimeout(1000);
}
