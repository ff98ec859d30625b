import { createRequire } from 'node:module';
import path from 'node:path';
import type { PackageManifest } from './packageFacts';
import type { Outcome } from './report';

/** Checks that index.js exports every class that package.json lists. */
export function indexExports(projectFolder: string, manifest: PackageManifest): Outcome {
	const exported = loadPackage(projectFolder) as Record<string, unknown>;
	const expected = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map(classNameOf);
	const findings = [
		...expected
			.filter((name) => typeof exported[name] !== 'function')
			.map((name) => `The class ${name} is not exported.`),
		...Object.keys(exported)
			.filter((name) => !expected.includes(name))
			.map((name) => `${name} is exported, but the n8n section of package.json does not list it.`),
	];
	return { detail: expected.join(', '), findings };
}

/** n8n's naming rule: `dist/nodes/Chat/Chat.node.js` exports the class `Chat`. */
export function classNameOf(file: string): string {
	return path.posix.basename(file).split('.')[0];
}

/** What the package exports once it is built. */
export function loadPackage(folder: string): unknown {
	return createRequire(path.join(folder, 'package.json'))('./index.js');
}
