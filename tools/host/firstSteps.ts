import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type ColorScheme, launchBrowser, type Locator, openEditor, type Page } from './browser';
import { runCommand } from './command';
import { folders } from './folders';
import { movingPicture } from './movingPicture';
import { Problem } from './problem';
import { step } from './progress';
import { openStage } from './stage';

const usage = `Usage: npm run first-steps -- [options]

  Goes from an empty canvas to the first answer, JSON, image, audio file, and song in n8n's editor, as a new user with a
  credential does, and counts the clicks; in a list of the gateway, it chooses with the keyboard. Saves a screenshot of
  every step, light and dark, in demo/.state/first-steps, and makes the moving picture in README of them. Needs Chromium
  (or set CHROMIUM_PATH to its executable).

  --help  show this help`;

/** What README shows, and each step how long. */
const MOVING_PICTURE = 'docs/images/first-steps.png';
const IN_PICTURE = ['chat'];
const SHOWN_FOR_MS = 2_200;

/** A way from an empty canvas to a result. */
interface Journey {
	name: string;
	/** What to type into the node search; its first result is the node. */
	search: string;
	/** The entry in the node's list of actions. */
	action: string;
	/** The parameters to choose from a list of the gateway. */
	pickers: string[];
	/** Other parameters, and what to choose for them. */
	choices?: Record<string, string>;
	/** The parameter to fill in. */
	field: string;
	text: string;
	/** Whether the result is a file, which the output panel shows on a click. */
	isFile: boolean;
	/** True in the page when the result can be seen or heard. */
	proof: string;
	/** At most so many clicks. */
	clicks: number;
}

const OUTPUT = `document.querySelector('[data-test-id="output-panel"]')`;
const PLAYS = `${OUTPUT}.querySelector('audio[controls]')?.duration > 0`;

const journeys: Journey[] = [
	{
		name: 'chat',
		search: 'ask ai',
		action: 'Message a model',
		pickers: ['model'],
		field: 'prompt',
		text: 'Why is the sky blue?',
		isFile: false,
		proof: `${OUTPUT}.innerText.includes('You asked')`,
		clicks: 4,
	},
	{
		name: 'json',
		search: 'ask ai',
		action: 'Message a model',
		pickers: ['model'],
		choices: { output: 'JSON' },
		field: 'prompt',
		text: 'Describe a lighthouse.',
		isFile: false,
		// The field of the answer that an IF node would look at.
		proof: `${OUTPUT}.innerText.includes('category')`,
		clicks: 6,
	},
	{
		name: 'image',
		search: 'draw picture',
		action: 'Generate image',
		pickers: ['model'],
		field: 'prompt',
		text: 'A lighthouse at dusk, oil painting',
		isFile: true,
		proof: `[...${OUTPUT}.querySelectorAll('img')].some((image) => image.naturalWidth > 256)`,
		clicks: 5,
	},
	{
		name: 'speech',
		search: 'text to speech',
		action: 'Create speech',
		pickers: ['model', 'voice'],
		field: 'text',
		text: 'Good morning! This is the news.',
		isFile: true,
		proof: PLAYS,
		clicks: 6,
	},
	{
		name: 'song',
		search: 'make a song',
		action: 'Generate music',
		pickers: [],
		field: 'prompt',
		text: 'A calm song about lighthouses',
		isFile: true,
		proof: PLAYS,
		clicks: 4,
	},
];

/** Clicks and types like a user, counts it, and takes a screenshot after each step. */
class User {
	clicks = 0;
	/** The files of its screenshots. */
	readonly shots: string[] = [];

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
		await this.look();
	}

	/** Chooses what is marked in a list. */
	async press(key: string): Promise<void> {
		await this.page.keyboard.press(key);
		await this.look();
	}

	/** Types into a field; putting the cursor there is part of it. */
	async fill(selector: string, text: string): Promise<void> {
		await this.page.locator(selector).first().fill(text);
		await this.look();
	}

	/** Takes a screenshot once the editor has stopped moving. */
	async look(): Promise<void> {
		await this.page.waitForTimeout(1500);
		const file = `${this.pathPrefix}-${this.shots.length + 1}.png`;
		await this.page.screenshot({ path: file });
		this.shots.push(file);
	}
}

runCommand(usage, main);

async function main(): Promise<void> {
	const stage = await step('Setting up n8n', () => openStage());
	try {
		const browser = await launchBrowser();
		const tooLong: string[] = [];
		const shown: string[] = [];
		for (const scheme of ['light', 'dark'] satisfies ColorScheme[]) {
			const folder = path.join(folders.state, 'first-steps', scheme);
			await mkdir(folder, { recursive: true });
			for (const journey of journeys) {
				const page = await openEditor(browser, stage.server.url, stage.owner, scheme);
				const user = new User(page, path.join(folder, journey.name));
				await page.goto(`${stage.server.url}/workflow/new`);
				const counted = () => `${user.clicks} clicks`;
				await step(`${journey.name}, ${scheme}`, () => travel(user, journey), { outcome: counted });
				if (user.clicks > journey.clicks) tooLong.push(`${journey.name}: ${counted()}`);
				if (scheme === 'light' && IN_PICTURE.includes(journey.name)) shown.push(...user.shots);
				await page.close();
			}
		}
		await browser.close();
		if (tooLong.length > 0) {
			throw new Problem('The first result takes too many clicks:', tooLong.join('\n'));
		}
		const shots = await Promise.all(shown.map(async (file) => await readFile(file)));
		await writeFile(path.join(folders.project, MOVING_PICTURE), movingPicture(shots, SHOWN_FOR_MS));
	} finally {
		await stage.close();
	}
}

/** Goes from the empty canvas to a result that can be seen or heard. */
async function travel(user: User, journey: Journey): Promise<void> {
	const { search, action, pickers, choices = {}, field, text, isFile, proof } = journey;
	const { page } = user;
	await user.click('[data-test-id="canvas-plus-button"]');
	await user.type(search);
	await user.press('Enter');
	await user.click(page.getByText(new RegExp(`^${action}$`)));
	for (const picker of pickers) {
		await user.click(`[data-test-id="resource-locator-${picker}"] input`);
		await page.locator('[data-test-id="rlc-item"]').first().waitFor();
		await page.keyboard.press('ArrowDown');
		await user.press('Enter');
	}
	for (const [name, choice] of Object.entries(choices)) {
		await user.click(`[data-test-id="parameter-input-${name}"] input`);
		await user.click(page.getByText(new RegExp(`^${choice}$`)));
	}
	await user.fill(`[data-test-id="parameter-input-${field}"] textarea`, text);
	await user.click('[data-test-id="node-execute-button"]');
	if (isFile) await user.click('[data-test-id="ndv-view-binary-data"] >> nth=0');
	await page.waitForFunction(proof);
	await user.look();
}
