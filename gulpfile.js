const { spawn } = require('node:child_process');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, relative } = require('node:path/posix');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** All code is in one file, which n8n loads in half the time that about two hundred files take. */
const BUNDLE = 'dist/bundle.js';
const PUBLISHED = [...n8n.credentials, ...n8n.nodes];

/** Deletes `dist`, so that no stale file is packed. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** Checks the types; the compiler prints errors to the terminal. */
function check() {
	return spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
}

/** Bundles every class that package.json lists, from TypeScript to CommonJS. */
function bundle() {
	const sources = PUBLISHED.map((file) => file.replace(/^dist\//, './').replace(/\.js$/, '.ts'));
	return esbuild.build({
		stdin: { contents: sources.map((file) => `export * from '${file}';`).join('\n'), resolveDir: '.' },
		outfile: BUNDLE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		// n8n provides all packages.
		packages: 'external',
		logLevel: 'warning',
	});
}

/** Writes the files in which n8n looks for the classes; each re-exports its class from the bundle. */
async function entries() {
	for (const file of PUBLISHED) {
		const [className] = basename(file).split('.');
		await mkdir(dirname(file), { recursive: true });
		await writeFile(
			file,
			`exports.${className} = require('${relative(dirname(file), BUNDLE)}').${className};\n`,
		);
	}
}

/** Copies icons and codex files into the same folders in `dist`. */
function assets() {
	const files = '{nodes,credentials}/**/*.{svg,json}';
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

const build = series(clean, parallel(check, bundle, entries, assets));

module.exports = { clean, check, bundle, entries, assets, build, default: build };
