import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { type ColorScheme, launchBrowser, openEditor } from './browser';
import { runCommand } from './command';
import { folders } from './folders';
import { journeys } from './journeys';
import { movingPicture } from './movingPicture';
import { Problem } from './problem';
import { step } from './progress';
import { openStage } from './stage';
import { User } from './user';

const usage = `Usage: npm run first-steps -- [options]

  Goes from an empty canvas to the first answer, JSON in an If node, agent with a tool, image, audio file, and song in n8n's
  editor, as a new user with a credential does, and counts the clicks; in a list of the gateway, it chooses with the
  keyboard. Saves a screenshot of every step, light and dark, in demo/.state/first-steps, and makes the moving picture in
  README of them. Needs Chromium (or set CHROMIUM_PATH to its executable).

  --help  show this help`;

/** What README shows, and each step how long. */
const MOVING_PICTURE = 'docs/images/first-steps.png';
const IN_PICTURE = ['chat'];
const SHOWN_FOR_MS = 2_200;

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
				const user = new User(page, path.join(folder, journey.name.replaceAll(' ', '-')));
				await page.goto(`${stage.server.url}/workflow/new`);
				const counted = () => `${user.clicks} clicks`;
				await step(`${journey.name}, ${scheme}`, () => journey.travel(user), { outcome: counted });
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
