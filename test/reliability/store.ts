import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/** What the results depend on. */
const SOURCES = ['credentials', 'emulator', 'nodes', 'test/integration', 'test/reliability', 'test/unit'];

/** A hash of the code that the results depend on. */
export function digestOfCode(): string {
	const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
	for (const folder of SOURCES) {
		const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name))
			.sort();
		for (const file of files) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
	}
	return hash.digest('hex');
}

/** Keeps the results of units in files, so that a run that was interrupted goes on, and forgets those of other code. */
export class ResultStore {
	/**
	 * @param folder created if it does not exist
	 * @param digest of the code whose results these are
	 */
	constructor(
		private readonly folder: string,
		private readonly digest: string,
	) {
		mkdirSync(folder, { recursive: true });
	}

	/** The result of a unit; undefined if there is none for this code. */
	read(part: string, unit: string): unknown {
		const file = this.fileOf(part, unit);
		if (!existsSync(file)) return undefined;
		try {
			const { digest, result } = JSON.parse(readFileSync(file, 'utf8')) as {
				digest: string;
				result: unknown;
			};
			return digest === this.digest ? result : undefined;
		} catch {
			// It was not written to its end.
			return undefined;
		}
	}

	write(part: string, unit: string, result: unknown): void {
		writeFileSync(this.fileOf(part, unit), JSON.stringify({ digest: this.digest, result }));
	}

	clear(): void {
		rmSync(this.folder, { recursive: true, force: true });
		mkdirSync(this.folder, { recursive: true });
	}

	private fileOf(part: string, unit: string): string {
		return join(this.folder, `${part}-${unit.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`);
	}
}
