import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { OutputField } from '../../../nodes/Utilities/catalogue/utility';
import { fieldsOfWhole, nameOf } from '../../../nodes/Utilities/simplify';
import observations from '../../integration/emulator/utilities/observations.json';
import { asRecord } from '../../../nodes/shared/plain/values';

/** The data that a service with these endpoints really sent, with types in place of values. */
const shapes = new Map<string, unknown>(
	observations.map(({ path, shape }) => [`/v2/apis${path.replace(/:(\w+)/g, '{$1}')}`, shape]),
);

const utilities = catalogue.filter(({ output }) => output);

const pathsOf = (field: OutputField) => (typeof field === 'string' ? [field] : field.slice(1));

/** Whether a shape has something at a path. */
function has(shape: unknown, path: string): boolean {
	return (
		path.split('.').reduce<unknown>((value, part) => {
			const fields = Array.isArray(value) ? (value as unknown[])[0] : value;
			return asRecord(fields)?.[part];
		}, shape) !== undefined
	);
}

describe('The output of the catalogue', () => {
	it.each(utilities)('has at most ten fields with different names for $value', ({ output }) => {
		expect(output).toBeDefined();
		for (const fields of [fieldsOfWhole(output!), ...Object.values(output!.lists ?? {})]) {
			// The readable text beside a time is a field as well.
			const names = fields.map(nameOf).flatMap((name) => [name, name.replace(/_at$/, '')]);
			const different = new Set(names);
			expect(different.size).toBeGreaterThan(0);
			expect(different.size).toBeLessThanOrEqual(10);
			expect(new Set(fields.map(nameOf)).size).toBe(fields.length);
		}
	});

	it.each(utilities)('takes the fields of $value from where a service sends them', ({ path, output }) => {
		const shape = shapes.get(path);
		expect(shape).toBeDefined();
		const { fields = [], lists = {} } = output!;
		for (const field of fields) expect(pathsOf(field).some((one) => has(shape, one))).toBe(true);
		for (const [name, ofEntry] of Object.entries(lists)) {
			const list = (Array.isArray(shape) ? shape : asRecord(shape)![name]) as unknown[];
			expect(Array.isArray(list)).toBe(true);
			const [entry] = list;
			// The service had no shops, banks, and recyclers to show when it was observed.
			if (entry === undefined) continue;
			const own = typeof entry === 'string' ? { [name]: entry } : entry;
			for (const field of ofEntry) {
				const found = pathsOf(field).some((one) =>
					one.startsWith('^') ? has(shape, one.slice(1)) : has(own, one),
				);
				expect([nameOf(field), found]).toEqual([nameOf(field), true]);
			}
		}
	});

	it('is for JSON, which RSS is not', () => {
		expect(catalogue.filter(({ output }) => !output).map(({ value }) => value)).toEqual(['worldNewsRss']);
	});
});
