import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folders } from '../../tools/host/folders';
import { findPostgres } from '../../tools/host/postgres';
import { findRedis } from '../../tools/host/redis';
import { serverResults } from '../server/results';

/** A part of `npm run nightly`: a command of the project. */
export interface NightlyPart {
	name: string;
	/** The script in package.json, and its arguments. */
	command: string[];
	/** Functions that find the programs that the part needs. Each throws a Problem if its program is not installed. */
	needs?: Array<() => unknown>;
}

/** Returns all parts that take too long for every change, in the order in which they run. */
export function nightlyParts(): NightlyPart[] {
	const server = (...options: string[]) => ['test:server', ...options];
	return [
		{ name: 'simulation', command: ['simulate', '--seeds', '50000', '--from', '1001'] },
		{ name: 'planted-faults', command: ['faults'] },
		{ name: 'cores', command: ['test:cores'] },
		{ name: 'server', command: server() },
		{ name: 'queue', command: server('--queue'), needs: [findRedis] },
		{ name: 'production', command: server('--production'), needs: [findRedis, findPostgres] },
		...otherVersions().map((n8n) => ({ name: `n8n-${n8n}`, command: server('--n8n', n8n) })),
		{ name: 'stress', command: ['stress'] },
		{ name: 'mutation', command: ['mutation'] },
	];
}

/** The versions of n8n in docs/compatibility.md, without the one that `npm start` runs, and the newest release. */
function otherVersions(): string[] {
	const manifest = readFileSync(path.join(folders.demo, 'package.json'), 'utf8');
	const { dependencies } = JSON.parse(manifest) as { dependencies: { n8n: string } };
	const tested = new Set(serverResults().map(({ n8n }) => n8n));
	tested.delete(dependencies.n8n);
	return [...tested, 'newest'];
}
