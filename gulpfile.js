const { spawn } = require('node:child_process');
const { mkdir, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, relative } = require('node:path/posix');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** All code in one file: n8n loads it in half the time of some two hundred. */
const BUNDLE = 'dist/bundle.js';
const PUBLISHED = [...n8n.credentials, ...n8n.nodes];

/** Removes `dist`, so that nothing stale is ever packed. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** Checks the types. The compiler writes its findings to the terminal and the task fails. */
function check() {
	return spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
}

/** TypeScript to CommonJS: the bundle, with every class that package.json lists. */
function bundle() {
	const sources = PUBLISHED.map((file) => file.replace(/^dist\//, './').replace(/\.js$/, '.ts'));
	return esbuild.build({
		stdin: { contents: sources.map((file) => `export * from '${file}';`).join('\n'), resolveDir: '.' },
		outfile: BUNDLE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		// What n8n brings along.
		packages: 'external',
		logLevel: 'warning',
	});
}

/** The files in which n8n looks for the classes: each hands out its own from the bundle. */
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

/** Icons and codex files, into the same folders below `dist`; not the icons that wait for their node. */
function assets() {
	const files = ['{nodes,credentials}/**/*.{svg,json}', '!nodes/shared/icons/**'];
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

const build = series(clean, parallel(check, bundle, entries, assets));

module.exports = { clean, check, bundle, entries, assets, build, default: build };
