import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import { type ColorScheme, launchBrowser, type Locator, openEditor, type Page } from './browser';
import { runCommand } from './command';
import { folders } from './folders';
import { Problem } from './problem';
import { step } from './progress';
import { openStage } from './stage';

const usage = `Usage: npm run first-steps -- [options]

  Goes from an empty canvas to the first answer, the first image, and the first audio file in n8n's editor, as a new user
  with a credential does, and counts the clicks and the texts to type: at most 6 and 2. Saves a screenshot of every step,
  light and dark, in demo/.state/first-steps. Needs Chromium (or set CHROMIUM_PATH to its executable).

  --help  show this help`;

const limits = { clicks: 6, texts: 2 };

/** A way from an empty canvas to a result. */
interface Journey {
	name: string;
	/** What to type into the node search; its first result is the node. */
	search: string;
	/** The entry in the node's list of actions. */
	action: string;
	/** The parameters to choose from a list. */
	pickers: string[];
	/** The parameter to fill in. */
	field: string;
	text: string;
	/** Whether the result is a file, which the output panel shows on a click. */
	isFile: boolean;
	/** True in the page when the result can be seen or heard. */
	proof: string;
}

const journeys: Journey[] = [
	{
		name: 'chat',
		search: 'ask ai',
		action: 'Message a model',
		pickers: ['model'],
		field: 'prompt',
		text: 'Why is the sky blue?',
		isFile: false,
		proof: `document.querySelector('[data-test-id="output-panel"]').innerText.includes('You asked')`,
	},
	{
		name: 'image',
		search: 'draw picture',
		action: 'Generate image',
		pickers: ['model'],
		field: 'prompt',
		text: 'A lighthouse at dusk, oil painting',
		isFile: true,
		proof: `[...document.querySelectorAll('[data-test-id="output-panel"] img')].some((image) => image.naturalWidth > 256)`,
	},
	{
		name: 'speech',
		search: 'text to speech',
		action: 'Create speech',
		pickers: ['model', 'voice'],
		field: 'text',
		text: 'Good morning! This is the news.',
		isFile: true,
		proof: `document.querySelector('[data-test-id="output-panel"] audio[controls]')?.duration > 0`,
	},
];

/** Clicks and types like a user, counts it, and takes a screenshot after each step. */
class User {
	clicks = 0;
	texts = 0;
	private shots = 0;

	constructor(
		readonly page: Page,
		private readonly pathPrefix: string,
	) {}

	async click(target: string | Locator): Promise<void> {
		await (typeof target === 'string' ? this.page.locator(target) : target).last().click();
		this.clicks++;
		await this.look();
	}

	/** Types into the field that has the focus. */
	async type(text: string): Promise<void> {
		await this.page.keyboard.type(text);
		this.texts++;
		await this.look();
	}

	/** Types into a field; putting the cursor there is part of it. */
	async fill(selector: string, text: string): Promise<void> {
		await this.page.locator(selector).first().fill(text);
		this.texts++;
		await this.look();
	}

	/** Takes a screenshot once the editor has stopped moving. */
	async look(): Promise<void> {
		await this.page.waitForTimeout(1500);
		await this.page.screenshot({ path: `${this.pathPrefix}-${++this.shots}.png` });
	}
}

runCommand(usage, main);

async function main(): Promise<void> {
	const stage = await step('Setting up n8n', () => openStage());
	try {
		const browser = await launchBrowser();
		const tooLong: string[] = [];
		for (const scheme of ['light', 'dark'] satisfies ColorScheme[]) {
			const folder = path.join(folders.state, 'first-steps', scheme);
			await mkdir(folder, { recursive: true });
			for (const journey of journeys) {
				const page = await openEditor(browser, stage.server.url, stage.owner, scheme);
				const user = new User(page, path.join(folder, journey.name));
				await page.goto(`${stage.server.url}/workflow/new`);
				const counted = () => `${user.clicks} clicks, ${user.texts} texts,`;
				await step(`${journey.name}, ${scheme}`, () => travel(user, journey), { outcome: counted });
				if (user.clicks > limits.clicks || user.texts > limits.texts)
					tooLong.push(`${journey.name}: ${counted()}`);
				await page.close();
			}
		}
		await browser.close();
		if (tooLong.length > 0) {
			throw new Problem(
				`The first result takes more than ${limits.clicks} clicks and ${limits.texts} texts:`,
				tooLong.join('\n'),
			);
		}
	} finally {
		await stage.close();
	}
}

/** Goes from the empty canvas to a result that can be seen or heard. */
async function travel(user: User, journey: Journey): Promise<void> {
	const { search, action, pickers, field, text, isFile, proof } = journey;
	const { page } = user;
	await user.click('[data-test-id="canvas-plus-button"]');
	await user.type(search);
	await page.keyboard.press('Enter');
	await user.look();
	await user.click(page.getByText(new RegExp(`^${action}$`)));
	for (const picker of pickers) {
		await user.click(`[data-test-id="resource-locator-${picker}"] input`);
		await user.click('[data-test-id="rlc-item"] >> nth=0');
	}
	await user.fill(`[data-test-id="parameter-input-${field}"] textarea`, text);
	await user.click('[data-test-id="node-execute-button"]');
	if (isFile) await user.click('[data-test-id="ndv-view-binary-data"]');
	await page.waitForFunction(proof);
	await user.look();
}
