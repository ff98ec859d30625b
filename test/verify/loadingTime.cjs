/** Prints how long loading all nodes of a package takes, as a share of how long loading n8n-workflow takes. */
const { createRequire } = require('node:module');
const path = require('node:path');
const { performance } = require('node:perf_hooks');

const manifest = path.join(process.argv[2], 'package.json');
const requireFromPackage = createRequire(manifest);

function timeOf(load) {
	const startedAt = performance.now();
	load();
	return performance.now() - startedAt;
}

const { n8n } = require(manifest);
requireFromPackage('zod');
const host = timeOf(() => requireFromPackage('n8n-workflow'));
const own = timeOf(() => {
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		for (const Type of Object.values(requireFromPackage(`./${file}`))) new Type();
	}
});
process.stdout.write(String(own / host));
