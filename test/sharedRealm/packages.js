const { jest: jestObject } = require('@jest/globals');

/** The packages that are loaded once per worker. */
const PACKAGES = ['n8n-core', 'n8n-workflow', '@n8n/di', '@n8n/backend-common', 'fastify', 'axios', 'zod'];

// A test that needs a realm of its own names another environment.
if (globalThis.requireOnce)
	for (const name of PACKAGES) jestObject.doMock(name, () => globalThis.requireOnce(name));
