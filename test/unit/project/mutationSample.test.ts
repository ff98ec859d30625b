import { describeMutant, mutated, type Mutant } from '../../mutation/sample';

const text = 'const a = 1;\nif (a > 0) {\n\tgo();\n}\n';
const of = (start: [number, number], end: [number, number], replacement: string): Mutant => ({
	fileName: 'nodes/a.ts',
	mutatorName: 'Change',
	replacement,
	location: { start: { line: start[0], column: start[1] }, end: { line: end[0], column: end[1] } },
});

describe('A mutant', () => {
	it('changes one place of a text, in a line or over several', () => {
		expect(mutated(text, of([1, 4], [1, 9], 'a >= 0'))).toBe('const a = 1;\nif (a >= 0) {\n\tgo();\n}\n');
		expect(mutated(text, of([1, 11], [3, 1], '{}'))).toBe('const a = 1;\nif (a > 0) {}\n');
	});

	it('is described by its place and what it changes', () => {
		expect(describeMutant(of([1, 4], [1, 9], 'a >= 0'), text)).toBe('nodes/a.ts:2 Change: a > 0 → a >= 0');
		expect(describeMutant(of([1, 11], [3, 1], '{}'), text)).toBe('nodes/a.ts:2 Change: { … → {}');
	});
});
