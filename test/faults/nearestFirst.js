const { readFileSync } = require('node:fs');
const { basename, dirname } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const { PLANTED_FILE = '' } = process.env;
const [, feature] = /nodes.([A-Za-z]+)/.exec(PLANTED_FILE) ?? [];
const imported = `/${basename(dirname(PLANTED_FILE))}/${basename(PLANTED_FILE, '.ts')}'`;
const isOfFeature = (path, kind) => feature !== 'shared' && path.includes(`/${kind}/${feature}/`);

/** Ranks tests, from those that are most likely to find a fault to the others. */
const RANKS = [
	({ path }) => readFileSync(path, 'utf8').includes(imported),
	({ path }) => isOfFeature(path, 'unit'),
	({ path }) => isOfFeature(path, 'integration'),
	({ path }) => path.includes('/unit/') && !path.includes('/project/'),
	({ path }) => path.includes('/integration/'),
	() => true,
];

/** Orders tests: first those that are most likely to find a fault, and small ones before large ones. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rankOf = (test) => RANKS.findIndex((isIn) => isIn(test));
		const sizeOf = ({ context, path }) => context.hasteFS.getSize(path) ?? 0;
		return [...tests].sort((one, other) => rankOf(one) - rankOf(other) || sizeOf(one) - sizeOf(other));
	}
};
