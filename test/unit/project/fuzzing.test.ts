import fc from 'fast-check';
import { changed, toJson } from '../../fuzz/hostileValues';
import { property, RUNS_PER_SEED, tryProperty } from '../../fuzz/property';

/** A clock of which each look takes a second. */
function seconds(): () => number {
	let time = 0;
	return () => (time += 1000);
}

describe('A property', () => {
	it('is tried until its time is over', async () => {
		const outcome = await tryProperty(
			property('holds', [fc.nat()], () => undefined),
			1,
			3500,
			seconds(),
		);
		expect(outcome).toEqual({ name: 'holds', runs: 4 * RUNS_PER_SEED });
	});

	it('ends with the smallest value that breaks it, and with its reason', async () => {
		const broken = property('does not hold', [fc.nat()], (number) => {
			if (number >= 7) throw new Error('Seven or more');
		});
		const { finding } = await tryProperty(broken, 1, 1e9, seconds());
		expect(finding).toContain('Counterexample: [[7]]');
		expect(finding).toContain('Seven or more');
	});
});

describe('A value with changes', () => {
	const how = (one: 'drop' | 'rename' | 'add', at: number, value: unknown = 1) =>
		toJson(changed({ a: { b: 2 } }, [{ at, how: one, name: '__proto__', value }]));

	it('loses, renames, and gets fields, also one that is the prototype elsewhere', () => {
		expect(how('drop', 1)).toBe('{}');
		expect(how('rename', 1)).toBe('{"__proto__":{"b":2}}');
		expect(how('add', 1)).toBe('{"a":{"b":2,"__proto__":1}}');
		expect(how('drop', 0, [])).toBe('[]');
	});
});
