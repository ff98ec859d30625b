import { installNodes, packNodes } from '../tools/host/pack';
import { installN8n } from '../tools/host/install';
import { startEmulator, type Emulator } from '../emulator';
import { measureImageMemory } from './parts/imageMemory';
import { measureOverhead } from './parts/overhead';
import { measureWidth } from './parts/width';
import { userFolder } from './paths';
import type { Part } from './report';

/** The parts of the benchmark by their names in `npm run bench -- NAME …`. */
const PARTS: Record<string, (emulator: Emulator) => Promise<Part>> = {
	overhead: measureOverhead,
	imageMemory: measureImageMemory,
	width: measureWidth,
};

/**
 * Measures our nodes next to n8n's own nodes and a bare loop over n8n's request helper: in the same engine (the n8n in
 * `demo/`), against the same emulator, and in the same run, each in a separate process. Most figures are ratios or
 * differences, because times depend on the machine. Measures the named parts, or all of them.
 */
async function main(names: string[]): Promise<void> {
	const unknown = names.filter((name) => !(name in PARTS));
	if (unknown.length > 0)
		throw new Error(`Unknown parts: ${unknown.join(', ')}. Available: ${Object.keys(PARTS).join(', ')}`);
	await installN8n();
	await installNodes(await packNodes(), userFolder);
	for (const name of names.length > 0 ? names : Object.keys(PARTS)) {
		const emulator = await startEmulator();
		const part = await PARTS[name](emulator);
		await emulator.close();
		console.log(`\n${part.title}. ${part.about}`);
		console.table(part.rows);
	}
}

void main(process.argv.slice(2));
