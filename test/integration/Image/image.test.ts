import { PNG } from 'pngjs';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { chosen } from '../engine/chosen';
import { fileBytes, runWorkflow, storedFile } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { FILES, GENERATE, imageNode } from './imageNode';

const gateway = useEmulator();

const draw = async (
	parameters: object = {},
	settings = {},
	input: INodeExecutionData[] = [{ json: { prompt: 'A red fox' } }],
) => await runWorkflow(imageNode(parameters, settings), { credential: gateway.credential(), input });
const shape = (images: Rule['images'], rest: Rule = {}) =>
	gateway.emulator.behaviour.set(GENERATE, { images, ...rest });
const sentBodies = () => gateway.emulator.journal.entries(GENERATE).map(({ body }) => body);

describe('Generate', () => {
	it('outputs an item and a file named after the prompt', async () => {
		shape({ revisedPrompt: true, usage: true });
		const { items, error } = await draw();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(items[0].json).toEqual({
			url: expect.stringMatching(/^http:\/\/localhost:\d+\/.*\.png$/),
			prompt: 'A red fox',
			revisedPrompt: 'A red fox, in soft morning light',
			model: 'image-2',
			mimeType: 'image/png',
			width: 512,
			height: 512,
			bytes: expect.any(Number),
			image: 1,
			images: 1,
			created: expect.stringMatching(/^20\d\d-.*Z$/),
			inputTokens: expect.any(Number),
			outputTokens: expect.any(Number),
			totalTokens: expect.any(Number),
		});
		const file = items[0].binary!.data;
		expect(file).toMatchObject({ mimeType: 'image/png', fileName: 'A red fox.png', fileExtension: 'png' });
		const bytes = await fileBytes(file);
		expect(bytes.length).toBe(items[0].json.bytes);
		expect(PNG.sync.read(bytes)).toMatchObject({ width: 512, height: 512 });
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});
});

describe('Request for an image', () => {
	it.each([
		['1024x1792', 1024, 1792],
		['512', 512, 512],
		['2K', 2048, 2048],
	])('has size %s and no extra_fields', async (size, width, height) => {
		const { items } = await draw({ size });
		expect(sentBodies()).toEqual([{ model: 'image-2', prompt: 'A red fox', size }]);
		const bytes = await fileBytes(items[0].binary!.data);
		expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
	});

	it('contains a custom size unchanged, and is not sent with an empty one', async () => {
		await draw({ size: 'custom', customSize: ' 640x480 ', downloadImages: false });
		expect(sentBodies()).toEqual([{ model: 'image-2', prompt: 'A red fox', size: '640x480' }]);
		const { error } = await draw({ size: 'custom', customSize: '={{ $json.size }}' });
		expect(error?.message).toBe('Custom Size is empty');
	});

	it('contains aspect ratio, image size, and temperature in extra_fields', async () => {
		const { items } = await draw({
			size: 'ratio',
			aspectRatio: '16:9',
			imageSize: '512',
			options: { temperature: 0 },
		});
		expect(sentBodies()).toEqual([
			{
				model: 'image-2',
				prompt: 'A red fox',
				size: '512',
				extra_fields: { aspect_ratio: '16:9', image_size: '512', temperature: 0 },
			},
		]);
		const { width, height } = PNG.sync.read(await fileBytes(items[0].binary!.data));
		expect(width / height).toBeCloseTo(16 / 9, 2);
	});

	it('contains reference images from addresses, data URIs, and files in order', async () => {
		const bytes = Buffer.from(`89504e470d0a1a0a${'ab'.repeat(100_000)}`, 'hex');
		const uri = 'data:image/gif;base64,R0lG\nODlh';
		const references = [
			{ source: 'url', url: 'https://example.com/style.png' },
			{ source: 'binary', binaryPropertyName: 'sketch' },
			{ source: 'url', url: uri },
			{ source: 'url', url: '={{ $json.more }}' },
		];
		await draw({ referenceImages: { image: references }, downloadImages: false }, {}, [
			{
				json: { prompt: 'A red fox', more: ['https://example.com/a.png', 'https://example.com/b.png'] },
				binary: { sketch: await storedFile(bytes, 'sketch.png', 'application/octet-stream') },
			},
		]);
		expect(sentBodies()).toEqual([
			expect.objectContaining({
				extra_fields: {
					reference_images: [
						'https://example.com/style.png',
						`data:image/png;base64,${bytes.toString('base64')}`,
						uri.replace('\n', ''),
						'https://example.com/a.png',
						'https://example.com/b.png',
					],
				},
			}),
		]);
	});

	it.each([
		['an empty prompt', { prompt: ' ' }, 'Prompt is empty'],
		[
			'an aspect ratio in another format',
			{ size: 'ratio', aspectRatio: '16x9' },
			'Aspect Ratio is "16x9", which is not a ratio',
		],
		['no model', { model: chosen('={{ $json.model }}') }, 'Model is empty'],
		['a negative temperature', { options: { temperature: -1 } }, 'Temperature is -1, but must be 0 or more'],
		[
			'an invalid reference image',
			{ referenceImages: { image: [{ source: 'url', url: 'sketch.png' }] } },
			'Reference Images is neither a web address nor a data URI ("sketch.png")',
		],
	])('is not sent with %s', async (_what, parameters, message) => {
		const { error } = await draw(parameters);
		expect(error?.message).toBe(message);
		expect(gateway.emulator.journal.count()).toBe(0);
	});
});

