import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { runCommand } from '../../tools/host/command';
import { Problem } from '../../tools/host/problem';
import { filesOf, FOLDERS, testsOf } from './folders';

/** The lowest share of detected mutants with which the command succeeds, in percent. */
const LOWEST_SCORE = 85;
const REPORTS = 'coverage/mutation';

const HELP = `npm run mutation -- [folder ...] [--force]

Changes the code of folders of nodes/shared, and of nodes/batches, in one place at a time and runs their unit tests.
Without a folder, it takes all of: ${FOLDERS.join(', ')}. A file can be given as well: failure/errorBody.ts.
Mutants that were detected are not tested again as long as neither they nor their tests change, except with --force.
The reports are in ${REPORTS}. It fails when less than ${LOWEST_SCORE} % of the mutants of a folder are detected.`;

runCommand(HELP, async (args) => {
	const force = args.includes('--force');
	const chosen = args.filter((arg) => !arg.startsWith('-'));
	const unknown = chosen.find((target) => !FOLDERS.includes(target.split('/')[0]));
	if (unknown) throw new Problem(`${unknown} is in none of the folders.`, HELP);
	const { Stryker } = await import('@stryker-mutator/core');
	for (const target of chosen.length > 0 ? chosen : FOLDERS) {
		const options = optionsFor(target, force);
		forgetSurvivors(options.incrementalFile);
		await new Stryker(options).runMutationTest();
	}
});

/** Stryker does not notice that a new test may detect a mutant in code that runs while its file is loaded. */
function forgetSurvivors(incrementalFile: string): void {
	if (!existsSync(incrementalFile)) return;
	const report = JSON.parse(readFileSync(incrementalFile, 'utf8')) as {
		files: Record<string, { mutants: Array<{ status: string }> }>;
	};
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
	}
	writeFileSync(incrementalFile, JSON.stringify(report));
}

function optionsFor(target: string, force: boolean) {
	const [folder] = target.split('/');
	const isFolder = target === folder;
	const name = `${REPORTS}/${target.replace('/', '-')}`;
	return {
		mutate: filesOf(target),
		testRunner: 'jest',
		plugins: ['@stryker-mutator/jest-runner'],
		jest: {
			projectType: 'custom' as const,
			configFile: 'test/mutation/jest.config.js',
			config: { testMatch: testsOf(folder).map((path) => `<rootDir>/${path}`) },
		},
		coverageAnalysis: 'perTest' as const,
		incremental: isFolder,
		incrementalFile: `${name}.incremental.json`,
		force,
		thresholds: { high: 95, low: 90, break: LOWEST_SCORE },
		concurrency: 2,
		// A mutant on a busy machine must not look like one that hangs.
		timeoutMS: 5_000,
		timeoutFactor: 3,
		// Unit tests do not need these folders. Only the large ones make a difference.
		ignorePatterns: ['bench', 'coverage', 'demo', 'dist', 'docs', 'examples', 'test/verify'],
		tempDirName: `${REPORTS}/sandbox`,
		reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
		jsonReporter: { fileName: `${name}.json` },
		htmlReporter: { fileName: `${name}.html` },
	};
}
