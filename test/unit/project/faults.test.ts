import { faults, plantedSource } from '../../faults/faults';

describe('The planted faults', () => {
	it('are at least 120 broken promises', () => {
		expect(new Set(faults().map(({ promise }) => promise)).size).toBeGreaterThanOrEqual(120);
	});

	it.each(faults())('can be tried with this one: $file: $promise', (fault) => {
		expect(plantedSource(fault)).toContain(fault.replace);
	});
});
