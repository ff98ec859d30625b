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
	count(): Promise<number>;
	allInnerTexts(): Promise<string[]>;
}
export interface Page {
	goto(url: string): Promise<unknown>;
	locator(selector: string): Locator;
	getByText(text: string | RegExp): Locator;
	keyboard: { press(key: string): Promise<void> };
	/** The value of an expression in the page. */
	evaluate(expression: string): Promise<unknown>;
	setViewportSize(size: { width: number; height: number }): Promise<void>;
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

/** Lets the browser run without a display, as any user, and connect to this machine only. */
const browserFlags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-proxy-server',
	'--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
];

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** The browser in CHROMIUM_PATH, or the system's Chromium. @throws Problem when it is not installed */
export function findChromium(): string {
	if (!existsSync(executablePath)) {
		throw new Problem(
			`Chromium was not found at ${executablePath}.`,
			'Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to its executable.',
		);
	}
	return executablePath;
}

/** Starts Chromium; see {@link findChromium}. */
export async function launchBrowser(): Promise<Browser> {
	const { chromium } = createRequire(path.join(folders.demo, 'package.json'))(
		'playwright-core',
	) as Playwright;
	return await chromium.launch({ executablePath: findChromium(), args: browserFlags });
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

/**
 * Executes the open workflow with the editor's button and waits until it has succeeded.
 *
 * @param call calls the webhook of a workflow that waits for one
 */
export async function execute(page: Page, call?: () => Promise<void>): Promise<void> {
	// There are two such buttons; the one on the canvas is the last.
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	if (call) {
		await page.getByText('Waiting for trigger event').first().waitFor();
		await call();
	}
	const notice = page.getByText('Workflow executed successfully').first();
	await notice.waitFor();
	await notice.waitFor({ state: 'hidden' });
}

/** Executes the open workflow and waits only until a text appears on its canvas. */
export async function executeUntil(page: Page, text: string): Promise<void> {
	await page.locator('[data-test-id="execute-workflow-button"]').last().click();
	await page.getByText(text).first().waitFor();
}

/** Zooms out to the whole workflow and waits until the canvas stops moving. */
export async function fitCanvas(page: Page): Promise<void> {
	await page.keyboard.press('1');
	await page.waitForTimeout(1000);
}

/** The names of the nodes that the editor lists for a search word in the open workflow. */
export async function nodesFound(page: Page, word: string): Promise<string[]> {
	const field = page.locator('input[data-test-id="node-creator-search-bar"]');
	if ((await field.count()) === 0)
		await page.locator('[data-test-id="node-creator-plus-button"]').first().click();
	await field.first().fill(word);
	await page.waitForTimeout(600);
	return await page.locator('[data-test-id="node-creator-item-name"]').allInnerTexts();
}

/** Opens the panel of a node and waits until it stops moving. */
export async function openPanel(page: Page, nodeName: string): Promise<void> {
	await page.locator(`[data-test-id="canvas-node"][data-node-name="${nodeName}"]`).first().dblclick();
	await page.locator('[data-test-id="ndv"], [data-test-id="node-parameters"]').first().waitFor();
	await page.waitForTimeout(1500);
}

/** The labels that the open panel does not show in full. */
export async function cutLabels(page: Page): Promise<string[]> {
	const isCut = '({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth';
	const labels = '[...document.querySelectorAll("label, label *")]';
	return (await page.evaluate(`${labels}.filter(${isCut}).map((one) => one.textContent.trim())`)) as string[];
}

/** Those of some parameters that the open panel shows, but only to somebody who scrolls. */
export async function outOfSight(page: Page, names: string[]): Promise<string[]> {
	const shown = `(name) => {
		const ids = ['parameter-input-', 'resource-locator-'].map((kind) => '[data-test-id="' + kind + name + '"]');
		const field = document.querySelector(ids.join());
		if (!field) return false;
		let bottom = innerHeight;
		for (let around = field.parentElement; around; around = around.parentElement) {
			const { overflowY } = getComputedStyle(around);
			if (overflowY !== 'visible') bottom = Math.min(bottom, around.getBoundingClientRect().bottom);
		}
		return field.getBoundingClientRect().top + 30 > bottom;
	}`;
	return (await page.evaluate(`${JSON.stringify(names)}.filter(${shown})`)) as string[];
}
