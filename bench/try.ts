import { installNodes, packNodes } from '../demo/pack';
import path from 'node:path';
import { folders } from '../demo/settings';
import { startEmulator } from '../emulator';
import { measure, median } from './measure';
import { bareLoop, httpRequest, openAi, ourChat } from './subjects';

async function main() {
	await installNodes(await packNodes(), path.join(folders.state, 'bench'));
	const emulator = await startEmulator();
	for (const c of [1, 20]) {
		const r = await measure(emulator, { rules: {}, count: 1000, rounds: 3, warmUp: 300 }, [
			bareLoop(c),
			ourChat(c),
		]);
		for (const [name, ms] of r)
			console.log(
				c,
				name,
				median(ms.map((m) => m.tookMs / 1000)),
				median(ms.map((m) => m.processorMs / 1000)),
				ms.map((m) => m.succeeded),
				ms.map((m) => m.stopped),
			);
	}
	const r = await measure(
		emulator,
		{ rules: { 'POST /v1/*': { latencyMs: 200, capacity: { concurrent: 20 } } }, count: 200, rounds: 2 },
		[bareLoop(20), ourChat(20), openAi, httpRequest()],
	);
	for (const [name, ms] of r)
		console.log(
			name,
			median(ms.map((m) => m.tookMs)) / 2000,
			ms.map((m) => m.succeeded),
			ms.map((m) => m.requests),
			ms.map((m) => m.stopped),
		);
	await emulator.close();
}
void main();
