import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { median } from '../measure';
import type { Part } from '../report';

const demo = path.resolve(__dirname, '../../demo');
const RUNS = 9;

/** How long n8n needs to load the whole package. */
export async function measureLoading(): Promise<Part> {
	const folder = path.join(demo, '.state/bench/.n8n/nodes/node_modules/n8n-nodes-unified-ai-gateway');
	const script = path.join(__dirname, '../child/loading.cjs');
	const node = path.join(demo, 'node_modules/node/bin/node');
	const times = Array.from({ length: RUNS }, () =>
		Number(
			execFileSync(node, [script, folder], {
				cwd: demo,
				env: { ...process.env, NODE_PATH: path.join(demo, 'node_modules') },
			}),
		),
	);
	return {
		title: 'Loading the package',
		about: `Every node and the credential, beyond \`n8n-workflow\` and \`zod\`, which n8n has loaded anyway. Median of ${RUNS} processes.`,
		rows: [
			{
				what: 'all nodes',
				'median, ms': median(times).toFixed(0),
				'best, ms': Math.min(...times).toFixed(0),
			},
		],
	};
}
