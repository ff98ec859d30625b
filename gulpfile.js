const { spawn } = require('node:child_process');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { basename, dirname, relative } = require('node:path/posix');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { n8n } = require('./package.json');

/** All code is in one file, which n8n loads in half the time that about two hundred files take. */
const BUNDLE = 'dist/bundle.js';
const PUBLISHED = [...n8n.credentials, ...n8n.nodes];

/** What n8n provides at run time. Every other package that the source imports is bundled. */
const PROVIDED = ['n8n-workflow', 'zod', 'zod/*', '@n8n/ai-node-sdk'];

const LICENSES = 'dist/licenses.txt';

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

/** Bundles every class that package.json lists, from TypeScript to CommonJS, with the packages that it imports. */
async function bundle() {
	const exported = PUBLISHED.map(
		(file) => `export { ${classNameOf(file)} } from './${file.replace(/^dist\//, '').replace(/\.js$/, '')}';`,
	);
	const { metafile } = await esbuild.build({
		// The bundle names each part by its file; this one exists only here.
		stdin: { contents: exported.join('\n'), resolveDir: '.', sourcefile: 'bundle.ts', loader: 'ts' },
		outfile: BUNDLE,
		bundle: true,
		platform: 'node',
		target: 'node20',
		// Names and lines stay, so that a stack can be read.
		minifySyntax: true,
		external: PROVIDED,
		// n8n's community scan refuses it, and packages may print warnings.
		drop: ['console'],
		metafile: true,
		logLevel: 'warning',
	});
	await writeFile(LICENSES, await licensesOf(metafile));
}

/** The licenses of the packages in the bundle, as one text. Fails for a package that does not name its license. */
async function licensesOf(metafile) {
	const folders = Object.keys(metafile.inputs).map(
		(file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0],
	);
	const texts = [...new Set(folders.filter(Boolean))].sort().map(async (folder) => {
		const { name, version, license, author, homepage } = JSON.parse(
			await readFile(`${folder}/package.json`, 'utf8'),
		);
		if (!license) throw new Error(`${name} does not name its license.`);
		const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
		const text = file ? await readFile(`${folder}/${file}`, 'utf8') : authorOf(author);
		return [`${name} ${version} (${license})`, homepage, text.trim()].filter(Boolean).join('\n\n');
	});
	return `${(await Promise.all(texts)).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The author of a package whose license has no file. */
function authorOf(author) {
	return typeof author === 'string' ? author : [author?.name, author?.email].filter(Boolean).join(' ');
}

/** n8n's rule for names: `dist/nodes/Chat/Chat.node.js` has the class `Chat`. */
function classNameOf(file) {
	return basename(file).split('.')[0];
}

/** Writes the files in which n8n looks for the classes; each re-exports its class from the bundle. */
async function entries() {
	for (const file of PUBLISHED) {
		const className = classNameOf(file);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(
			file,
			`exports.${className} = require('${relative(dirname(file), BUNDLE)}').${className};\n`,
		);
	}
}

/** Copies icons and codex files into the same folders in `dist`. */
function assets() {
	// Two patterns, because one with both folders in it searches the whole project.
	const files = ['nodes', 'credentials'].map((folder) => `${folder}/**/*.{svg,json}`);
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

const build = series(clean, parallel(check, bundle, entries, assets));

module.exports = { clean, check, bundle, entries, assets, build, default: build };
