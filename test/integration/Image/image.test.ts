import { PNG } from 'pngjs';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { fileBytes, storedFile } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

const GENERATE = 'POST /v1/images/generations';
/** Path of the emulator's image files. */
const FILES = 'GET /__emulator/files/images/*';

const image = useNode('image', {
	operation: 'generate',
	model: chosen('image-2'),
	prompt: '={{ $json.prompt }}',
	size: '512',
});
const draw = async (
	parameters: object = {},
	input: INodeExecutionData[] = [{ json: { prompt: 'A red fox' } }],
) => await image.run(parameters, {}, { input });
const shape = (images: Rule['images'], rest: Rule = {}) =>
	image.emulator.behaviour.set(GENERATE, { images, ...rest });

describe('Request for an image', () => {
	it.each([
		['neither', {}, '2K', undefined],
		['both', { aspectRatio: '16:9', imageSize: '512' }, '512', { aspect_ratio: '16:9', image_size: '512' }],
		['a temperature of 0', { options: { temperature: 0 } }, '2K', { temperature: 0 }],
		[
			'what Extra Body Fields sets there, which overrides the parameter',
			{
				referenceImages: { image: [{ source: 'url', url: 'https://example.com/a.png' }] },
				options: { extraBodyFields: { extra_fields: { reference_images: ['b'], seed: 7 } } },
			},
			'2K',
			{ reference_images: ['b'], seed: 7 },
		],
		['an empty resolution', { imageSize: '={{ "" }}', aspectRatio: '1:1' }, '2K', { aspect_ratio: '1:1' }],
		['a resolution from an expression', { imageSize: '={{ "1k" }}' }, '1K', { image_size: '1K' }],
		['a custom resolution', { imageSize: 'custom', customImageSize: ' 8k ' }, '8K', { image_size: '8K' }],
	])('contains what is set of its extra_fields: %s', async (_what, parameters, size, fields) => {
		await draw({ size: 'ratio', aspectRatio: '', ...parameters });
		const more = fields && { extra_fields: fields };
		expect(image.sent(GENERATE)).toEqual([{ model: 'image-2', prompt: 'A red fox', size, ...more }]);
	});

	it('contains reference images from addresses, data URIs, and files in order', async () => {
		const bytes = Buffer.from(`89504e470d0a1a0a${'ab'.repeat(100_000)}`, 'hex');
		const PHOTO = Buffer.from(`ffd8ffe0${'ab'.repeat(100)}`, 'hex');
		const uri = 'data:image/gif;base64,R0lG\nODlh';
		const references = [
			{ source: 'url', url: 'https://example.com/style.png' },
			{ source: 'binary', binaryPropertyName: 'sketch，photo, ' },
			{ source: 'binary', binaryPropertyName: '={{ Object.keys($binary).slice(1) }}' },
			{ source: 'binary', binaryPropertyName: '={{ [] }}' },
			{ source: '={{ "URL or Data URI" }}', url: uri },
			{ source: 'url', url: '={{ $json.more }}' },
		];
		await draw({ referenceImages: { image: references }, downloadImages: false }, [
			{
				json: { prompt: 'A red fox', more: ['https://example.com/a.png', 'https://example.com/b.png'] },
				binary: {
					sketch: await storedFile(bytes, 'sketch.png', 'application/octet-stream'),
					photo: await storedFile(PHOTO, 'photo.jpg', 'image/jpeg'),
				},
			},
		]);
		expect(image.sent(GENERATE)).toEqual([
			expect.objectContaining({
				extra_fields: {
					reference_images: [
						'https://example.com/style.png',
						`data:image/png;base64,${bytes.toString('base64')}`,
						...[PHOTO, PHOTO].map((photo) => `data:image/jpeg;base64,${photo.toString('base64')}`),
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
			'an invalid reference image',
			{ referenceImages: { image: [{ source: 'url', url: 'sketch.png' }] } },
			'Reference Images is neither a web address nor a data URI ("sketch.png")',
		],
	])('is not sent with %s', async (_what, parameters, message) => {
		const { error } = await draw(parameters);
		expect(error?.message).toBe(message);
		expect(image.emulator.journal.count()).toBe(0);
	});
});

describe('Response with images', () => {
	it.each(['url', 'b64_json', 'dataUri'] as const)(
		'becomes one item for each image as %s',
		async (answerAs) => {
			shape({ answerAs, count: 3, emptyFields: true, usage: true, fileBytes: 40_000 });
			const { items, saved } = await draw();
			expect(saved).not.toContain('iVBORw0KGgo');
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

	it('has files with the name of File Name, and without a second extension', async () => {
		const names = ['png', 'JPG', 'jpeg', 'webp', 'gif', 'avif'].map((extension) => ` fox.${extension} `);
		const input = names.map((name) => ({ json: { prompt: 'A red fox', name } }));
		const { items } = await draw({ options: { fileName: '={{ $json.name }}' } }, input);
		expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(names.map(() => 'fox.png'));
	});

	it('has files with different names, whether they are short or long', async () => {
		const [short, long] = [40, 40_000].map((length) => ({
			b64_json: `iVBORw0KGgoAAAAN${Buffer.alloc(length, 1).toString('base64')}`,
		}));
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data: [short, long, short, long] } });
		const { items } = await draw();
		expect(new Set(items.map(({ binary }) => binary!.data.fileName)).size).toBe(4);
	});

	it('counts as one whatever it says besides, because its images are paid for', async () => {
		const png = PNG.sync.write(new PNG({ width: 2, height: 3 }));
		const file = Buffer.concat([png, Buffer.alloc(20_000)]).toString('base64');
		const body = { data: [{ b64_json: file }], success: false, error: { message: 'Slow down' } };
		image.fail(GENERATE, { kind: 'status', status: 200, body });
		const { items, error } = await draw();
		expect(error).toBeUndefined();
		expect(items.map((item) => item.json)).toMatchObject([{ width: 2, height: 3 }]);
	});

	it('has a problem if a filter has flagged it', async () => {
		const png = PNG.sync.write(new PNG({ width: 2, height: 3 })).toString('base64');
		const data = ['success', 'content_filtered'].map((reason) => ({ b64_json: png, finish_reason: reason }));
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data } });
		const { items } = await draw({ size: '2K' });
		const flagged = 'A safety filter has flagged the image, so it may be blurred or black';
		expect(items.map(({ json }) => JSON.stringify(json).includes(flagged))).toEqual([false, true]);
	});

	it('has its whole address, also if the gateway sends only a path', async () => {
		const links = ['/files/1.png', 'https://cdn.example/ä 1.png'];
		const data = links.map((url, index) => ({ url, revised_prompt: `Fox ${index}` }));
		image.fail(GENERATE, { kind: 'status', status: 200, body: { created: 1_700_000_000, data } });
		const { items } = await draw({ downloadImages: false });
		const created = '2023-11-14T22:13:20.000Z';
		const facts = [0, 1].map((index) => ({ created, revisedPrompt: `Fox ${index}` }));
		expect(items.map(({ json }) => json)).toMatchObject(facts);
		const { baseUrl } = image.credential();
		expect(items.map(({ json }) => json.url)).toEqual([`${baseUrl}/files/1.png`, links[1]]);
	});

	it('is in the details as it was sent if none of its files is an image at a known place', async () => {
		const file = PNG.sync.write(new PNG({ width: 2, height: 3 }));
		const picture = Buffer.concat([file, Buffer.alloc(20_000)]).toString('base64');
		const body = { output: { results: [{ picture }] } };
		image.fail(GENERATE, { kind: 'status', status: 200, body });
		const { error } = await draw();
		expect(error?.context.data).toMatchObject({ partial: { answer: JSON.stringify(body) } });
	});

	it('has its entries without an image beside each image without Simplify, and a hint names them', async () => {
		const file = PNG.sync.write(new PNG({ width: 2, height: 3 })).toString('base64');
		const facts = { url: 'https://a.example/1.png', seed: 7 };
		const data = [{ error: 'Moderated' }, { b64_json: file, ...facts, revised_prompt: '' }];
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data } });
		const { items, hints } = await draw({ simplify: false });
		expect(items.map(({ json }) => json.data)).toEqual([[facts, data[0]]]);
		expect(hints.join()).toContain('data.0: Moderated');
	});

	it('is a file if it has no address, also with Download Images off', async () => {
		const file = PNG.sync.write(new PNG({ width: 2, height: 3 })).toString('base64');
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data: [{ b64_json: file }] } });
		const { items } = await draw({ downloadImages: false });
		expect(items[0].binary?.data.fileSize).toBeDefined();
	});

	it('has a warning, and says in its item, if it has not the size that was asked for', async () => {
		const file = PNG.sync.write(new PNG({ width: 2, height: 3 })).toString('base64');
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data: [{ b64_json: file }] } });
		const { items, hints } = await draw({ size: '1024x1024' });
		expect(items[0].json.problem).toContain('2 × 3');
		expect(hints.join()).toContain('2 × 3');
	});

	it.each(['url', 'b64_json'] as const)(
		'is not downloaded again by Retry if only its name is another one: %s',
		async (answerAs) => {
			shape({ answerAs, fileBytes: 40_000 }, { faults: [{ kind: 'status', status: 400, when: 'Row 2' }] });
			const input = ['Row 1', 'Row 2'].map((prompt) => ({ json: { prompt } }));
			const options = { fileName: '={{ $json.prompt }} of {{ $execution.id }}' };
			const failed = await draw({ options }, input);
			image.emulator.journal.clear();
			const run = { credential: image.credential(), executionId: 'retry' };
			const { items } = await retryRun(image.workflow({ options }), failed, run);
			expect(items.map(({ binary }) => binary!.data.fileName)).toEqual(
				['Row 1', 'Row 2'].map((row) => `${row} of retry.png`),
			);
			expect(image.emulator.journal.count(GENERATE)).toBe(1);
			expect(image.emulator.journal.count(FILES)).toBe(answerAs === 'url' ? 1 : 0);
		},
	);

	it('is requested again by Retry if one of its images cannot be used', async () => {
		const [png, text] = [PNG.sync.write(new PNG({ width: 2, height: 3 })), Buffer.from('No image today')];
		const data = [png, text].map((bytes) => ({ b64_json: bytes.toString('base64') }));
		image.fail(GENERATE, { kind: 'status', status: 200, body: { data } });
		const failed = await draw();
		expect(failed.error?.context.data).toMatchObject({ partial: { image: 2, images: 2 } });
		const run = { credential: image.credential(), executionId: 'retry' };
		const { items } = await retryRun(image.workflow(), failed, run);
		expect(items).toHaveLength(1);
		expect(image.sent(GENERATE)).toHaveLength(2);
	});
});

