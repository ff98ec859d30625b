import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Installation } from '../../tools/host/install';
import { compareVersions } from '../versionOrder';

/** A complete and green run of the server tests. */
interface ServerResult {
	n8n: string;
	shape: Shape;
	/** The version of Node.js with which n8n ran. */
	node: string;
	/** The versions of Node.js that this n8n requires, as in its package.json. */
	asksFor: string;
	passed: number;
	/** The number of tests that do not apply to this version of n8n, or to this shape. */
	skipped: number;
	/** Year, month, and day, with dashes. */
	date: string;
}

const SHAPES = ['one process', 'queue mode', 'production'] as const;
export type Shape = (typeof SHAPES)[number];

const FILE = path.join(__dirname, 'results.json');

/** Returns the recorded runs, with the oldest n8n first. */
export function serverResults(): ServerResult[] {
	return JSON.parse(readFileSync(FILE, 'utf8')) as ServerResult[];
}

/**
 * Records a run for the table in docs/compatibility.md. It replaces an earlier run of the same n8n and shape.
 *
 * @param totalsFile the file with Jest's results
 * @throws Error when a test failed, or none ran
 */
export function recordResult(totalsFile: string, { version, node, n8n }: Installation, shape: Shape): void {
	const totals = JSON.parse(readFileSync(totalsFile, 'utf8')) as { success: boolean } & Record<
		'numPassedTests' | 'numPendingTests' | 'numTotalTests',
		number
	>;
	const { success, numPassedTests: passed, numPendingTests: skipped, numTotalTests } = totals;
	if (!success || passed === 0 || passed + skipped !== numTotalTests)
		throw new Error('Only a run in which every test passes is recorded.');
	const manifest = path.join(path.dirname(n8n), '..', 'package.json');
	const { engines } = JSON.parse(readFileSync(manifest, 'utf8')) as { engines: { node: string } };
	const result: ServerResult = {
		n8n: version,
		shape,
		node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1),
		asksFor: engines.node,
		date: new Date().toISOString().slice(0, 10),
		passed,
		skipped,
	};
	const others = serverResults().filter((one) => one.n8n !== version || one.shape !== shape);
	const sorted = [...others, result].sort(
		(one, other) =>
			compareVersions(one.n8n, other.n8n) || SHAPES.indexOf(one.shape) - SHAPES.indexOf(other.shape),
	);
	writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
