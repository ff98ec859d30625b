import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { SCAN_MODULES } from './communityScan';
import type { Outcome } from './packageFacts';

/** The packages that every n8n provides to community packages. */
const HOST_PACKAGES = ['n8n-workflow', 'zod'];

const RUNS = 15;

/**
 * The longest time that loading the package may take, as a share of the time for `n8n-workflow`, which n8n loads
 * anyway. The share was 0.22 before libraries were bundled.
 */
const MOST = 0.25;

/**
 * Checks that the package loads with nothing but what n8n provides, and does not slow down the start of n8n. Both times come from the same process, so that the speed
 * of the machine does not matter, and the median of some processes counts.
 *
 * @param packageFolder the unpacked tarball
 * @param nodePath the folder in which to put what n8n provides
 */
export async function loadingTime(packageFolder: string, nodePath: string): Promise<Outcome> {
	await mkdir(nodePath);
	for (const name of HOST_PACKAGES) {
		await symlink(path.join(SCAN_MODULES, name), path.join(nodePath, name), 'dir');
	}
	const script = path.join(__dirname, 'loadingTime.cjs');
	const ratios = Array.from({ length: RUNS }, () =>
		Number(
			execFileSync(process.execPath, [script, packageFolder], {
				cwd: packageFolder,
				env: { PATH: process.env.PATH, NODE_PATH: nodePath },
			}),
		),
	).sort((one, other) => one - other);
	const median = ratios[Math.floor(RUNS / 2)];
	const share = `${median.toFixed(2)} of the time of n8n-workflow`;
	return { detail: share, findings: median > MOST ? [`It takes ${share}; the limit is ${MOST}.`] : [] };
}
