import { explainImageFailure } from '../../../nodes/Image/imageFailure';
import { documentedReason, NO_CHOICES, NO_IMAGE, NOT_UPLOADED } from '../../../nodes/shared/errors/meaning';
import { readAspectRatio } from '../../../nodes/Image/operations/generate.fields';
import { receive, requestBody, type ImageOrder } from '../../../nodes/Image/generate';
import { readImages } from '../../../nodes/Image/readImages';
import { fileNameFrom, firstWords } from '../../../nodes/shared/files/storeFile';
import { detectMediaType, mediaTypeOfFile } from '../../../nodes/shared/files/mediaTypes';
import { statusFailure } from '../../../nodes/shared/errors/statusFailure';

const order: ImageOrder = {
	model: 'image-2',
	prompt: 'A fox',
	size: '2K',
	aspectRatio: undefined,
	imageSize: undefined,
	temperature: undefined,
	references: [],
};

describe('Body of an image request', () => {
	it('has no extra_fields when none of them is set', () => {
		expect(requestBody(order)).toEqual({ model: 'image-2', prompt: 'A fox', size: '2K' });
		expect(requestBody(order, { seed: 7 })).not.toHaveProperty('extra_fields');
	});

	it.each<[string, Partial<ImageOrder>, object]>([
		['an aspect ratio', { aspectRatio: '16:9' }, { aspect_ratio: '16:9' }],
		['an image size', { imageSize: '4K' }, { image_size: '4K' }],
		['a temperature of 0', { temperature: 0 }, { temperature: 0 }],
		[
			'reference images',
			{ references: ['https://x.example/a.png'] },
			{ reference_images: ['https://x.example/a.png'] },
		],
	])('contains only %s in extra_fields when nothing else is set', (_what, part, extraFields) => {
		expect(requestBody({ ...order, ...part }).extra_fields).toEqual(extraFields);
	});

	it('contains the extra body fields in place of its own fields', () => {
		const body = requestBody(
			{ ...order, temperature: 1 },
			{ size: '4K', n: 2, extra_fields: { temperature: 0.2, seed: 7 } },
		);
		expect(body).toEqual({
			model: 'image-2',
			prompt: 'A fox',
			size: '4K',
			n: 2,
			extra_fields: { temperature: 0.2, seed: 7 },
		});
	});
});

describe('readAspectRatio', () => {
	it('accepts white space and rejects other formats', () => {
		expect(readAspectRatio('')).toBeUndefined();
		expect(readAspectRatio(' 16 : 9 ')).toBe('16:9');
		for (const text of ['16x9', '16:', '0:1', 'wide', '1.5:1', '16:9:4']) {
			expect(() => readAspectRatio(text)).toThrow(/^Aspect Ratio is "/);
		}
	});
});

describe('Documented image failure', () => {
	it('has its own message', () => {
		const failures = [
			'no base64 image found in response',
			'Failed to upload image: 507',
			'chat response contains no choices (request id: 1)',
			'model overloaded',
		].map((gatewayMessage) => statusFailure({ status: 500, gatewayMessage }));
		const reasons = failures.map(({ facts }) => documentedReason(facts));
		expect(reasons).toEqual([NO_IMAGE, NOT_UPLOADED, NO_CHOICES, undefined]);
		const explained = failures.map(explainImageFailure);
		expect(explained[3]).toBe(failures[3]);
		expect(new Set(explained.map(({ message }) => message)).size).toBe(4);
		expect(new Set(explained.map(({ description }) => description)).size).toBe(4);
		expect(explained.map(({ facts }) => facts.status)).toEqual([500, 500, 500, 500]);
	});
});

describe('File name of an image', () => {
	it.each([
		['A red fox, oil on canvas', 'A red fox, oil on canvas.png'],
		['../..', 'image.png'],
		[' . hidden', 'hidden.png'],
		['con', 'image.png'],
		['雪'.repeat(200), `${'雪'.repeat(60)}.png`],
		['one two three four five six seven eight nine', 'one two three four five six seven eight.png'],
		['a\u0000b\nc:d*e?f"g<h>i|j', 'a b c d e f g h i j.png'],
	])('is derived from the prompt %j (%j)', (prompt, expected) => {
		const name = fileNameFrom(firstWords(prompt), 'image', 'png');
		expect(name).toBe(expected);
		expect(Buffer.byteLength(name)).toBeLessThan(255);
	});

	it('has at most 255 bytes, whatever the prompt consists of', () => {
		for (const letter of ['x', '雪', '𝒳', 'e\u0301']) {
			const name = fileNameFrom(letter.repeat(300), 'image', 'webp');
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
			expect([...name].length).toBeGreaterThan(60);
		}
	});
});

describe('An image of a response', () => {
	it('may have a field that cannot become text', async () => {
		const entry = {
			url: 'https://files.example/a',
			b64_json: '',
			revised_prompt: '',
			more: { toString: null },
		};
		const [image] = readImages({ data: [entry] }, () => false).images;
		const { facts, url } = await receive(undefined as never, {}, image, 0, false);
		expect(url).toBe('https://files.example/a');
		expect(facts).toEqual({ url: entry.url, more: entry.more });
	});
});

describe('detectMediaType', () => {
	it('distinguishes AVIF from MP4 audio by its brand', () => {
		const avif = Buffer.from('\0\0\0\x20ftypavif\0\0\0\0', 'latin1');
		expect(mediaTypeOfFile('', avif)).toEqual({ mimeType: 'image/avif', extension: 'avif' });
		expect(detectMediaType(Buffer.from('\0\0\0\x20ftypM4A \0\0', 'latin1'))).toBe('audio/mp4');
	});
});
