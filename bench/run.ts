import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { installNodes, packNodes } from '../tools/host/pack';
import { installN8n } from '../tools/host/install';
import { folders } from '../tools/host/settings';
import { startEmulator, type Emulator } from '../emulator';
import { measureBatches } from './parts/batches';
import { measureChat, measureLimit, measureOverhead } from './parts/chat';
import { measureImageMemory } from './parts/imageMemory';
import { measureImages } from './parts/images';
import { measureLoading } from './parts/loading';
import { measureMusic } from './parts/music';
import { measureSpeechMemory } from './parts/speechMemory';
import { measureSpeechTime } from './parts/speechTime';
import { toChart, withSection, type Bar, type Part } from './report';

/** Everything that can be measured, by the name that `npm run bench -- NAME …` takes. */
const PARTS: Record<string, (emulator: Emulator) => Promise<Part & { bars?: Bar[] }>> = {
	chat: measureChat,
	limit: measureLimit,
	overhead: measureOverhead,
	loading: measureLoading,
	images: measureImages,
	imageMemory: measureImageMemory,
	speech: measureSpeechTime,
	audioMemory: measureSpeechMemory,
	music: measureMusic,
	batches: measureBatches,
};

const INTRODUCTION = `# Performance

Measured with \`npm run bench\`: our nodes next to n8n's own nodes and a bare loop over n8n's request helper, in the same engine (the n8n of \`demo/\`),
against the same emulator, in the same run, each in a process of its own. Figures are ratios or differences, because times depend on the machine.

![Time for 200 chat items](images/performance.svg)
`;

const PAGE = path.join(folders.project, 'docs', 'performance.md');
const CHART = path.join(folders.project, 'docs', 'images', 'performance.svg');

/** Measures the named parts, or all of them; each renews its section of docs/performance.md. */
async function main(names: string[]): Promise<void> {
	const unknown = names.filter((name) => !(name in PARTS));
	if (unknown.length > 0)
		throw new Error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(PARTS).join(', ')}`);
	await installN8n();
	await installNodes(await packNodes(), path.join(folders.state, 'bench'));
	for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
		const emulator = await startEmulator();
		const part = await PARTS[name](emulator);
		await emulator.close();
		console.log(`\n${part.title}. ${part.about}`);
		console.table(part.rows);
		await write(part);
	}
}

/** At once, so that a run that is stopped has not measured in vain. */
async function write(part: Part & { bars?: Bar[] }): Promise<void> {
	const page = existsSync(PAGE) ? await readFile(PAGE, 'utf8') : INTRODUCTION;
	await writeFile(
		PAGE,
		await format(withSection(page, part), { ...(await resolveConfig(PAGE)), filepath: PAGE }),
	);
	if (!part.bars) return;
	const title = '200 chat items, 200 ms each, capacity 20: time, as a multiple of the ideal';
	await writeFile(CHART, toChart(title, part.bars, 5));
}

void main(process.argv.slice(2));
