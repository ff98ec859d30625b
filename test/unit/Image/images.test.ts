import { pixelsOf } from '../../../nodes/Image/imageFiles';
import { filterWarning, listsImageFile, readImages } from '../../../nodes/Image/readImages';
import { explainImageFailure, imageUsage, type ImageOrder, requestBody } from '../../../nodes/Image/generate';
import { readAspectRatio, sizeWarning } from '../../../nodes/Image/operations/generate.fields';
import { OptionalFields } from '../../../nodes/shared/answer/optionalFields';
import { toFailure } from '../../../nodes/shared/failure/failure';
import { fileNameFrom, firstWords } from '../../../nodes/shared/files/storeFile';

const URL = 'http://files.example/a.png';
const BASE64 = Buffer.from('GIF89a…').toString('base64');
const isKey = (text: string) => text.startsWith('key/');
const read = (body: unknown) => readImages(body, isKey);

describe('Images of a response', () => {
	it.each<[unknown]>([
		[{ data: [{ url: URL }] }],
		[{ data: [URL] }],
		[{ url: URL }],
		[[{ url: URL }]],
		[{ image: URL }],
		[{ data: URL }],
		[{ data: { url: URL } }],
		[{ result: { image_url: URL } }],
		[{ code: 0, data: { image: { url: URL } } }],
		[{ output: URL }],
		[{ data: { image_urls: [URL] } }],
		[{ data: [{ image_url: { url: URL } }] }],
	])('have an address in %j', (body) =>
		expect(read(body).images).toMatchObject([{ url: URL, inline: undefined }]),
	);

	it.each<[unknown]>([
		[{ data: [BASE64] }],
		[{ artifacts: [{ base64: BASE64 }] }],
		[{ predictions: [{ bytesBase64Encoded: BASE64 }] }],
		[{ data: { image_base64: [BASE64] } }],
		[{ result: { image: BASE64 }, success: true }],
	])('have content in %j', (body) =>
		expect(read(body).images).toMatchObject([{ url: undefined, inline: BASE64 }]),
	);

	it('come from the field for images, not from another long text', () => {
		const [image] = read({ data: [{ thumbnail: 'key/0', b64_json: 'key/1', note: 'kept' }] }).images;
		expect(image).toMatchObject({ key: 'key/1', facts: { note: 'kept' } });
		expect(image.facts).toEqual({ note: 'kept' });
	});

	it('come from their address, not from another file beside it', () => {
		const body = { data: [{ url: URL, thought_signature: 'key/0' }] };
		expect(read(body).images).toMatchObject([{ url: URL, key: undefined }]);
		expect(listsImageFile(body, isKey)).toBe(false);
	});

	it.each<[object]>([
		[
			{
				candidates: [
					{
						content: {
							parts: [{ text: 'A fox', thoughtSignature: 'key/1' }, { inlineData: { data: 'key/0' } }],
						},
					},
				],
			},
		],
		[
			{
				choices: [
					{ message: { content: 'A fox', secret: 'key/1', images: [{ image_url: { url: 'key/0' } }] } },
				],
			},
		],
	])('are the stored images of a chat answer: %j', (body) => {
		const { images, others } = readImages(body, isKey, ['key/0']);
		expect(images).toMatchObject([{ key: 'key/0', facts: {} }]);
		expect(JSON.stringify(others)).toContain('A fox');
		expect(JSON.stringify(others)).not.toContain('key/');
		expect(() => read(body)).toThrow('contains no image');
		expect(() => readImages({ input: body }, isKey, ['key/0'])).toThrow('contains no image');
	});

	it('have nothing beside them that stands for a file', () => {
		const body = { data: [{ b64_json: 'key/0' }], preview: 'key/1', seed: 7 };
		expect(read(body)).toMatchObject({ images: [{ key: 'key/0' }] });
		expect(read(body).others).toEqual({ seed: 7 });
		expect(read({ output: URL, seed: 7 }).others).toEqual({ seed: 7 });
	});

	it('are a result if one is listed that was stored', () => {
		for (const content of ['key/0', BASE64]) {
			expect(listsImageFile({ error: 'Slow', data: [null, { b64_json: content }] }, isKey)).toBe(true);
		}
		for (const field of ['trace', 'image']) {
			expect(listsImageFile({ error: 'No', [field]: 'key/0', data: [] }, isKey)).toBe(false);
		}
	});

	const FILTERED = { finish_reason: 'content_filtered' };

	it('are those that can be read; the others are named, with their words', () => {
		const body = { created: 7, images: [null, { url: URL }, { error: { message: 'Unsafe' } }, FILTERED] };
		expect(read(body)).toMatchObject({
			images: [{ url: URL }],
			leftOut: ['images.0', 'images.2: Unsafe', 'images.3: content_filtered'],
			others: { created: 7, images: [null, { error: { message: 'Unsafe' } }, FILTERED] },
		});
	});

	it.each<[unknown, string]>([
		[{}, 'the field "data"'],
		[{ data: 'Moderated' }, 'contains no image'],
		[{ data: [], message: 'Moderated' }, ': Moderated'],
		[{ data: [{ error: { message: 'Unsafe' } }] }, ': Unsafe'],
	])('are missing in %j', (body, words) => expect(() => read(body)).toThrow(words));

	const candidate = (finishReason: string, others: object = {}) => ({
		candidates: [{ content: {}, finishReason, ...others }],
	});

	it.each<[object, string]>([
		// vercel/ai, google-image-no-image-live.json and issue-19758-image-prompt-block.json.
		[candidate('NO_IMAGE'), 'The model returned no image: NO_IMAGE'],
		[{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'its safety filter: PROHIBITED_CONTENT'],
		[candidate('IMAGE_SAFETY', { finishMessage: 'Odd' }), 'its safety filter: IMAGE_SAFETY: Odd'],
		[candidate('IMAGE_PROHIBITED_CONTENT'), 'its safety filter: IMAGE_PROHIBITED_CONTENT'],
		[candidate('SAFETY'), 'its safety filter: SAFETY'],
		// Imagen (js-genai#321).
		[
			{ predictions: [{ raiFilteredReason: 'All images were filtered out' }] },
			'its safety filter: All images',
		],
		// StepFun, NVIDIA NIM, Stability AI in Amazon Bedrock.
		[{ data: [{ finish_reason: 'content_filtered', seed: 7 }] }, 'its safety filter: content_filtered'],
		[{ artifacts: [{ finishReason: 'CONTENT_FILTERED', base64: '' }] }, 'its safety filter: CONTENT_FILT'],
		[{ finish_reasons: ['Filter reason: prompt'], images: [] }, 'its safety filter: Filter reason: prompt'],
		[{ data: [{ finish_reason: 'success' }] }, 'neither the address nor the content of an image'],
		[candidate('STOP'), 'it contains no image, for example in the field "data"'],
		[candidate('MAX_TOKENS'), 'it contains no image, for example in the field "data": MAX_TOKENS'],
	])('are missing for a reason of Google or another service: %j', (body, words) => {
		const explained = () => {
			try {
				return read(body);
			} catch (error) {
				throw explainImageFailure(toFailure(error));
			}
		};
		expect(explained).toThrow(words);
	});
});

it.each<[object, boolean[]]>([
	// StepFun, Stability AI, fal, DeepInfra.
	[
		{
			data: [
				{ url: URL, finish_reason: 'content_filtered' },
				{ url: URL, finish_reason: 'success' },
			],
		},
		[true, false],
	],
	[{ image: BASE64, finish_reason: 'CONTENT_FILTERED', seed: 7 }, [true]],
	[{ image: BASE64, finish_reason: 'SUCCESS', seed: 7 }, [false]],
	[{ images: [{ url: URL }, { url: URL }], has_nsfw_concepts: [false, true] }, [false, true]],
	[{ images: [URL], nsfw_content_detected: [true] }, [true]],
	[{ images: [BASE64], finish_reasons: [null] }, [false]],
	[{ data: [{ url: URL, revised_prompt: 'A content_filtered fox' }] }, [false]],
])('An image that a filter may have changed is warned of: %j', (body, warned) => {
	const answer = read(body);
	expect(warned.map((_, index) => filterWarning(answer, index) !== undefined)).toEqual(warned);
});

describe('The size of an image', () => {
	it.each([
		['PNG', '', '89504e470d0a1a0a0000000d4948445200000200000001000806000000000000'],
		...['GIF87a', 'GIF89a'].map((name) => [name, name, `00020001${'00'.repeat(30)}`]),
		['JPEG', '', `ffd8ffe00004aaaaffc000110801000200${'00'.repeat(30)}`],
		['progressive JPEG', '', `ffd8ffc40004aaaaffc200110801000200${'00'.repeat(30)}`],
		['JPEG with fill bytes', '', `ffd8ffffffc000110801000200${'00'.repeat(30)}`],
		['WebP', 'RIFFxxxxWEBPVP8X', `0a00000000000000ff0100ff0000${'00'.repeat(8)}`],
		['lossless WebP', 'RIFFxxxxWEBPVP8L', `000000002fffc13f00${'00'.repeat(8)}`],
		['lossy WebP', 'RIFFxxxxWEBPVP8 ', `000000000000009d012a00420041${'00'.repeat(8)}`],
	])('is read from the first bytes of a %s', (_format, text, hex) => {
		const bytes = Buffer.concat([Buffer.from(text), Buffer.from(hex, 'hex')]);
		expect(pixelsOf(bytes)).toEqual({ width: 512, height: 256 });
	});

	it('is unknown for other files, and for those that break off', () => {
		expect(pixelsOf(Buffer.from('89504e470d0a1a0a', 'hex'))).toBeUndefined();
		expect(pixelsOf(Buffer.alloc(100))).toBeUndefined();
		expect(pixelsOf(Buffer.from(`ffd8ffe1ffff${'00'.repeat(60)}`, 'hex'))).toBeUndefined();
	});
});

const order: ImageOrder = {
	model: 'image-2',
	prompt: 'A fox',
	size: '2K',
	aspectRatio: undefined,
	imageSize: undefined,
	temperature: undefined,
	references: [],
};

it('The usage of a response has the tokens, and a cost that counts more than that of a header', () => {
	const usage = { input_tokens: '1', output_tokens: 2, total_tokens: 3, cost: 0 };
	const tokens = { inputTokens: 1, outputTokens: 2, totalTokens: 3, cost: 0 };
	expect(imageUsage({ others: { usage }, cost: 0.5 }, new OptionalFields())).toEqual(tokens);
	const costOf = (usage: object) => imageUsage({ others: { usage }, cost: 0.5 }, new OptionalFields()).cost;
	expect([costOf({ cost: 0.25 }), costOf({})]).toEqual([0.25, 0.5]);
	// Gateways that draw through a chat model name them as in chat. LocalAI does not count (nextcloud/integration_openai#290).
	const ofChat = { prompt_tokens: 12, completion_tokens: 1290, total_tokens: 1302 };
	expect(imageUsage({ others: { usage: ofChat } }, new OptionalFields())).toEqual({
		inputTokens: 12,
		outputTokens: 1290,
		totalTokens: 1302,
	});
	const none = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
	expect(imageUsage({ others: { usage: none } }, new OptionalFields()).totalTokens).toBeUndefined();
});

describe('A size that is none of the usual ones', () => {
	const pixels = (width: number, height: number) => ({ data: '', mimeType: 'image/png', width, height });

	it.each([
		['1024x1024', pixels(2048, 2048), undefined],
		['1024x1792', pixels(768, 1344), undefined],
		['1792x1024', undefined, undefined],
		['1024x1792', pixels(1024, 1024), 'The image has 1024 × 1024 pixels, although 1024x1792 was asked for'],
		// The default of the gateway, which is also sent where nobody asks for a resolution.
		['2K', pixels(1024, 1024), undefined],
		// OpenRouterTeam/ai-sdk-provider#269, Open-WebUI-Functions#150.
		['4K', pixels(1024, 1024), 'The image has 1024 × 1024 pixels, although 4K was asked for'],
		['4K', pixels(1408, 768), 'although 4K was asked for'],
		['4K', pixels(5504, 3072), undefined],
		['1K', pixels(1376, 768), undefined],
		['1K', pixels(1536, 1024), undefined],
		['512', pixels(2048, 2048), 'although 512 was asked for'],
		['4K', undefined, undefined],
		['1536x1024', pixels(1536, 1024), undefined],
		['1536 × 1024', pixels(1536, 1024), undefined],
		['1536*1024', pixels(1536, 1024), undefined],
		['99x77', pixels(2048, 2048), 'Size is "99x77"'],
		['99x77', pixels(2048, 2048), 'The image has 2048 × 2048 pixels'],
		['99x77', undefined, 'generates the default resolution (2K)'],
		['8K', { data: '', mimeType: 'image/avif' }, 'generates the default resolution (2K)'],
	])('is warned of unless the image has it: %s, %j', (size, file, words) => {
		const warning = sizeWarning(requestBody({ ...order, size }), file);
		if (words === undefined) expect(warning).toBeUndefined();
		else expect(warning).toContain(words);
	});
});

it.each<[Partial<ImageOrder>, Record<string, unknown>, string | undefined]>([
	[{ aspectRatio: '16:9' }, {}, '16:9'],
	[{ aspectRatio: '1:1' }, {}, undefined],
	[{ imageSize: '2K' }, {}, '2K'],
	[{ aspectRatio: '16:9', imageSize: '2K' }, {}, '16:9 in 2K'],
	[{ aspectRatio: '16:9' }, { extra_fields: { aspect_ratio: '1:1' } }, undefined],
	[{ size: '1024x1024' }, { extra_fields: { aspect_ratio: '16:9' } }, '16:9'],
	[{ size: '1792x1024' }, { size: '1024x1024' }, undefined],
	[{ size: '1024x1024' }, { size: '1792x1024' }, '1792x1024'],
	[{ size: '4K' }, { size: null }, undefined],
])('A square image is warned of if another one was asked for: %j with %j', (parameters, extra, asked) => {
	const file = { data: '', mimeType: 'image/png', width: 1024, height: 1024 };
	const warning = sizeWarning(requestBody({ ...order, ...parameters }, extra), file);
	expect(warning).toBe(asked && `The image has 1024 × 1024 pixels, although ${asked} was asked for`);
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

describe('File name of an image', () => {
	it.each([
		['A red fox, oil on canvas', 'A red fox, oil on canvas.png'],
		['../..', 'image.png'],
		[' . hidden', 'hidden.png'],
		['Wait... what... now?', 'Wait. what. now.png'],
		['雪'.repeat(200), `${'雪'.repeat(60)}.png`],
		['one two three four five six seven eight nine', 'one two three four five six seven eight.png'],
		['a\u0000b\nc:d*e?f"g<h>i|j', 'a b c d e f g h i j.png'],
	])('is derived from the prompt %j (%j)', (prompt, expected) => {
		const name = fileNameFrom(firstWords(prompt), 'image', 'png');
		expect(name).toBe(expected);
		expect(Buffer.byteLength(name)).toBeLessThan(255);
	});
});
