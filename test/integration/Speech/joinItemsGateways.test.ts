import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { INodeExecutionData } from 'n8n-workflow';
import { decode, encode } from '../../audioTools';
import { retryRun } from '../engine/retry';
import { chosen } from '../engine/chosen';
import { fileBytes, runWorkflow } from '../engine/runWorkflow';
import { joinItemsWorkflow } from './joinItemsWorkflow';

/** What a gateway answers to a text. */
type Answer = { type: string; body: Buffer | string; status?: number; cutAt?: number };

const AUDIO = 'audio/mpeg';
const mono = encode('mp3', ['-ar', '24000', '-ac', '1', '-b:a', '48k'], 1);
const stereo = encode('mp3', ['-ar', '44100', '-ac', '2', '-b:a', '128k'], 1);
const wav = encode('wav', ['-ar', '24000', '-ac', '1', '-c:a', 'pcm_s16le'], 1);
const tagged = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x01\0', 'latin1'), Buffer.alloc(128, 0xff), mono]);

let server: Server;
let answers: Record<string, Answer | (() => Answer)>;
let asked: string[];

beforeAll(async () => {
	server = createServer((request, response) => {
		void (async () => {
			const { input } = JSON.parse(await text(request)) as { input: string };
			asked.push(input);
			const known = answers[input] ?? { type: AUDIO, body: mono };
			const { type, body, status = 200, cutAt } = typeof known === 'function' ? known() : known;
			response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
			if (cutAt === undefined) return void response.end(body);
			response.write(Buffer.from(body).subarray(0, cutAt), () => response.destroy());
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());
beforeEach(() => {
	answers = {};
	asked = [];
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
let credentials = 0;
const items = (...texts: string[]): INodeExecutionData[] => texts.map((each) => ({ json: { text: each } }));
const workflow = (parameters: object = {}, settings = {}) =>
	joinItemsWorkflow(
		{
			voice: chosen('any'),
			chapterTitle: '={{ $json.text }}',
			pauseSeconds: 0.5,
			ifItemFails: 'skip',
			subtitles: 'srt',
			options: { maxRetries: 1 },
			...parameters,
		},
		settings,
	);
const run = (input: INodeExecutionData[]) => ({
	credential: {
		baseUrl: url(),
		apiKey: 'key-of-another-gateway',
		requestsPerMinute: 2_000_000 + credentials++,
	},
	input,
});
const join = async (texts: string[], parameters?: object, settings?: object) =>
	await runWorkflow(workflow(parameters, settings), run(items(...texts)));

describe('Join Items at other gateways', () => {
	it('joins what the gateway returns in another format, and says so', async () => {
		answers = { One: { type: 'audio/wav', body: wav }, Two: { type: 'audio/wav', body: wav } };
		const {
			items: [item],
			hints,
		} = await join(['One', 'Two']);
		expect(item.json).toMatchObject({ items: 2, format: 'wav', durationSeconds: 2.5 });
		expect(item.binary!.data.fileName).toBe('One.wav');
		expect(hints).toContain('The gateway returned wav although Format is "mp3"');
	});

	it.each([
		[
			'another sample rate',
			{ type: AUDIO, body: stereo },
			'the audio of part 1 differs from the first (44100 Hz, 2 channels',
		],
		[
			'another format',
			{ type: 'audio/wav', body: wav },
			'is in the format WAV, but the first is in the format MP3',
		],
		['a web page', { type: 'text/html', body: '<html><body>Busy</body></html>' }, 'web page'],
		['nothing', { type: AUDIO, body: '' }, 'empty'],
		['half of the audio', { type: AUDIO, body: mono, cutAt: 2000 }, 'lost before the response was complete'],
		[
			'an error',
			{ type: 'application/json', body: '{"error":{"message":"no voice"}}', status: 400 },
			'no voice',
		],
	])('leaves out an item for which the gateway returns %s, and says why', async (_name, answer, words) => {
		answers = { Two: answer };
		const {
			items: [item],
			hints,
			error,
		} = await join(['One', 'Two', 'Three']);
		expect(error).toBeUndefined();
		expect(item.json).toMatchObject({
			items: 2,
			failedItems: [{ item: 1, error: expect.stringContaining(words) }],
		});
		expect(hints.join()).toContain('Row 2 is missing');
		expect(asked.filter((each) => each === 'Two')).toHaveLength(1);
		expect(decode(await fileBytes(item.binary!.data)).warnings).toBe('');
		// Audio that does not fit is paid for as well.
		expect('data_row2' in item.binary!).toBe([stereo, wav].includes(answer.body as Buffer));
	});

	it('is not misled by a first item that cannot be read', async () => {
		const damaged = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), Buffer.alloc(3000)]);
		const spoken = { type: 'audio/wav', body: wav };
		answers = { One: { type: AUDIO, body: damaged }, Two: spoken, Three: spoken };
		const { items: joined } = await join(['One', 'Two', 'Three']);
		expect(joined[0].json).toMatchObject({ items: 2, format: 'wav', failedItems: [{ item: 0 }] });
	});

	it('asks again for audio that cannot be read when a failed execution is retried, and keeps audio that only sounds different', async () => {
		const junk = Buffer.alloc(5000, 7);
		for (const [first, again] of [
			[junk, ['Two']],
			[wav, ['Two']],
			[stereo, []],
		] as const) {
			let answer: Buffer = first;
			answers = { Two: () => ({ type: AUDIO, body: answer }) };
			const json = workflow({ ifItemFails: 'stop' });
			const settings = run(items('One', 'Two', 'Three'));
			const failed = await runWorkflow(json, settings);
			expect(failed.error).toBeDefined();
			expect([...asked].sort()).toEqual(['One', 'Three', 'Two']);
			answer = mono;
			asked = [];
			const retried = await retryRun(json, failed, { ...settings, executionId: 'retry' });
			expect(asked).toEqual(again);
			expect(retried.error === undefined).toBe(again.length > 0);
			asked = [];
		}
	});

	it('joins files of any kind that players read, and names those that do not fit', async () => {
		const file = (bytes: Buffer, mimeType: string): INodeExecutionData => ({
			json: { text: '' },
			binary: { data: { data: bytes.toString('base64'), mimeType } },
		});
		const variable = encode('mp3', ['-ar', '24000', '-ac', '1', '-q:a', '5'], 1);
		const input = [
			file(mono, AUDIO),
			file(tagged, 'application/octet-stream'),
			file(variable, AUDIO),
			file(stereo, AUDIO),
			file(Buffer.from('just text'), AUDIO),
			file(wav, AUDIO),
		];
		const {
			items: [item],
		} = await runWorkflow(workflow({ source: 'file', audioFieldName: 'data' }), run(input));
		expect(item.json.items).toBe(3);
		expect(
			(item.json.failedItems as Array<{ item: number; error: string }>).map(({ item: index, error }) => [
				index,
				error,
			]),
		).toEqual([
			[3, expect.stringContaining('whose audio differs from the first (44100 Hz, 2 channels')],
			[4, expect.stringContaining('whose audio is not a readable MP3 file')],
			[5, expect.stringContaining('whose audio is in the format WAV, but the first is in the format MP3')],
		]);
		expect(decode(await fileBytes(item.binary!.data)).warnings).toBe('');
		expect(asked).toEqual([]);
	});
});
