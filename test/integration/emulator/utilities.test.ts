import { utilityEndpoints } from '../../../emulator/utilities';
import { useGateway } from './gateway';
import observed from './utilities/observations.json';

const gateway = useGateway();

/** Asks a utility. @param address below `/v2/apis`, such as `/weather?query=上海` */
const ask = async (address: string) => {
	const { headers, data } = await gateway.get(`/v2/apis${address}`, { responseType: 'arraybuffer' });
	return { type: headers['content-type'] as string | undefined, bytes: Buffer.from(data as ArrayBuffer) };
};

/** The `data` of a JSON answer. */
const dataOf = async (address: string): Promise<unknown> => {
	const { code, data } = JSON.parse((await ask(address)).bytes.toString()) as { code: number; data: unknown };
	expect(code).toBe(200);
	return data;
};

/** A type of a value, an object of shapes, or a list whose elements all have one shape; `[]` is any list. */
type Shape = 'string' | 'number' | 'boolean' | 'nullable' | { [field: string]: Shape } | Shape[];

/** An endpoint as a comparable service was observed to answer it. */
interface Observation {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** The encoding of the response without `encoding`, or the content type of a file in no encoding. */
	fallback: string;
	encodings: string[];
	/** Shape of `data` in the JSON response; `nullable` is a string or number that was null in an observed response. */
	shape?: Shape;
}
const observations = observed as Observation[];

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

/** A request that succeeds. */
function exampleOf(wanted: string, encoding?: string): string {
	const { path, example = path } = utilityEndpoints.find((endpoint) => endpoint.path === wanted)!;
	if (!encoding) return example;
	return `${example}${example.includes('?') ? '&' : '?'}encoding=${encoding}`;
}

describe.each(observations)('GET $path', ({ path, fallback, encodings, shape }) => {
	it('has the observed encoding unless another one is asked for', async () => {
		const typeOf = async (encoding?: string) => (await ask(exampleOf(path, encoding))).type;
		const isEncoding = encodings.includes(fallback);
		expect(await typeOf()).toEqual(isEncoding ? await typeOf(fallback) : expect.stringContaining(fallback));
	});

	if (shape === undefined) return;
	it('returns every observed field with its observed type', async () => {
		const data = await dataOf(exampleOf(path, 'json'));
		expect(differences(data, shape, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});
});
