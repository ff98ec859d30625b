const { jest: jestObject } = require('@jest/globals');

/** The packages that are loaded only once per worker. */
const PACKAGES = ['n8n-core', 'n8n-workflow', '@n8n/di', '@n8n/backend-common', 'fastify', 'axios', 'zod'];

// A test that needs a separate realm names another environment, which does not have this function.
if (globalThis.requireOnce)
	for (const name of PACKAGES) jestObject.doMock(name, () => globalThis.requireOnce(name));
