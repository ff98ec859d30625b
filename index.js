'use strict';

const { n8n } = require('./package.json');

/** `dist/nodes/Chat/Chat.node.js` exports the class `Chat`; n8n uses the same rule. */
function classNameOf(path) {
	return path.split('/').pop().split('.')[0];
}

function locate(path) {
	try {
		return require.resolve(`./${path}`);
	} catch (cause) {
		throw new Error(`${path} has not been built. Run "npm run build" first.`, { cause });
	}
}

/** Exports every node and credential class in the n8n section of package.json, by class name. */
for (const path of [...n8n.credentials, ...n8n.nodes]) {
	const className = classNameOf(path);
	exports[className] = require(locate(path))[className];
}
