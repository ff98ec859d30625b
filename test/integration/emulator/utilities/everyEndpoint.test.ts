import { endpoints, observations, type Shape } from './endpoints';
import { envelopeOf, useUtilities } from './gateway';

const utilities = useUtilities();

/** Where a value differs from a shape, one line per difference. */
function differences(value: unknown, shape: Shape, place: string): string[] {
	if (Array.isArray(shape)) {
		if (!Array.isArray(value)) return [`${place} is not a list`];
		const [element] = shape;
		return element === undefined
			? []
			: value.flatMap((entry, index) => differences(entry, element, `${place}[${index}]`));
	}
	if (typeof shape === 'object') {
		if (typeof value !== 'object' || value === null) return [`${place} is not an object`];
		const fields = new Set([...Object.keys(shape), ...Object.keys(value)]);
		return [...fields].flatMap((field) => {
			const expected = shape[field];
			if (expected === undefined) return [`${place}.${field} is unknown`];
			return differences((value as Record<string, unknown>)[field], expected, `${place}.${field}`);
		});
	}
	if (shape === 'nullable') {
		return value === null || ['string', 'number'].includes(typeof value)
			? []
			: [`${place} is ${typeof value}`];
	}
	return typeof value === shape && !Number.isNaN(value)
		? []
		: [`${place} is ${String(value)}, not a ${shape}`];
}

const exampleOf = (wanted: string) => endpoints.find(({ path }) => path === wanted)?.example;

describe('Utility endpoints of the emulator', () => {
	it.each(observations)('offer the observed encodings of $path', ({ path, fallback, encodings }) => {
		const offered = endpoints.find((endpoint) => endpoint.path === path);
		expect(offered?.fallback).toBe(fallback);
		expect([...(offered?.encodings ?? [])].sort()).toEqual([...encodings].sort());
	});
});

describe.each(observations.filter(({ shape }) => shape !== undefined))('GET $path', ({ path, shape }) => {
	it('returns every observed field with its observed type', async () => {
		const { data } = envelopeOf(await utilities.call(`${exampleOf(path)}&encoding=json`));
		expect(differences(data, shape!, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});
});
