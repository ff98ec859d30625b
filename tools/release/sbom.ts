import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const project = path.resolve(__dirname, '../..');

/** The packages that the build bundles; see gulpfile.js. */
export const BUNDLED = JSON.parse(
	readFileSync(path.join(__dirname, 'bundled.json'), 'utf8'),
) as readonly string[];

/** The part of a CycloneDX document that is read here. */
interface Sbom {
	metadata: { component: { name: string } };
	components: Array<{ name: string }>;
}

/**
 * Returns the parts of the package, in CycloneDX: the packages in its bundle, because n8n installs no others.
 *
 * @param withDevelopment whether to list everything with which it is built and tested instead
 */
export function sbom(withDevelopment: boolean): Sbom {
	const command = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'library', '--package-lock-only'];
	const text = execFileSync('npm', command, {
		cwd: project,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		maxBuffer: 100_000_000,
	});
	const document = JSON.parse(text) as Sbom & { dependencies?: unknown };
	const manifest = readFileSync(path.join(project, 'package.json'), 'utf8');
	// npm uses the name of the folder, which may be different.
	document.metadata.component.name = (JSON.parse(manifest) as { name: string }).name;
	if (withDevelopment) return document;
	const components = document.components.filter(({ name }) => BUNDLED.includes(name));
	return { ...document, components, dependencies: undefined } as Sbom;
}

/** `npm run sbom -- FOLDER`: writes the parts of a release, and the packages with which it was built. */
function main([folder = 'dist']: string[]): void {
	mkdirSync(folder, { recursive: true });
	for (const [name, document] of [
		['sbom.cdx.json', sbom(false)],
		['sbom-build.cdx.json', sbom(true)],
	] as const) {
		writeFileSync(path.join(folder, name), `${JSON.stringify(document, undefined, '\t')}\n`);
		console.log(`Wrote ${path.join(folder, name)}: ${document.components.length} components`);
	}
}

if (require.main === module) main(process.argv.slice(2));
