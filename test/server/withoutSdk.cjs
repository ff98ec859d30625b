/** Preloaded into n8n: hides the SDK for AI nodes from this package, like an n8n that is too old to include it. */
const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...others) {
	if (request === '@n8n/ai-node-sdk' && parent?.filename?.includes('n8n-nodes-unified-ai-gateway')) {
		throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
	}
	return resolve.call(this, request, parent, ...others);
};