const rowsOf = (items: INodeExecutionData[]) =>
	items.map(({ pairedItem }) => (pairedItem as { item: number }).item);
/** Draws the prompts of some rows; those that fail go to the second output. */
const drawRows = async (rows: number, parameters: object = {}) =>
	await image.run(
		parameters,
		{ onError: 'continueErrorOutput' },
		{ input: Array.from({ length: rows }, (_, row) => ({ json: { prompt: `Row ${row}.` } })) },
	);
const detailsOf = ({ json }: INodeExecutionData) => json.details as Record<string, unknown>;

describe('Download of an image', () => {
	it.each([
		[true, 'inputTokens'],
		[false, 'usage'],
	])('fails for one of three without affecting the others (Simplify %s)', async (simplify, tokens) => {
		image.emulator.behaviour.set(GENERATE, { images: { count: 3, usage: true } });
		image.fail(FILES, { kind: 'status', status: 410 });
		const { outputs } = await drawRows(1, { simplify });
		// Only the first of the others has the tokens of the whole response.
		expect(outputs[0].map(({ json }) => tokens in json)).toEqual([true, false]);
		expect(outputs[1].map((item) => detailsOf(item).partial)).toEqual([
			{ url: expect.stringMatching(/\.png$/), image: 1, images: 3 },
		]);
		expect(rowsOf([...outputs[0], ...outputs[1]])).toEqual([0, 0, 0]);
	});
});

describe('Documented image failure', () => {
	it.each([
		['noImage', /^The model returned no image/, 'Reference Images', 2],
		['uploadFailed', /^The image was generated, but the gateway could not store it/, 'a few minutes', 2],
		['noChoices', /^The model returned an empty response.*safety filter/, 'Change Prompt', 1],
	] as const)(
		'has its own advice for %s, and is sent again only if the user wants that',
		async (reason, message, advice, requests) => {
			image.fail(GENERATE, { kind: 'imageFailure', reason, times: 'always' });
			for (const retryUnclear of [false, true]) {
				image.emulator.journal.clear();
				const options = { maxRetries: 1, retryUnclear };
				const { outputs } = await drawRows(1, { options });
				const [item] = outputs[1];
				const details = detailsOf(item);
				expect(item.json.error).toMatch(message);
				expect(item.json.error).toContain(`: ${details.gatewayMessage as string}`);
				expect(details.description).toContain(advice);
				expect(details.description).toContain('charged for it');
				expect(details.charge).toBe('possible');
				const expected = retryUnclear ? requests : 1;
				expect(details.attempts).toBe(expected);
				expect(image.emulator.journal.count(GENERATE)).toBe(expected);
			}
		},
	);
});
