import { figuresOf, scoreOf } from '../../mutation/figures';

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
		expect(scoreOf({ detected: 7, survived: 2, notCovered: 1 })).toBe(70);
		expect(scoreOf({ detected: 0, survived: 0, notCovered: 0 })).toBe(100);
	});
});
