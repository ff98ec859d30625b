import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** A TypeScript file of the project. */
export interface SourceFile {
	/** Relative to the project, with slashes. */
	path: string;
	text: string;
	/** The files in the same folders that it imports, including type imports. */
	imports: string[];
}

/** Returns the TypeScript files in some folders of the project, with their imports of each other. */
export function sourceFiles(...folders: string[]): SourceFile[] {
	const paths = folders.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => posix.join(folder, file.split('\\').join('/')))
			// `npm run verify` installs packages below test/.
			.filter((path) => path.endsWith('.ts') && !path.includes('/node_modules/')),
	);
	const known = new Set(paths);
	return paths.map((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		const imports = ts
			.preProcessFile(text)
			.importedFiles.map(({ fileName }) => posix.join(posix.dirname(path), fileName))
			.map((target) => [target, `${target}.ts`, `${target}/index.ts`].find((file) => known.has(file)))
			.filter((target) => target !== undefined);
		return { path, text, imports: [...new Set(imports)] };
	});
}

/** Returns all files that a file reaches through imports, without itself. */
export function reachedFrom(files: SourceFile[], start: string): Set<string> {
	const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
	const reached = new Set<string>();
	const open = [...(importsOf.get(start) ?? [])];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (reached.has(next)) continue;
		reached.add(next);
		open.push(...(importsOf.get(next) ?? []));
	}
	return reached;
}
