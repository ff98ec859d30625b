import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const LOCK_FILES = ['package-lock.json', 'demo/package-lock.json'];

/** A hash of everything in folders of the project but installed packages, and of the locked versions of these. */
export function digestOf(folders: readonly string[]): string {
	const hash = createHash('sha256');
	const files = folders.flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
			.filter((file) => !/\bnode_modules\b/.test(file))
			.sort(),
	);
	for (const file of [...LOCK_FILES, ...files]) hash.update(file).update(readFileSync(join(ROOT, file)));
	return hash.digest('hex');
}

/** What has passed, kept in files, so that an interrupted run goes on where it was. It counts only for the same code. */
export class Passed {
	/**
	 * @param folder created if it does not exist
	 * @param digest of the code
	 */
	constructor(
		private readonly folder: string,
		private readonly digest: string,
	) {
		mkdirSync(folder, { recursive: true });
	}

	has(name: string): boolean {
		const file = this.fileOf(name);
		return existsSync(file) && readFileSync(file, 'utf8') === this.digest;
	}

	add(name: string): void {
		writeFileSync(this.fileOf(name), this.digest);
	}

	clear(): void {
		rmSync(this.folder, { recursive: true, force: true });
		mkdirSync(this.folder, { recursive: true });
	}

	private fileOf(name: string): string {
		return join(this.folder, `${name}.passed`);
	}
}
