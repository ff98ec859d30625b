'use strict';

/**
 * Loads a package like n8n: `node bareLoad.cjs <package folder> <file> …`, with the paths in package.json. Writes the
 * description of each class to standard output as JSON. Plain JavaScript, because it runs without any other package.
 */

const { createRequire } = require('node:module');
const path = require('node:path');

const [folder, ...files] = process.argv.slice(2);
const requireInPackage = createRequire(path.join(folder, 'package.json'));

/** Whether a package that n8n does not provide can be resolved, which would make this check meaningless. */
function canResolve(name) {
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
		const facts = JSON.parse(JSON.stringify(instance.description ?? instance));
		return { file, facts };
	} catch (error) {
		return { file, failure: error.message.split('\n')[0] };
	}
}

process.stdout.write(
	JSON.stringify({
		unexpected: ['axios', 'n8n-core', 'jest'].filter(canResolve),
		loaded: files.map(describe),
	}),
);
