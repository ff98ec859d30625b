import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

import { Problem } from './problem';
import type { Owner } from './rest';

/** The few parts of playwright-core that are used: it belongs to the demo's private package, not to the project. */
export interface Locator {
	first(): Locator;
	last(): Locator;
	click(): Promise<void>;
	dblclick(): Promise<void>;
	fill(text: string): Promise<void>;
	waitFor(options?: { state: 'hidden' }): Promise<void>;
	count(): Promise<number>;
	allInnerTexts(): Promise<string[]>;
}
export interface Page {
	goto(url: string): Promise<unknown>;
	locator(selector: string): Locator;
	getByText(text: string | RegExp): Locator;
	keyboard: { press(key: string): Promise<void> };
	waitForTimeout(milliseconds: number): Promise<void>;
	screenshot(options: { path: string }): Promise<unknown>;
	close(): Promise<void>;
}
export interface Browser {
	newPage(options: PageOptions): Promise<Page>;
	close(): Promise<void>;
}
interface PageOptions {
	viewport: { width: number; height: number };
	colorScheme: ColorScheme;
	reducedMotion: 'reduce';
}
interface Playwright {
	chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> };
}

export type ColorScheme = 'light' | 'dark';

/** The size of a picture, in pixels. */
const viewport = { width: 1600, height: 900 };

/** Everything a browser needs to run without a display, as any user, and to reach nothing but this machine. */
const browserFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

/**
 * Starts the browser that CHROMIUM_PATH names, or the system's Chromium.
 *
 * @throws Problem when there is none
 */
export async function launchBrowser(): Promise<Browser> {
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

/** A page of the editor, signed in. */
export async function openEditor(
	browser: Browser,
	url: string,
	owner: Owner,
	colorScheme: ColorScheme,
): Promise<Page> {
	const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(owner.email);
	await page.locator('input[name="password"]').fill(owner.password);
	await page.locator('[data-test-id="form-submit-button"]').click();
	await page.locator('[data-test-id="main-sidebar"], #sidebar').first().waitFor();
	return page;
}

/** Opens a workflow and waits until its canvas is there. */
export async function openWorkflow(page: Page, url: string, workflowId: string): Promise<void> {
	await page.goto(`${url}/workflow/${workflowId}`);
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
}

/**
 * Executes the open workflow as a person would.
 *
 * @param call calls the workflow's webhook, for one that waits for it
 */
export async function execute(page: Page, call?: () => Promise<void>): Promise<void> {
	// The button exists twice; the one on the canvas comes last.
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	if (call) {
		await page.getByText('Waiting for trigger event').first().waitFor();
		await call();
	}
	const notice = page.getByText('Workflow executed successfully').first();
	await notice.waitFor();
	await notice.waitFor({ state: 'hidden' });
}

/** Fits the whole workflow into the canvas and waits until it is at rest. */
export async function fitCanvas(page: Page): Promise<void> {
	await page.keyboard.press('1');
	await page.waitForTimeout(1000);
}

/** The names of the nodes that the editor offers for a search word; the workflow is open. */
export async function nodesFound(page: Page, word: string): Promise<string[]> {
	const field = page.locator('input[data-test-id="node-creator-search-bar"]');
	if ((await field.count()) === 0)
		await page.locator('[data-test-id="node-creator-plus-button"]').first().click();
	await field.first().fill(word);
	await page.waitForTimeout(600);
	return await page.locator('[data-test-id="node-creator-item-name"]').allInnerTexts();
}

/** Opens the panel of a node and waits until it is at rest. */
export async function openPanel(page: Page, nodeName: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${nodeName}"]`).first().dblclick();
	await page.locator('[data-test-id="ndv"], [data-test-id="node-parameters"]').first().waitFor();
	await page.waitForTimeout(1500);
}
