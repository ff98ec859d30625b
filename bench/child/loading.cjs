/** Prints how long it takes to load every node of the package, in ms, beyond what n8n has loaded anyway. */
const { createRequire } = require('node:module');
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const manifest = path.join(process.argv[2], 'package.json');
const requireFromPackage = createRequire(manifest);
const { n8n } = require(manifest);
// n8n itself has these; they must be the very copies that the nodes find.
requireFromPackage('n8n-workflow');
requireFromPackage('zod');
const startedAt = performance.now();
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const module = requireFromPackage(`./${file}`);
	for (const Type of Object.values(module)) new Type();
}
process.stdout.write(String(performance.now() - startedAt));
