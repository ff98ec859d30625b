import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { folders } from '../../tools/host/folders';
import { median } from '../measure';
import { n8nNode, packageFolder } from '../paths';
import type { Part } from '../report';

const RUNS = 9;

/** How long n8n takes to load the whole package. */
export async function measureLoading(): Promise<Part> {
	const script = path.join(__dirname, '../child/loading.cjs');
	const times = Array.from({ length: RUNS }, () =>
		Number(
			execFileSync(n8nNode, [script, packageFolder()], {
				cwd: folders.demo,
				env: { ...process.env, NODE_PATH: path.join(folders.demo, 'node_modules') },
			}),
		),
	);
	return {
		title: 'Loading the package',
		about: `All nodes and the credential, without \`n8n-workflow\` and \`zod\`, which n8n has already loaded. Median of ${RUNS} processes.`,
		rows: [
			{
				loaded: 'all nodes',
				'median, ms': median(times).toFixed(0),
				'best, ms': Math.min(...times).toFixed(0),
			},
		],
	};
}
