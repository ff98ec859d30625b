import { XMLValidator } from 'fast-xml-parser';
import { type Encoding, endpoints, type Shape } from './endpoints';
import { envelopeOf, noon, type Reply, startUtilities, type Utilities } from './gateway';

const json = 'application/json; charset=UTF-8';
const plainText = 'text/plain; charset=UTF-8';

let utilities: Utilities;
let laterThatDay: Utilities;
beforeAll(async () => {
	utilities = await startUtilities();
	laterThatDay = await startUtilities(() => noon + 3 * 3_600_000);
});
afterAll(async () => {
	await utilities.close();
	await laterThatDay.close();
});

/** Where a value differs from a shape, one line per place. */
function differences(value: unknown, shape: Shape, place: string): string[] {
	if (Array.isArray(shape)) {
		if (!Array.isArray(value)) return [`${place} is no list`];
		const [element] = shape;
		return element === undefined
			? []
			: value.flatMap((entry, index) => differences(entry, element, `${place}[${index}]`));
	}
	if (typeof shape === 'object') {
		if (typeof value !== 'object' || value === null) return [`${place} is no object`];
		const fields = new Set([...Object.keys(shape), ...Object.keys(value)]);
		return [...fields].flatMap((field) => {
			const expected = shape[field];
			if (expected === undefined) return [`${place}.${field} is not known`];
			return differences((value as Record<string, unknown>)[field], expected, `${place}.${field}`);
		});
	}
	if (shape === 'nullable') {
		return value === null || ['string', 'number'].includes(typeof value)
			? []
			: [`${place} is ${typeof value}`];
	}
	return typeof value === shape && !Number.isNaN(value) ? [] : [`${place} is ${String(value)}, no ${shape}`];
}

/** Every number of an answer under a name that ends in `_at`. */
function timestamps(value: unknown): number[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([field, inner]) =>
		field.endsWith('_at') ? [inner as number] : timestamps(inner),
	);
}

const allEncodings = ['html', 'image', 'image-proxy', 'text-detail', 'markdown', 'text', 'bogus', 'JSON', ''];

const calls = endpoints.flatMap(({ path, query, encodings }) =>
	encodings.map((encoding) => ({ path, query, encoding })),
);

const expectations: Record<string, (reply: Reply, path: string) => void> = {
	json: (reply) => {
		expect(reply.contentType).toBe(json);
		const envelope = envelopeOf(reply);
		expect(Object.keys(envelope)).toEqual(['code', 'message', 'data']);
		expect(envelope.code).toBe(200);
		expect(envelope.message).toMatch(/^获取成功/);
		expect(envelope.data).not.toBeNull();
	},
	text: ({ contentType, text }) => {
		expect(contentType).toBe(plainText);
		expect(text.trim()).not.toBe('');
		expect(text).not.toMatch(/undefined|NaN|"code":/);
	},
	markdown: ({ contentType, text }) => {
		expect(contentType).toBe(plainText);
		expect(text).toMatch(/^# \S/);
		expect(text).not.toMatch(/undefined|NaN/);
	},
	html: ({ contentType, text }) => {
		expect(contentType).toBe('text/html; charset=utf-8');
		expect(text).toMatch(/^<!DOCTYPE html>\n<html lang="zh-CN">/);
		// Apart from its empty elements the page is written as XML.
		const markup = text.replace('<!DOCTYPE html>', '').replace(/<meta([^>]*)>/g, '<meta$1/>');
		expect(XMLValidator.validate(markup)).toBe(true);
	},
	image: ({ status, contentType, headers, bytes, text }, path) => {
		if (path === '/qrcode') {
			expect(contentType).toBe('image/gif');
			expect(bytes.toString('latin1', 0, 6)).toBe('GIF87a');
		} else {
			expect(status).toBe(302);
			expect(contentType).toBe(plainText);
			expect(text).toBe(`Redirecting to ${headers.get('location')}.`);
		}
	},
	'image-proxy': ({ contentType, bytes }) => {
		expect(contentType).toBe('image/png');
		expect(bytes.toString('latin1', 0, 8)).toBe('\u0089PNG\r\n\u001a\n');
	},
	xml: ({ contentType, text }) => {
		expect(contentType).toBe('application/xml');
		expect(XMLValidator.validate(text)).toBe(true);
	},
};
expectations['text-detail'] = expectations['text']!;

const portOf = ({ origin }: Utilities) => `:${new URL(origin).port}/`;

it('knows the 58 paths of the interface', () => {
	expect(new Set(endpoints.map(({ path }) => path)).size).toBe(58);
});

it.each(calls)('$path?$query answers encoding=$encoding', async ({ path, query, encoding }) => {
	const reply = await utilities.call(`${path}?${query}&encoding=${encoding}`);
	if (encoding !== 'image') expect(reply.status).toBe(200);
	expectations[encoding](reply, path);
});

it.each(endpoints)(
	'$path answers as $fallback by default, and for every encoding that it does not offer',
	async ({ path, query, fallback, encodings }) => {
		const byDefault = await utilities.call(`${path}?${query}`);
		expectations[fallback](byDefault, path);
		const others = allEncodings.filter((encoding) => !encodings.includes(encoding as Encoding));
		for (const encoding of others) {
			const { status, contentType, text } = await utilities.call(`${path}?${query}&encoding=${encoding}`);
			expect({ encoding, status, contentType, text }).toEqual({
				encoding,
				status: 200,
				contentType: byDefault.contentType,
				text: byDefault.text,
			});
		}
	},
);

describe.each(endpoints.filter(({ shape }) => shape !== undefined))('$path', ({ path, query, shape }) => {
	it('has every field that was seen, of the type that was seen', async () => {
		const { data } = envelopeOf(await utilities.call(`${path}?${query}&encoding=json`));
		expect(differences(data, shape!, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});

	it('gives times as 13-digit milliseconds', async () => {
		const { data } = envelopeOf(await utilities.call(`${path}?${query}&encoding=json`));
		for (const time of timestamps(data)) expect(String(time)).toMatch(/^\d{12,13}$/);
	});

	it('answers the same request on the same day the same way', async () => {
		const address = `${path}?${query}&encoding=json`;
		const [first, second] = await Promise.all([utilities.call(address), laterThatDay.call(address)]);
		// The two servers differ in their port only.
		expect(second.text).toBe(first.text.replaceAll(portOf(utilities), portOf(laterThatDay)));
	});
});
