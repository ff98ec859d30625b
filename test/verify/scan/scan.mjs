/**
 * Runs n8n's community scan on a folder, without the network: `node scan.mjs source|tarball <folder>`.
 *
 * Writes `{ files, findings }` to standard output as JSON: the number of files, and a line for each finding. n8n's own
 * result counts only errors. Here, warnings count as well, so the same rules run again, and all messages are reported.
 */
import { ESLint } from 'eslint';
import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { relative } from 'node:path';

// The files that n8n checks in the repository and in the published tarball.
const PATTERNS = { source: SOURCE_FILE_PATTERNS, tarball: ['**/*.js', 'package.json'] };

const [leg, folder] = process.argv.slice(2);
const patterns = PATTERNS[leg];

const eslint = new ESLint({
	cwd: folder,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
const results = await eslint.lintFiles(patterns);
const findings = results.flatMap((result) =>
	result.messages.map(
		({ line, severity, message, ruleId }) =>
			`${relative(folder, result.filePath)}:${line ?? 1} ${severity === 2 ? 'error' : 'warning'}: ${message} (${ruleId})`,
	),
);

const scanResult = await analyzePackage(folder, patterns);
if (findings.length === 0 && (!scanResult.passed || scanResult.message)) {
	findings.push(`n8n's result: ${scanResult.message} ${scanResult.details ?? ''}`);
}

process.stdout.write(JSON.stringify({ files: results.length, findings }));
