import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { version } from '../../../package.json';
import { everyNode, isMainNode, requestsOf, type SavedNode, UPGRADES } from './fixture';
import { startEmulator } from '../../../emulator';

/**
 * `npm run record-upgrade`: saves every node with every parameter set, and what it sends, for the version in package.json.
 * To be run before a release, and never again for a version that was released.
 */
async function main(): Promise<void> {
	const emulator = await startEmulator();
	emulator.behaviour.checksUndocumented = true;
	const nodes: SavedNode[] = [];
	for (const [index, node] of everyNode().entries()) {
		const requests = isMainNode(node.type) ? await requestsOf(node, emulator, `record-${index}`) : [];
		nodes.push({ ...node, requests });
	}
	await emulator.close();
	await mkdir(UPGRADES, { recursive: true });
	await writeFile(path.join(UPGRADES, `${version}.json`), `${JSON.stringify(nodes)}\n`);
	console.log(`Version ${version}: ${nodes.length} nodes.`);
}

void main();
