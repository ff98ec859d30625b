import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { folders } from '../../../tools/host/folders';
import { Problem } from '../../../tools/host/problem';
import { SMOKE } from '../../cores/cores';
import { nightlyParts, type NightlyPart } from '../../nightly/parts';
import { runParts } from '../../nightly/runParts';
import packageFile from '../../../package.json';

/** Runs parts of which some fail; a part takes a minute. */
async function run(parts: NightlyPart[], failing: string[] = [], passed = new Set<string>()) {
	const ran: string[] = [];
	let text = '';
	let time = 0;
	const isGreen = await runParts(parts, {
		passed,
		run: async ({ name }) => {
			ran.push(name);
			time += 60_000;
			return { isGreen: !failing.includes(name), logFile: `${name}.log` };
		},
		write: (more) => (text += more),
		now: () => time,
	});
	return { isGreen, ran, passed: [...passed], lines: text.trim().split('\n') };
}

const part = (name: string, ...needs: Array<() => unknown>): NightlyPart => ({
	name,
	command: [name],
	needs,
});

describe('npm run nightly', () => {
	it('has a line for each part, goes on after a failure, and remembers what has passed', async () => {
		expect(await run([part('one'), part('two'), part('three')], ['two'])).toEqual({
			isGreen: false,
			ran: ['one', 'two', 'three'],
			passed: ['one', 'three'],
			lines: [
				'one               passed in 1 min 0 s',
				'two               FAILED after 1 min 0 s, see two.log',
				'three             passed in 1 min 0 s',
			],
		});
	});

	it('does not run again what has passed with the same code', async () => {
		const { ran, lines } = await run([part('one'), part('two')], [], new Set(['one']));
		expect(ran).toEqual(['two']);
		expect(lines[0]).toBe('one               passed before, with the same code');
	});

	it('says which program is missing, and neither fails nor passes', async () => {
		const missing = () => {
			throw new Problem('Redis is not installed.', 'Install it.');
		};
		expect(await run([part('one', () => 'found', missing)])).toEqual({
			isGreen: true,
			ran: [],
			passed: [],
			lines: ['one               skipped: Redis is not installed.'],
		});
	});

	it('runs commands of the project', () => {
		const scripts = nightlyParts().map(({ command: [script] }) => script);
		expect(scripts.filter((script) => !(script in packageFile.scripts))).toEqual([]);
	});
});

describe('The smoke tests in older engines', () => {
	it('exist, and have a file for each node', () => {
		expect(SMOKE.filter((file) => !existsSync(path.join(folders.project, file)))).toEqual([]);
		const nodes = readdirSync(path.join(folders.project, 'nodes')).filter((name) => name !== 'shared');
		const missing = nodes.filter(
			(name) => !SMOKE.some((file) => file.startsWith(`test/integration/${name}/`)),
		);
		expect(missing).toEqual([]);
	});
});
