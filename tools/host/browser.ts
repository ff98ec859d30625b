import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { folders } from './folders';
import type { Owner } from './n8nTypes';
import { Problem } from './problem';

/** The parts of playwright-core that are used here; the package is a dependency of demo/, not of the project. */
export interface Locator {
	first(): Locator;
	last(): Locator;
	click(): Promise<void>;
	dblclick(): Promise<void>;
	fill(text: string): Promise<void>;
	getByText(text: string | RegExp): Locator;
	waitFor(options?: { state: 'hidden' }): Promise<void>;
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

/** The size of a screenshot, in pixels. */
const viewport = { width: 1600, height: 900 };

/** Flags that let the browser run without a display, as any user, and connect to this machine only. */
const browserFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Starts the browser in CHROMIUM_PATH, or the system's Chromium. @throws Problem when it is not installed */
export async function launchBrowser(): Promise<Browser> {
	if (!existsSync(executablePath)) {
		throw new Problem(
			`Chromium was not found at ${executablePath}.`,
			'Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to its executable.',
		);
	}
	const { chromium } = createRequire(path.join(folders.demo, 'package.json'))(
		'playwright-core',
	) as Playwright;
	return await chromium.launch({ executablePath, args: browserFlags });
}

/** Opens the editor in a new page and signs in. */
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

/** Opens a workflow and waits until its canvas is visible. */
export async function openWorkflow(page: Page, url: string, workflowId: string): Promise<void> {
	await page.goto(`${url}/workflow/${workflowId}`);
	await page.locator('[data-test-id="canvas-node"]').first().waitFor();
}

/** Executes the open workflow with the editor's button and waits until it has succeeded. */
export async function execute(page: Page): Promise<void> {
	// There are two such buttons; the one on the canvas is the last.
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	const notice = page.getByText('Workflow executed successfully').first();
	await notice.waitFor();
	await notice.waitFor({ state: 'hidden' });
}

/** Executes the open workflow and waits until a text appears on its canvas, but not for its end. */
export async function executeUntil(page: Page, text: string): Promise<void> {
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	await page.getByText(text).first().waitFor();
}

/** Zooms out to the whole workflow and waits until the canvas stops moving. */
export async function fitCanvas(page: Page): Promise<void> {
	await page.keyboard.press('1');
	await page.waitForTimeout(1000);
}

/** Opens the panel of a node and waits until it stops moving. */
export async function openPanel(page: Page, nodeName: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${nodeName}"]`).first().dblclick();
	await page.locator('[data-test-id="ndv"], [data-test-id="node-parameters"]').first().waitFor();
	await page.waitForTimeout(1500);
}
