/** Preloaded into n8n: hides n8n's SDK for AI nodes from this package, as on a server that is too old to have it. */
const Module = require('node:module');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...others) {
	if (request === '@n8n/ai-node-sdk' && parent?.filename?.includes('n8n-nodes-unified-ai-gateway')) {
		throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
	}
	return resolve.call(this, request, parent, ...others);
};
