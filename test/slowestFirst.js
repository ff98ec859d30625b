const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The test files that take longest, the slowest first. "spokenText" produces so much garbage that it needs a young
 * worker. Without the times of an earlier run, Jest would begin with the largest files.
 */
const SLOWEST = (
	'simulation hostile spokenText ownFaults rates inputs oddAnswers wire joiner dialects secrets ' +
	'fileText jsonAnswers runs retry ordinaryAnswers audio filesInJson sentOrNot outputs music speech stopped'
).split(' ');

/** Orders tests: first the files that take longest, so that no worker runs one of them at the end. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => SLOWEST.indexOf(basename(path, '.test.ts')) + 1 || SLOWEST.length + 1;
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};
