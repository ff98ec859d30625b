import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { x as extract } from 'tar';
import type { Outcome, PackageManifest } from './packageFacts';
import { runOrThrow } from './run';

/** 280 kB, in npm's units: what the bundle needs as readable code, 30 kB of schemas, and too little for a file that does not belong there. */
const MAX_TARBALL_BYTES = 280_000;

/** The files that are allowed in addition to `dist`. */
const ROOT_FILES = /^(package\.json|index\.js|LICENSE|README\.md|CHANGELOG\.md)$/;
const LICENSES = 'dist/licenses.txt';
const REQUIRED_FILES = ['package.json', 'index.js', 'LICENSE', 'README.md', LICENSES];

/** The tarball that `npm publish` would upload. */
interface Tarball {
	bytes: number;
	/** The folder in which it is unpacked, with package.json. */
	folder: string;
	/** The paths relative to `folder`, with forward slashes, sorted. */
	files: string[];
}

/** Packs the project into `workFolder` and unpacks it there. Requires a build in `dist`. */
export async function packAndUnpack(projectFolder: string, workFolder: string): Promise<Tarball> {
	await runOrThrow(
		'npm',
		['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', workFolder],
		projectFolder,
	);
	const archive = (await readdir(workFolder)).find((name) => name.endsWith('.tgz'));
	if (!archive) throw new Error('npm pack did not create a tarball.');
	const file = path.join(workFolder, archive);
	const folder = path.join(workFolder, 'unpacked');
	await mkdir(folder);
	await extract({ file, cwd: folder, strip: 1, strict: true });
	return { bytes: (await stat(file)).size, folder, files: await filesIn(folder) };
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
		.sort();
}

/** Checks the size of the tarball. */
export function tarballSize({ bytes, files }: Tarball): Outcome {
	const size = `${Math.ceil(bytes / 1000)} kB, ${files.length} files`;
	const tooLarge = `${size}; the limit is ${MAX_TARBALL_BYTES / 1000} kB.`;
	return { detail: size, findings: bytes > MAX_TARBALL_BYTES ? [tooLarge] : [] };
}

/** Checks that the tarball contains all files that must be published and no others. */
export function tarballContents({ files }: Tarball, manifest: PackageManifest): Outcome {
	const required = [...REQUIRED_FILES, ...manifest.n8n.nodes, ...manifest.n8n.credentials];
	return {
		detail: 'only dist and the allowed root files',
		findings: [
			...files.filter((file) => !isAllowed(file)).map((file) => `${file} must not be published.`),
			...required.filter((file) => !files.includes(file)).map((file) => `${file} is missing.`),
		],
	};
}

function isAllowed(file: string): boolean {
	if (!file.startsWith('dist/')) return ROOT_FILES.test(file);
	const isTest = /(^|\/)(test|tests|__tests__|fixtures)\/|\.(test|spec)\.\w+$/.test(file);
	return (file === LICENSES || /\.(js|json|svg)$/.test(file)) && !isTest;
}
