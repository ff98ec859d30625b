'use strict';

/**
 * Loads a package as n8n does: `node bareLoad.cjs <package folder> <file> …`, the files as package.json names
 * them. Writes what each class says about itself to standard output as JSON. Plain JavaScript, because nothing but
 * Node may be present.
 */

const { createRequire } = require('node:module');
const path = require('node:path');

const [folder, ...files] = process.argv.slice(2);
const requireInPackage = createRequire(path.join(folder, 'package.json'));

/** Whether a package that n8n does not offer can be reached: then this whole test would prove nothing. */
function canReach(name) {
	try {
		requireInPackage.resolve(name);
		return true;
	} catch {
		return false;
	}
}

function describe(file) {
	try {
		const className = path.basename(file).split('.')[0];
		const Type = requireInPackage(`./${file}`)[className];
		if (typeof Type !== 'function') return { file, failure: `no class ${className} is exported` };
		const instance = new Type();
		return { file, facts: JSON.parse(JSON.stringify(instance.description ?? instance)) };
	} catch (error) {
		return { file, failure: error.message.split('\n')[0] };
	}
}

process.stdout.write(
	JSON.stringify({ strangers: ['axios', 'n8n-core', 'jest'].filter(canReach), loaded: files.map(describe) }),
);
