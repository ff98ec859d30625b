/**
 * Says little: how far the tests are, each failure as soon as its file has ended, and the totals.
 */

/** How often the progress is printed where lines cannot be rewritten, in milliseconds. */
const QUIET_MS = 20_000;

module.exports = class ShortReporter {
	#startedAt = Date.now();
	#total = 0;
	#ended = 0;
	#printedAt = Date.now();

	onRunStart({ numTotalTestSuites }) {
		this.#total = numTotalTestSuites;
	}

	onTestFileResult(_test, { failureMessage, testFilePath }, { numFailedTests }) {
		this.#ended += 1;
		if (failureMessage) this.#print(`\nFAIL ${testFilePath}\n${failureMessage}`);
		const failed = numFailedTests > 0 ? `, ${numFailedTests} failed tests` : '';
		this.#show(`${this.#ended} of ${this.#total} test files${failed}, ${this.#seconds()} s`);
	}

	onRunComplete(_contexts, results) {
		const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, numTotalTestSuites } =
			results;
		const counts = [
			...(numFailedTests > 0 ? [`${numFailedTests} failed`] : []),
			...(numPendingTests > 0 ? [`${numPendingTests} skipped`] : []),
			`${numPassedTests} passed`,
		];
		const files = `${numTotalTestSuites} ${numTotalTestSuites === 1 ? 'file' : 'files'}`;
		const failedIn = numFailedTestSuites > 0 ? ` (failures in ${numFailedTestSuites})` : '';
		this.#print(`Tests: ${counts.join(', ')}, in ${files}${failedIn}, ${this.#seconds()} s`);
	}

	#seconds() {
		return Math.round((Date.now() - this.#startedAt) / 1000);
	}

	#show(line) {
		if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
		else if (Date.now() - this.#printedAt >= QUIET_MS) {
			this.#printedAt = Date.now();
			process.stdout.write(`${line}\n`);
		}
	}

	#print(text) {
		process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${text}\n`);
	}
};
