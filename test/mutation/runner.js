const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: TestRunner } = require('jest-runner');

/**
 * Loads only the files with the tests that cover a mutant. Stryker names these tests, but Jest would load all files to
 * look for them. This runner knows the files from the first run, which is without a mutant.
 */
module.exports = class extends TestRunner {
	async runTests(tests, watcher, options) {
		const { testNamePattern, rootDir } = this._globalConfig;
		const file = join(rootDir, 'testNames.json');
		if (!testNamePattern) {
			const names = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
			this.on('test-file-success', ([{ path }, { testResults }]) => {
				names[path] = testResults.map(({ fullName }) => fullName);
			});
			await super.runTests(tests, watcher, options);
			if (!existsSync(file)) writeFileSync(file, JSON.stringify(names));
			return;
		}
		const names = JSON.parse(readFileSync(file, 'utf8'));
		const pattern = new RegExp(testNamePattern, 'i');
		const needed = tests.filter(({ path }) => names[path]?.some((name) => pattern.test(name)) ?? true);
		await super.runTests(needed, watcher, options);
	}
};
