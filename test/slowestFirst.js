const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The files that take longest, the slowest first; "spokenText" makes so much garbage that it needs a young worker. Without
 * the times of an earlier run, Jest would begin with the largest.
 */
const SLOWEST = (
	'simulation hostile spokenText ownFaults rates inputs oddAnswers wire joiner dialects secrets ' +
	'fileText jsonAnswers runs retry ordinaryAnswers audio filesInJson sentOrNot outputs music speech stopped'
).split(' ');

/** Begins with the files that take longest, so that no worker is left with one at the end. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => SLOWEST.indexOf(basename(path, '.test.ts')) + 1 || SLOWEST.length + 1;
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};