describe('Response with images', () => {
	it.each(['b64_json', 'dataUri'] as const)('becomes a file from %s of any length', async (answerAs) => {
		for (const fileBytes_ of [undefined, 100_000]) {
			shape({ answerAs, fileBytes: fileBytes_ });
			const { items, error, saved } = await draw({ downloadImages: false });
			expect(error).toBeUndefined();
			expect(items[0].json.url).toBeUndefined();
			const file = items[0].binary!.data;
			expect(file).toMatchObject({ mimeType: 'image/png', fileName: 'A red fox.png' });
			const bytes = await fileBytes(file);
			expect(PNG.sync.read(bytes).width).toBe(512);
			expect(saved).not.toContain('iVBORw0KGgo');
			if (fileBytes_) expect(bytes.length).toBe(fileBytes_);
		}
		expect(gateway.emulator.journal.count(FILES)).toBe(0);
	});

	it.each(['url', 'b64_json', 'dataUri'] as const)(
		'becomes one item for each image as %s',
		async (answerAs) => {
			shape({ answerAs, count: 3, emptyFields: true, usage: true, fileBytes: 40_000 });
			const { items } = await draw();
			expect(items.map(({ json }) => [json.image, json.images])).toEqual([
				[1, 3],
				[2, 3],
				[3, 3],
			]);
			expect(items.map(({ binary }) => binary!.data.fileName)).toEqual([
				'A red fox.png',
				'A red fox 2.png',
				'A red fox 3.png',
			]);
			expect(items.map(({ json }) => json.totalTokens !== undefined)).toEqual([true, false, false]);
			expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
			const files = await Promise.all(items.map(async ({ binary }) => await fileBytes(binary!.data)));
			expect(new Set(files.map((bytes) => bytes.toString('base64'))).size).toBe(3);
		},
	);

	it.each([
		['a text', 'text/plain'],
		['a list of addresses', 'text/uri-list'],
		['a JSON string', 'application/json'],
	])('may be only an address: %s', async (what, contentType) => {
		const [{ json }] = (await draw()).items;
		const url = json.url as string;
		const text = what === 'a list of addresses' ? `${url}\r\n${url}\r\n` : url;
		const body = what === 'a JSON string' ? JSON.stringify(url) : text;
		const faults: Rule['faults'] = [{ kind: 'status', status: 200, body, contentType, times: 'always' }];
		gateway.emulator.behaviour.set(GENERATE, { faults });
		for (const simplify of [true, false]) {
			const { items, error } = await draw({ simplify });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(what === 'a list of addresses' ? 2 : 1);
			expect(items[0].json).toMatchObject(simplify ? { url, width: 512 } : { data: [{ url }] });
			expect(PNG.sync.read(await fileBytes(items[0].binary!.data)).width).toBe(512);
		}
		const { items } = await draw({ downloadImages: false });
		expect(items[0].json.url).toBe(url);
		expect(items[0].binary).toBeUndefined();
	});
});
