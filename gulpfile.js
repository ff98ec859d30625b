const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');

/** Removes `dist`, so that nothing stale is ever packed. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** TypeScript to CommonJS in `dist`. The compiler writes its findings to the terminal and the task fails. */
function compile() {
	return spawn(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
		stdio: 'inherit',
	});
}

/** Icons and codex files, into the same folders below `dist`; not the icons that wait for their node. */
function assets() {
	const files = ['{nodes,credentials}/**/*.{svg,json}', '!nodes/shared/icons/**'];
	return src(files, { base: '.', encoding: false }).pipe(dest('dist'));
}

const build = series(clean, parallel(compile, assets));

module.exports = { clean, compile, assets, build, default: build };
