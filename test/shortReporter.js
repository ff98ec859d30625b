/**
 * Says little: how far the tests are, each failure as soon as its file has ended, and the totals.
 */

/** How often the progress is printed, in milliseconds. */
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
		if (failureMessage) console.log(`\nFAIL ${testFilePath}\n${failureMessage}`);
		if (Date.now() - this.#printedAt < QUIET_MS) return;
		this.#printedAt = Date.now();
		console.log(
			`${this.#ended} of ${this.#total} test files, ${numFailedTests} failed tests, ${this.#seconds()} s`,
		);
	}

	onRunComplete(_contexts, results) {
		const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
		const counts = [
			...(numFailedTests > 0 ? [`${numFailedTests} failed`] : []),
			...(numPendingTests > 0 ? [`${numPendingTests} skipped`] : []),
			`${numPassedTests} passed`,
		];
		const failedIn = numFailedTestSuites > 0 ? ` (failures in ${numFailedTestSuites})` : '';
		const files = `${results.numTotalTestSuites} files${failedIn}`;
		console.log(`Tests: ${counts.join(', ')}, in ${files}, ${this.#seconds()} s`);
	}

	#seconds() {
		return Math.round((Date.now() - this.#startedAt) / 1000);
	}
};
