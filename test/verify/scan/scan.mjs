/**
 * n8n's community scan on one folder, without the network: `node scan.mjs source|tarball <folder>`.
 *
 * Writes `{ files, findings }` to standard output as JSON: how many files were read, and a line per finding. n8n's
 * own verdict counts errors only; here warnings are findings too, so the same rules are run once more and read in
 * full.
 */
import { ESLint } from 'eslint';
import {
	analyzePackage,
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { relative } from 'node:path';

// What n8n reads of the repository, and of the published tarball.
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

const verdict = await analyzePackage(folder, patterns);
if (findings.length === 0 && (!verdict.passed || verdict.message)) {
	findings.push(`n8n's verdict: ${verdict.message} ${verdict.details ?? ''}`);
}

process.stdout.write(JSON.stringify({ files: results.length, findings }));
