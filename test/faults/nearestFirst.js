const { readFileSync } = require('node:fs');
const { basename, dirname } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const { PLANTED_FILE = '' } = process.env;
const [, feature] = /nodes.([A-Za-z]+)/.exec(PLANTED_FILE) ?? [];
const [folder, module_] = [basename(dirname(PLANTED_FILE)), basename(PLANTED_FILE, '.ts')];

/** From the tests that are most likely to find a fault to the others. */
const RANKS = [
	({ path }) => readFileSync(path, 'utf8').includes(`/${folder}/${module_}'`),
	({ path }) => feature !== 'shared' && dirname(path).includes(`/unit/${feature}`),
	({ path }) => feature !== 'shared' && dirname(path).includes(`/integration/${feature}`),
	({ path }) => path.includes('/unit/') && !path.includes('/project/'),
	({ path }) => path.includes('/integration/'),
	() => true,
];

let times = {};
try {
	times = JSON.parse(readFileSync('/tmp/C-times.json', 'utf8'));
} catch {}

module.exports = class extends Sequencer {
	sort(tests) {
		const rankOf = (test) => RANKS.findIndex((isIn) => isIn(test));
		const most = Number(process.env.MOST_RANK ?? 9);
		return [...tests]
			.filter((test) => rankOf(test) <= most)
			.sort((one, other) => rankOf(one) - rankOf(other) || sizeOf(one) - sizeOf(other));
	}
};

function sizeOf({ context, path }) {
	return times[path] ?? 5;
}
