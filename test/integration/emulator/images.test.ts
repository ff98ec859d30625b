import axios from 'axios';
import { PNG } from 'pngjs';
import { startEmulator, type Emulator } from '../../../emulator';

const GENERATE = 'POST /v1/images/generations';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.journal.clear();
});

const body = { model: 'image-2', prompt: 'A fox', size: '512' };
const generate = async (sent: object = body, key = emulator.apiKey) =>
	await axios.post(`${emulator.url}/v1/images/generations`, sent, {
		headers: { authorization: `Bearer ${key}` },
		validateStatus: () => true,
	});
const fetchImage = async (url: string) =>
	Buffer.from((await axios.get<ArrayBuffer>(url, { responseType: 'arraybuffer' })).data);
const draw = async (extra: object = {}) => {
	const { data } = await generate({ ...body, ...extra });
	return await fetchImage(data.data[0].url);
};
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('POST /v1/images/generations', () => {
	it('returns the documented response, with an address on another origin that needs no key', async () => {
		const { status, data } = await generate();
		expect(status).toBe(200);
		expect(data).toEqual({ created: expect.any(Number), data: [{ url: expect.stringMatching(/\.png$/) }] });
		expect(new URL(data.data[0].url).origin).not.toBe(emulator.url);
		const { width, height } = PNG.sync.read(await fetchImage(data.data[0].url));
		expect([width, height]).toEqual([512, 512]);
	});

	it.each<[string, object, number[]]>([
		['keeps the pixels of a mapped size', { size: '1024x1792' }, [1024, 1792]],
		[
			'keeps the pixels of a mapped size with only an aspect ratio',
			{ size: '1024x1024', extra_fields: { aspect_ratio: '16:9' } },
			[1024, 1024],
		],
		[
			'overrides a mapped size with an aspect ratio and an image size',
			{ size: '1024x1024', extra_fields: { aspect_ratio: '1:1', image_size: '512' } },
			[512, 512],
		],
		['uses the default for a size that is not in the table', { size: '640x480' }, [2048, 2048]],
		['shapes a native size', { size: '512', extra_fields: { aspect_ratio: '1:4' } }, [256, 1024]],
		['skips other fields', { size: '512', extra_fields: { aspect_ratio: 'wide', seed: 7 } }, [512, 512]],
	])('%s', async (_rule, extra, expected) => {
		expect(sizeOf(await draw(extra))).toEqual(expected);
	});

	it('rejects an invalid key and returns the documented failures', async () => {
		expect((await generate(body, 'wrong')).status).toBe(401);
		const failures: string[] = [];
		for (const reason of ['noImage', 'uploadFailed', 'noChoices'] as const) {
			emulator.behaviour.set(GENERATE, { faults: [{ kind: 'imageFailure', reason }] });
			const { status, data } = await generate();
			expect(status).toBe(500);
			failures.push(data.error.message);
		}
		expect(failures).toEqual([
			'no base64 image found in response',
			'failed to upload image',
			'chat response contains no choices',
		]);
		const references = { extra_fields: { reference_images: ['https://gone.invalid/a.png'] } };
		expect((await generate({ ...body, ...references })).data.error.message).toBe(failures[0]);
	});
});
