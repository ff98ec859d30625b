import { figuresOf, scoreOf, withFigures } from '../../mutation/figures';
import { sectionOf, withSection, withSectionsOf } from '../../reliabilityPage';

const figures = (folder: string, detected: number) => ({ folder, detected, survived: 2, notCovered: 1 });

describe('The figures of mutation testing', () => {
	it('count what was detected, what has survived, and what no test runs', () => {
		const statuses = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'];
		const report = { files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } } };
		expect(figuresOf('errors', report)).toEqual({
			folder: 'errors',
			detected: 3,
			survived: 1,
			notCovered: 1,
		});
	});

	it('have the share of detected mutants as their score', () => {
		expect(scoreOf(figures('errors', 7))).toBe(70);
		expect(scoreOf({ detected: 0, survived: 0, notCovered: 0 })).toBe(100);
	});

	it('are added to a page, and replace only those of the same folder', () => {
		const page = withFigures('# Reliability\n', [figures('http', 7), figures('errors', 17)]);
		const renewed = withFigures(page, [figures('http', 97)]);
		expect(renewed).toContain('# Reliability\n\n<!-- mutation');
		expect(renewed.match(/^\| `.*$/gm)).toEqual([
			'| `nodes/shared/errors` | 20 | 17 | 2 | 1 | 85 % |',
			'| `nodes/shared/http` | 100 | 97 | 2 | 1 | 97 % |',
		]);
	});

	it('are a section that stays when other generators write the page', () => {
		expect(sectionOf('# Reliability', 'mutation')).toBeUndefined();
		const page = withSection(withFigures('# Reliability\n', [figures('http', 7)]), 'fuzz', 'Seed 1: $&');
		expect(withSectionsOf('# Reliability\n', page)).toBe(page);
		expect(withFigures(page, [figures('http', 7)])).toBe(page);
		expect(withSection(page, 'fuzz', 'Seed 2')).toContain('Seed 2');
		expect(withSection(page, 'fuzz', 'Seed 2')).not.toContain('Seed 1');
	});
});
