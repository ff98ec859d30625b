import { createRequire } from 'node:module';
import path from 'node:path';

/** The parts of package.json that n8n and this verification read. */
export interface PackageManifest {
	name: string;
	n8n: { nodes: string[]; credentials: string[] };
}

/** The result of a check. */
export interface Outcome {
	/** Printed when the check passes, such as "84 kB, 61 files". */
	detail: string;
	/** One entry for each problem; empty when the check passes. */
	findings: string[];
}

/** Checks that index.js exports every class that package.json lists. */
export function indexExports(projectFolder: string, manifest: PackageManifest): Outcome {
	const exported = loadPackage(projectFolder) as Record<string, unknown>;
	const expected = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map(classNameOf);
	const missing = expected.filter((name) => typeof exported[name] !== 'function');
	const others = Object.keys(exported).filter((name) => !expected.includes(name));
	const findings = [
		...missing.map((name) => `The class ${name} is not exported.`),
		...others.map((name) => `${name} is exported, but package.json does not list it.`),
	];
	return { detail: expected.join(', '), findings };
}

/** n8n's naming rule: `dist/nodes/Chat/Chat.node.js` exports the class `Chat`. */
export function classNameOf(file: string): string {
	return path.posix.basename(file).split('.')[0];
}

/** Returns everything that the built package exports. */
export function loadPackage(folder: string): unknown {
	return createRequire(path.join(folder, 'package.json'))('./index.js');
}
