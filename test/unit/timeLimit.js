const { jest: jestObject } = require('@jest/globals');

// A limit of the nodes that is broken shows soon. The guard of the other tests, which start n8n's engine, is far away.
jestObject.setTimeout(30_000);
