import type { FastifyInstance } from 'fastify';
import { XMLValidator } from 'fast-xml-parser';
import { type Encoding, endpoints, type Shape } from './endpoints';
import { type Envelope, startUtilities } from './gateway';

const json = 'application/json; charset=UTF-8';
const plainText = 'text/plain; charset=UTF-8';

let app: FastifyInstance;
beforeAll(async () => {
	app = await startUtilities();
});
afterAll(async () => await app.close());

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
		return value === null || ['string', 'number'].includes(typeof value) ? [] : [`${place} is ${typeof value}`];
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

const isGif = (bytes: Buffer) => bytes.toString('latin1', 0, 6) === 'GIF87a';
const isPng = (bytes: Buffer) => bytes.toString('latin1', 0, 8) === '\u0089PNG\r\n\u001a\n';

const calls = endpoints.flatMap(({ path, query, fallback, encodings }) => [
	...encodings.map((encoding) => ({ path, query, encoding: encoding as string, kind: encoding as string })),
	...['html', 'image', 'image-proxy', 'text-detail', 'bogus', 'JSON', ''].flatMap((encoding) =>
		encodings.includes(encoding as Encoding) ? [] : [{ path, query, encoding, kind: fallback as string }],
	),
]);

const expectations: Record<string, (response: Awaited<ReturnType<FastifyInstance['inject']>>, path: string) => void> = {
	json: (response) => {
		expect(response.headers['content-type']).toBe(json);
		const envelope = response.json<Envelope>();
		expect(Object.keys(envelope)).toEqual(['code', 'message', 'data']);
		expect(envelope.code).toBe(200);
		expect(envelope.message).toMatch(/^获取成功/);
		expect(envelope.data).not.toBeNull();
	},
	text: (response) => {
		expect(response.headers['content-type']).toBe(plainText);
		expect(response.body.trim()).not.toBe('');
		expect(response.body).not.toMatch(/undefined|NaN|"code":/);
	},
	markdown: (response) => {
		expect(response.headers['content-type']).toBe(plainText);
		expect(response.body).toMatch(/^# \S/);
		expect(response.body).not.toMatch(/undefined|NaN/);
	},
	html: (response) => {
		expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(response.body).toMatch(/^<!DOCTYPE html>\n<html lang="zh-CN">/);
		const markup = response.body.replace('<!DOCTYPE html>', '').replace(/<meta([^>]*)>/g, '<meta$1/>');
		expect(XMLValidator.validate(markup)).toBe(true);
	},
	image: (response, path) => {
		if (path.endsWith('/qrcode')) {
			expect(response.headers['content-type']).toBe('image/gif');
			expect(isGif(response.rawPayload)).toBe(true);
		} else {
			expect(response.statusCode).toBe(302);
			expect(response.headers['content-type']).toBe(plainText);
			expect(response.body).toBe(`Redirecting to ${response.headers.location}.`);
		}
	},
	'image-proxy': (response) => {
		expect(response.headers['content-type']).toBe('image/png');
		expect(isPng(response.rawPayload)).toBe(true);
	},
	xml: (response) => {
		expect(response.headers['content-type']).toBe('application/xml');
		expect(XMLValidator.validate(response.body)).toBe(true);
	},
};
expectations['text-detail'] = expectations['text']!;

it('knows the 58 paths of the interface', () => {
	expect(new Set(endpoints.map(({ path }) => path)).size).toBe(58);
});

it.each(calls)('$path?$query answers encoding=$encoding as $kind', async ({ path, query, encoding, kind }) => {
	const response = await app.inject(`${path}?${query}&encoding=${encoding}`);
	if (kind !== 'image') expect(response.statusCode).toBe(200);
	expectations[kind]!(response, path);
});

describe.each(endpoints.filter(({ shape }) => shape !== undefined))('$path', ({ path, query, shape }) => {
	it('has every field that was seen, of the type that was seen', async () => {
		const response = await app.inject(`${path}?${query}&encoding=json`);
		const { data } = response.json<Envelope>();
		expect(differences(data, shape!, 'data')).toEqual([]);
		if (Array.isArray(data)) expect(data.length).toBeGreaterThan(0);
	});

	it('gives times as 13-digit milliseconds', async () => {
		const response = await app.inject(`${path}?${query}&encoding=json`);
		for (const time of timestamps(response.json<Envelope>().data)) {
			expect(Number.isInteger(time)).toBe(true);
			expect(String(time)).toMatch(/^\d{12,13}$/);
		}
	});

	it('answers the same request the same way', async () => {
		const other = await startUtilities();
		const [first, second] = await Promise.all(
			[app, other].map(async (server) => (await server.inject(`${path}?${query}&encoding=json`)).body),
		);
		expect(second).toBe(first);
		await other.close();
	});
});
