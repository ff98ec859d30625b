import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folders } from '../../../tools/host/folders';
import { serverResults } from '../../server/results';
import { OLDEST_N8N } from '../../server/serverSettings';
import { compareVersions } from '../../versionOrder';

describe('docs/compatibility.md', () => {
	it('begins with the oldest version, has one of about each ten, and that of npm start in both shapes', () => {
		const { dependencies } = JSON.parse(readFileSync(path.join(folders.demo, 'package.json'), 'utf8')) as {
			dependencies: { n8n: string };
		};
		const tested = serverResults();
		const minorOf = (n8n: string) => Number(n8n.split('.')[1]);
		expect(tested[0].n8n).toBe(OLDEST_N8N);
		const minors = [...new Set(tested.map(({ n8n }) => minorOf(n8n)))];
		const gaps = minors.slice(1).map((minor, index) => minor - minors[index]);
		expect(Math.max(...gaps)).toBeLessThanOrEqual(11);
		const shapesOf = (isMeant: (n8n: string) => boolean) =>
			tested.filter(({ n8n }) => isMeant(n8n)).map(({ shape }) => shape);
		expect(shapesOf((n8n) => n8n === dependencies.n8n)).toContain('one process');
		// A run in the production shape takes an hour; it is recorded for the same minor version, or the one before.
		expect(shapesOf((n8n) => minorOf(n8n) >= minorOf(dependencies.n8n) - 1)).toContain('production');
		expect(compareVersions(tested.at(-1)!.n8n, dependencies.n8n)).toBeGreaterThanOrEqual(0);
	});
});
