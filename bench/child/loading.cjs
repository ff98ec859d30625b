/** Prints how long it takes to load all nodes of the package, in ms, without the packages that n8n has already loaded. */
const { createRequire } = require('node:module');
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const manifest = path.join(process.argv[2], 'package.json');
const requireFromPackage = createRequire(manifest);
const { n8n } = require(manifest);
// n8n has already loaded these packages; they must be the same copies that the nodes use.
requireFromPackage('n8n-workflow');
requireFromPackage('zod');
const startedAt = performance.now();
for (const file of [...n8n.nodes, ...n8n.credentials]) {
	const module = requireFromPackage(`./${file}`);
	for (const Type of Object.values(module)) new Type();
}
process.stdout.write(String(performance.now() - startedAt));
