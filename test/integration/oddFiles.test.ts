import { PNG } from 'pngjs';
import { encode } from '../audioTools';
import { type LocalServer, startLocalServer } from '../localServer';
import { chosen } from './engine/chosen';
import { fileBytes } from './engine/runWorkflow';
import { useNode } from './engine/useNode';

/** What is sent in place of an image or a song, or as one. */
interface Body {
	bytes: Buffer | string;
	type: string;
	status?: number;
	headers?: Record<string, string>;
}

let server: LocalServer;
let file: Body;
/** What the gateway says instead of the file itself. */
let answer: unknown;
/** How often the file was asked for. */
let downloads = 0;
beforeAll(async () => {
	server = await startLocalServer((request, response) => {
		if (answer !== undefined && request.url !== '/file') {
			response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
			return;
		}
		downloads += 1;
		const { bytes, type, status = 200, headers = {} } = file;
		response.writeHead(status, { 'content-type': type, ...headers }).end(bytes);
	});
});
afterAll(async () => await server.close());

const image = useNode('image', {
	operation: 'generate',
	model: chosen('image-2'),
	prompt: 'A fox',
	size: '512',
});
const music = useNode('music', { operation: 'get', taskId: 'a', files: ['audio'] });

async function result(node: typeof image, sent: unknown) {
	answer = sent;
	const credential = { ...node.credential(), baseUrl: server.url };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items, error } = await node.run({ options: { maxRetries: 0 } }, settings, {
		input: [{ json: {} }],
		credential,
	});
	if (error) throw error;
	const { json, binary = {} } = items[0];
	return {
		json,
		files: await Promise.all(Object.values(binary).map(fileBytes)),
		types: Object.values(binary).map(({ mimeType }) => mimeType),
	};
}
const link = () => `${server.url}/file`;
const base64 = () => Buffer.from(file.bytes).toString('base64');
const track = () => ({ id: '1', title: 'Song', audio_url: link(), duration: 1 });

/** Where an image or a song may be. */
const PLACES = {
	'an image as the response': async () => await result(image, undefined),
	'an image behind a link': async () => await result(image, { data: [{ url: link() }] }),
	'an image in Base64': async () => await result(image, { data: [{ b64_json: base64() }] }),
	'an image in a data URI': async () =>
		await result(image, { data: [{ url: `data:${file.type};base64,${base64()}` }] }),
	'a song': async () => await result(music, { data: { task_id: 'a', status: 'SUCCESS', data: [track()] } }),
};
type Place = keyof typeof PLACES;
const places = Object.keys(PLACES) as Place[];
const LINKS: Place[] = ['an image behind a link', 'a song'];

const DENIED =
	'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
const TEXTS: Array<[string, string, string, string]> = [
	['a sentence declared as a file', 'The file has expired.', 'image/png', 'has expired'],
	['a Chinese sentence', '访问被拒绝', 'image/png', '访问被拒绝'],
	['JSON declared as a file', '{"error":{"message":"Moderated"}}', 'image/png', 'Moderated'],
	['AccessDenied as sound', DENIED, 'audio/mpeg', 'AccessDenied'],
	['a web page', '<!doctype html><p>Sign in</p>', 'image/png', 'web page'],
];

describe.each(places)('%s', (place) => {
	it.each(TEXTS)('is not %s', async (_what, bytes, type, words) => {
		file = { bytes, type };
		const { json, files } = await PLACES[place]();
		expect(files).toEqual([]);
		expect(json.error).toBeDefined();
		expect(JSON.stringify(json)).toContain(words);
		if (LINKS.includes(place)) expect(JSON.stringify(json)).toContain(link());
	});
});

const png = PNG.sync.write(new PNG({ width: 2, height: 3 }));
const JPEG_2000 = Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220', 'hex');
const SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';

describe.each(places.slice(0, 4))('%s', (place) => {
	it.each<[string, Buffer | string, string, string]>([
		['a picture declared as text', png, 'text/plain', 'image/png'],
		['a picture declared as another', png, 'image/webp', 'image/png'],
		[
			'a picture of an unknown kind',
			Buffer.concat([JPEG_2000, Buffer.alloc(20_000)]),
			'image/jp2',
			'image/jp2',
		],
		['a drawing that is a text', SVG, 'image/svg+xml', 'image/svg+xml'],
	])('is kept if it is %s', async (_what, bytes, type, mimeType) => {
		file = { bytes, type };
		const { json, files, types } = await PLACES[place]();
		expect(json.error).toBeUndefined();
		expect(files[0].equals(Buffer.from(bytes))).toBe(true);
		if (place !== 'an image in Base64') expect(types).toEqual([mimeType]);
	});
});

it('An image that is the response has the cost that a header reports', async () => {
	file = { bytes: png, type: 'image/png', headers: { 'x-litellm-response-cost': '0.5' } };
	const { json } = await PLACES['an image as the response']();
	expect(json.cost).toBe(0.5);
});

describe.each(LINKS)('%s', (place) => {
	const bytes = place === 'a song' ? encode('mp3', [], 1) : png;

	it('is downloaded again as often as Max Retries says', async () => {
		file = { bytes, type: 'application/octet-stream', status: 503 };
		downloads = 0;
		const { json } = await PLACES[place]();
		expect(json.error).toBeDefined();
		expect(downloads).toBe(1);
	});

	it.each([
		['bytes 0-99/5000', false],
		['bytes 4900-4999/5000', false],
		['', false],
		[`bytes 0-${bytes.length - 1}/${bytes.length}`, true],
		[`bytes 0-${bytes.length - 1}/*`, true],
	])('with status 206 and the range %j is whole: %s', async (range, isWhole) => {
		file = {
			bytes,
			type: 'application/octet-stream',
			status: 206,
			headers: range === '' ? {} : { 'content-range': range },
		};
		const { json, files } = await PLACES[place]();
		expect(files).toHaveLength(isWhole ? 1 : 0);
		if (isWhole) return;
		expect(json.error).toContain('only a part of the file');
		expect(JSON.stringify(json)).toContain(link());
	});
});

it.each([
	['only a tag', Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\0'), Buffer.alloc(256)])],
	['half a frame', encode('mp3', ['-id3v2_version', '0'], 1).subarray(0, 100)],
])('A song that is %s fails, and its link is kept', async (_what, bytes) => {
	file = { bytes, type: 'audio/mpeg' };
	const { json, files } = await PLACES['a song']();
	expect(files).toEqual([]);
	expect(json.error).toContain('without sound');
	expect(JSON.stringify(json)).toContain(link());
});
