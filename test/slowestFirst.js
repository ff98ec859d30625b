const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take longest; without the times of an earlier run, Jest would begin with the largest files. */
const SLOW =
	/(simulation|integration\/(hostile|faults|dialects|inputs|paidOnce|secrets|upgrades|Chat|Image|Music|Speech|Utilities))\/|(rates|joiner|jsonAnswers|outputs|spokenText|splits)\.test/;

/** Begins with the files that take longest, so that no worker is left with one at the end. */
module.exports = class extends Sequencer {
	sort(tests) {
		const isSlow = ({ path }) => SLOW.test(path.replaceAll('\\', '/'));
		const sorted = super.sort(tests);
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
};
