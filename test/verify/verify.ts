import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builderTypes } from './builderTypes';
import { communityScan, installScan } from './communityScan';
import { guidelines } from './guidelines';
import { indexExports } from './indexExports';
import { loadingTime } from './loadingTime';
import { packageFacts, type PackageManifest } from './packageFacts';
import { picturesUpToDate } from './pictures';
import { Report } from './report';
import { runOrThrow } from './run';
import { packAndUnpack, tarballContents, tarballSize } from './tarball';

const projectFolder = path.resolve(__dirname, '../..');

/**
 * `npm run verify`: checks whether n8n would accept this package, in its sources, its build and its tarball. Prints a line
 * per check and all findings; the exit code is 1 if there are any.
 */
async function verify(workFolder: string): Promise<0 | 1> {
	const print = (line: string) => console.log(line);
	const report = new Report(print);
	const manifest = JSON.parse(
		await readFile(path.join(projectFolder, 'package.json'), 'utf8'),
	) as PackageManifest;

	await report.check('package.json', () => packageFacts(manifest));
	await report.check('Screenshots', picturesUpToDate);
	const isBuilt = await report.check('Build', async () => {
		await runOrThrow('npm', ['run', 'build'], projectFolder);
		return { detail: 'dist is up to date', findings: [] };
	});
	const hasScan = await report.check('Community scan tools', async () => {
		await installScan(print);
		return { detail: 'installed', findings: [] };
	});
	if (hasScan)
		await report.check('Community scan of the source', () => communityScan('source', projectFolder));
	if (!isBuilt) {
		print('      The remaining checks need a build and were skipped.');
		return report.close();
	}

	await report.check('index.js', () => indexExports(projectFolder, manifest));
	for (const { name, evidence, findings } of guidelines) {
		await report.check(`Guideline: ${name}`, () => ({
			detail: findings ? 'holds' : evidence,
			findings: findings?.(projectFolder) ?? [],
		}));
	}
	await report.check('Types for the AI builder', () => builderTypes(projectFolder, manifest));
	const tarball = await packAndUnpack(projectFolder, workFolder);
	await report.check('Tarball size', () => tarballSize(tarball));
	await report.check('Tarball contents', () => tarballContents(tarball, manifest));
	if (hasScan) {
		await report.check('Community scan of the tarball', () => communityScan('tarball', tarball.folder));
		await report.check('Time to load', () => loadingTime(tarball.folder, path.join(workFolder, 'host')));
	}
	return report.close();
}

async function main(): Promise<void> {
	const workFolder = await mkdtemp(path.join(tmpdir(), 'verify-'));
	try {
		process.exitCode = await verify(workFolder);
	} catch (error) {
		console.error(
			`The verification could not be completed. ${error instanceof Error ? error.message : String(error)}`,
		);
		process.exitCode = 1;
	} finally {
		await rm(workFolder, { recursive: true, force: true });
	}
}

void main();
