import path from 'node:path';
import { sourceFiles } from './sourceFiles';

/** What each file of a folder imports from it, types included. */
function importsOf(folder: string): Map<string, string[]> {
	const files = sourceFiles(folder).map(({ path: file, text }) => ({
		file: file.replace(/\.ts$/, ''),
		text,
	}));
	const names = new Set(files.map(({ file }) => file));
	return new Map(
		files.map(({ file, text }) => [
			file,
			[...text.matchAll(/\bfrom '(\.[^']*)'/g)]
				.map(([, from]) => path.posix.join(path.posix.dirname(file), from))
				.flatMap((target) => [target, `${target}/index`].filter((name) => names.has(name))),
		]),
	);
}

/** The files of a circle; empty if there is none. */
function circleIn(imports: Map<string, string[]>): string[] {
	const done = new Set<string>();
	const way: string[] = [];
	const visit = (file: string): string[] => {
		if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
		if (done.has(file)) return [];
		way.push(file);
		for (const next of imports.get(file) ?? []) {
			const circle = visit(next);
			if (circle.length > 0) return circle;
		}
		way.pop();
		done.add(file);
		return [];
	};
	for (const file of imports.keys()) {
		const circle = visit(file);
		if (circle.length > 0) return circle;
	}
	return [];
}

describe('Imports, types included', () => {
	it.each(['nodes', 'emulator'])('have no circle in %s', (folder) => {
		const imports = importsOf(folder);
		expect([...imports.values()].flat().length).toBeGreaterThan(100);
		expect(circleIn(imports)).toEqual([]);
	});

	it('would be seen in a circle of types', () => {
		const planted = new Map([
			['a', ['b']],
			['b', ['c']],
			['c', ['b']],
		]);
		expect(circleIn(planted)).toEqual(['b', 'c', 'b']);
	});
});
