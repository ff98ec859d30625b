import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isStale, pictures } from '../../tools/docs/pictures';
import { builderTypes } from './builderTypes';
import { installLocked } from '../lockedFolder';
import { communityScan, SCAN_FOLDER } from './communityScan';
import { guidelines } from './guidelines';
import { loadingTime } from './loadingTime';
import { indexExports, type Outcome, type PackageManifest } from './packageFacts';
import { runOrThrow } from './run';
import { packAndUnpack, tarballContents, tarballSize } from './tarball';

const projectFolder = path.resolve(__dirname, '../..');

const counts = { passed: 0, failed: 0 };

/** Runs a check and prints its result. A check that throws fails with its message. @returns whether it passed */
async function check(name: string, run: () => Outcome | Promise<Outcome>): Promise<boolean> {
	const thrown = (error: Error): Outcome => ({ detail: '', findings: [error.message] });
	const { detail, findings } = await Promise.resolve().then(run).catch(thrown);
	const isPassed = findings.length === 0;
	counts[isPassed ? 'passed' : 'failed'] += 1;
	console.log(isPassed ? `ok    ${name}: ${detail}` : `FAIL  ${name}`);
	for (const finding of findings) console.log(finding.trimEnd().replace(/^/gm, '      '));
	return isPassed;
}

/** Checks that no screenshot in the documentation is older than its node or example. */
async function picturesUpToDate(): Promise<Outcome> {
	const all = await pictures();
	const findings = all
		.filter(isStale)
		.map(({ name }) => `docs/images/${name}.png is missing or out of date. Run npm run screenshots.`);
	return { detail: `${all.length} screenshots`, findings };
}

async function verify(workFolder: string): Promise<void> {
	const manifest = JSON.parse(
		await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
	) as PackageManifest;
	await check('Screenshots', picturesUpToDate);
	const isBuilt = await check('Build', async () => {
		await runOrThrow('npm', ['run', 'build'], projectFolder);
		return { detail: 'dist is up to date', findings: [] };
	});
	const hasScan = await check('Community scan tools', async () => {
		await installLocked(SCAN_FOLDER, "n8n's community scan");
		return { detail: 'installed', findings: [] };
	});
	if (hasScan) await check('Community scan of the source', () => communityScan('source', projectFolder));
	if (!isBuilt) return console.log('      The remaining checks need a build and were skipped.');

	await check('index.js', () => indexExports(projectFolder, manifest));
	for (const { name, evidence, findings } of guidelines) {
		await check(`Guideline: ${name}`, () => ({
			detail: findings ? 'holds' : evidence,
			findings: findings?.(projectFolder) ?? [],
		}));
	}
	await check('Types for the AI builder', () => builderTypes(projectFolder, manifest));
	const tarball = await packAndUnpack(projectFolder, workFolder);
	await check('Tarball size', () => tarballSize(tarball));
	await check('Tarball contents', () => tarballContents(tarball, manifest));
	if (hasScan) {
		await check('Community scan of the tarball', () => communityScan('tarball', tarball.folder));
		await check('Time to load', () => loadingTime(tarball.folder, path.join(workFolder, 'host')));
	}
}

/**
 * `npm run verify`: checks whether n8n would accept this package, in its sources, its build, and its tarball. Prints a
 * line for each check, and all findings. The exit code is 1 if there are any.
 */
async function main(): Promise<void> {
	const workFolder = await mkdtemp(path.join(tmpdir(), 'verify-'));
	try {
		await verify(workFolder);
	} finally {
		await rm(workFolder, { recursive: true, force: true });
		console.log(`${counts.passed} passed, ${counts.failed} failed`);
	}
	process.exitCode = counts.failed === 0 ? 0 : 1;
}

void main();
