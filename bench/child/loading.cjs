/** Prints how long it takes to load every node of the package, in ms, beyond what n8n has loaded anyway. */
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const folder = process.argv[2];
// n8n itself has these; a node only finds them there.
require('n8n-workflow');
require('zod');
const startedAt = performance.now();
const { n8n } = require(path.join(folder, 'package.json'));
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const module = require(path.join(folder, file));
	for (const Type of Object.values(module)) new Type();
}
process.stdout.write(String(performance.now() - startedAt));
