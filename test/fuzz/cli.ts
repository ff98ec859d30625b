import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPage, withSection, writePage } from '../reliabilityPage';
import type { Outcome } from './property';

const HELP = `npm run fuzz -- [--minutes 10] [--seed 123] [--only words]

Tries what the package promises with random answers, streams, headers, and error bodies.
--only runs the properties whose names contain the words. A whole run without a finding goes to docs/reliability.md.`;

const INTRODUCTION =
	'`npm run fuzz` tries what the package promises with answers, event streams, headers, error bodies, texts, and audio files that are made up or damaged at random ([fast-check](https://fast-check.dev)): an answer leads to items or to a failure in words and to nothing else, no text that was received is lost, and the key appears nowhere. It fails with the smallest value that breaks a promise.';

/** @returns whether every promise held */
function main(): boolean {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '10' },
			seed: { type: 'string', default: String(randomInt(1_000_000_000)) },
			only: { type: 'string', default: '' },
			help: { type: 'boolean' },
		},
	});
	const { minutes, seed, only } = values;
	if (values.help || !(Number(minutes) > 0) || !/^\d{1,9}$/.test(seed)) {
		console.log(HELP);
		return values.help === true;
	}
	console.log(`Seed ${seed}, ${minutes} minutes`);
	const file = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'outcomes.json');
	const jest = join(__dirname, '../../node_modules/jest/bin/jest.js');
	const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
	const config = join(__dirname, 'jest.config.js');
	const settings = { FUZZ_SEED: seed, FUZZ_MINUTES: minutes, FUZZ_ONLY: only, FUZZ_OUTCOMES: file };
	const { status } = spawnSync(process.execPath, [...flags, jest, '--config', config, '--verbose'], {
		stdio: 'inherit',
		env: { ...process.env, ...settings },
	});
	if (status !== 0) return false;
	const outcomes = JSON.parse(readFileSync(file, 'utf8')) as Outcome[];
	if (only === '') writePage(withSection(readPage(), 'fuzz', contentOf(outcomes, seed, minutes)));
	for (const { name, runs } of outcomes) console.log(String(runs).padStart(10), name);
	return true;
}

function contentOf(outcomes: Outcome[], seed: string, minutes: string): string {
	const runs = outcomes.reduce((sum, outcome) => sum + outcome.runs, 0);
	return [
		'## Fuzzing',
		INTRODUCTION,
		`Seed ${seed}, ${minutes} minutes, ${outcomes.length} properties, ${runs} values: nothing found.`,
		[
			'| Property | Values |',
			'| --- | --- |',
			...outcomes.map((one) => `| ${one.name} | ${one.runs} |`),
		].join('\n'),
	].join('\n\n');
}

process.exitCode = main() ? 0 : 1;
