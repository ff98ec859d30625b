import { sourceFiles } from './sourceFiles';

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
		const imports = new Map(sourceFiles(folder).map((file) => [file.path, file.imports]));
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
