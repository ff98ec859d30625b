import { XMLValidator } from 'fast-xml-parser';
import type { Encoding } from '../../../../emulator/utilities/reply';
import { endpoints, observations, type Shape } from './endpoints';
import { envelopeOf, type Reply, useUtilities } from './gateway';

const json = 'application/json; charset=UTF-8';
const plainText = 'text/plain; charset=UTF-8';

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

const allEncodings = ['html', 'image', 'image-proxy', 'text-detail', 'markdown', 'text', 'bogus', 'JSON', ''];

const calls = endpoints.flatMap(({ path, example, encodings }) =>
	encodings.map((encoding) => ({ path, example, encoding })),
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
		// Except for its empty elements, the page is valid XML.
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
			expect(text).toBe(`Redirecting to ${headers.location as string}.`);
		}
	},
	'image-proxy': ({ contentType, bytes }) => {
		expect(contentType).toBe('image/png');
		expect(bytes.toString('latin1', 0, 8)).toBe('\u0089PNG\r\n\u001a\n');
	},
	'application/xml': ({ contentType, text }) => {
		expect(contentType).toBe('application/xml');
		expect(XMLValidator.validate(text)).toBe(true);
	},
};
expectations['text-detail'] = expectations['text']!;

/** Files of any other content type. */
const expectFile = (contentType: string) => (reply: Reply) => {
	expect(reply.contentType).toBe(contentType);
	expect(reply.bytes).not.toHaveLength(0);
};

const exampleOf = (wanted: string) => endpoints.find(({ path }) => path === wanted)?.example;

describe('Utility endpoints of the emulator', () => {
	it.each(observations)('offer the observed encodings of $path', ({ path, fallback, encodings }) => {
		const offered = endpoints.find((endpoint) => endpoint.path === path);
		expect(offered?.fallback).toBe(fallback);
		expect([...(offered?.encodings ?? [])].sort()).toEqual([...encodings].sort());
	});
});

describe('GET', () => {
	it.each(calls)('$path answers encoding=$encoding', async ({ path, example, encoding }) => {
		const reply = await utilities.call(`${example}&encoding=${encoding}`);
		if (encoding !== 'image') expect(reply.status).toBe(200);
		expectations[encoding](reply, path);
	});

	it.each(endpoints)(
		'$path answers $fallback by default and for every encoding that it does not offer',
		async ({ path, example, fallback, encodings }) => {
			const byDefault = await utilities.call(example);
			(expectations[fallback] ?? expectFile(fallback))(byDefault, path);
			const others = allEncodings.filter((encoding) => !encodings.includes(encoding as Encoding));
			for (const encoding of others) {
				const { status, contentType, text } = await utilities.call(`${example}&encoding=${encoding}`);
				expect({ encoding, status, contentType, text }).toEqual({
					encoding,
					status: 200,
					contentType: byDefault.contentType,
					text: byDefault.text,
				});
			}
		},
	);
});

describe.each(observations.filter(({ shape }) => shape !== undefined))('GET $path', ({ path, shape }) => {
	it('returns every observed field with its observed type', async () => {
		const { data } = envelopeOf(await utilities.call(`${exampleOf(path)}&encoding=json`));
		expect(differences(data, shape!, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});
});
