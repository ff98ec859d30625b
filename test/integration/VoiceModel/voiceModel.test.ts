import type { INodeExecutionData } from 'n8n-workflow';
import { storedFile, type RunResult } from '../engine/runWorkflow';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { useNode } from '../engine/useNode';
import { wav } from './voiceSamples';

const gateway = useNode('voiceModel');

const PATH = 'POST /v1/voice/model';
const OTHER_PATH = 'POST /v1/voice-clone/create-model';
const EMAIL = 'me@home.example';

let names = 0;
const parameters = {
	operation: 'create',
	name: '={{ $json.name }}',
	samples: {
		sample: [
			{ binaryPropertyName: ' one', transcript: ' The first text. ' },
			{ binaryPropertyName: 'two', transcript: '第二段文字。' },
		],
	},
	public: false,
	contactEmail: EMAIL,
	description: 'Mine',
};

type Files = Record<string, Buffer | { bytes: Buffer; fileName: string }>;

async function item(name: string, files: Files, json: object = {}): Promise<INodeExecutionData> {
	const binary: INodeExecutionData['binary'] = {};
	for (const [field, file] of Object.entries(files)) {
		const { bytes, fileName } = Buffer.isBuffer(file) ? { bytes: file, fileName: `${field}.wav` } : file;
		binary[field] = await storedFile(bytes, fileName, 'audio/wav');
	}
	return { json: { name, ...json }, binary };
}

const create = async (
	input: INodeExecutionData[],
	more: object = {},
	settings: object = {},
	wiring: object = {},
): Promise<RunResult> => {
	const credential = { ...gateway.credential(), ...wiring };
	return await gateway.run({ ...parameters, ...more }, settings, { credential, input });
};

const uniqueName = (name: string) => `${name} ${++names}`;
const two = async (name: string) => await item(name, { one: wav(), two: wav({ seconds: 15.5 }) });
interface Form {
	fields: Array<{ name: string; value: string }>;
	files: Array<{ field: string; fileName: string; bytes: number }>;
}
const forms = () =>
	gateway.emulator.journal.entries(({ path }) => path.includes('voice')).map(({ body }) => body as Form);
/** The texts in a field of a form; by default, of the last one. */
const texts = (name: string, { fields } = forms().at(-1)!) =>
	fields.filter((field) => field.name === name).map(({ value }) => value);
const createRequests = () =>
	gateway.emulator.journal.count(PATH) + gateway.emulator.journal.count(OTHER_PATH);

const mp3 = Buffer.concat([Buffer.from([0xff, 0xf3, 0x84, 0xc4]), Buffer.alloc(500_000)]);
const sample = (binaryPropertyName: string, transcript = 'Text.') => ({ binaryPropertyName, transcript });
const both = { one: wav(), two: wav() };

describe('Create Voice Model', () => {
	it('creates a voice from two binary fields', async () => {
		const name = uniqueName('我的 "voice"');
		const { items, error, hints } = await create([await two(name)]);
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{
				json: { name, description: 'Mine', public: false, samples: 2, sampleSeconds: 27.5 },
				pairedItem: { item: 0 },
			},
		]);
		expect(hints).toEqual([]);
		expect(texts('name')).toEqual([name]);
		expect(texts('public')).toEqual(['false']);
		expect(texts('contact_email')).toEqual([EMAIL]);
		expect(texts('reference_texts')).toEqual(['The first text.', '第二段文字。']);
		expect(forms()[0].files).toMatchObject([
			{ field: 'audio_files', fileName: 'one.wav', bytes: wav().length },
			{ field: 'audio_files', fileName: 'two.wav', bytes: wav({ seconds: 15.5 }).length },
		]);
		const [{ headers }] = gateway.emulator.journal.entries(PATH);
		expect(Number(headers['content-length'])).toBeGreaterThan(wav().length + wav({ seconds: 15.5 }).length);
	});

	it('has a time limit only for silence, because uploads may take long', async () => {
		const send = jest.spyOn(GatewayClient.prototype, 'send');
		const { error } = await create([await two(uniqueName('slow'))]);
		expect(error).toBeUndefined();
		expect(send.mock.calls.map(([{ streamed }]) => streamed)).toEqual(['file']);
		send.mockRestore();
	});

	it('groups samples of several items by name, in order, and links the voice to its items', async () => {
		const [one, other] = [uniqueName('one'), uniqueName('other')];
		const said = Object.entries({ A: one, X: other, B: ` ${one} `, Y: other, C: one });
		const input = await Promise.all(
			said.map(async ([text, name]) => await item(name, { data: wav() }, { said: text })),
		);
		const { items, error } = await create(input, { samplesFrom: 'items', transcript: '={{ $json.said }}' });
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.name, json.samples, pairedItem])).toEqual([
			[one, 3, [{ item: 0 }, { item: 2 }, { item: 4 }]],
			[other, 2, [{ item: 1 }, { item: 3 }]],
		]);
		const transcripts = forms().map((form) => texts('reference_texts', form).join(''));
		expect(transcripts.sort()).toEqual(['ABC', 'XY']);
		const short = [input[0], await item(one, { data: wav({ seconds: 1 }) }, { said: 'D' })];
		const { error: failure } = await create(short, { samplesFrom: 'items', transcript: 'Text' });
		expect(failure?.message).toMatch(/^The sample of row 2 is 1 seconds long/);
	});

	it('fails only for the sample whose name cannot be read', async () => {
		const name = uniqueName('named');
		const nameless = await item('', { data: wav() });
		const input = [await item(name, { data: wav() }), nameless, await item(name, { data: wav() })];
		const named = '={{ $json.name || $("Nowhere").first().json.name }}';
		const changes = { samplesFrom: 'items', transcript: 'Text', name: named };
		const { items } = await create(input, changes, { onError: 'continueRegularOutput' });
		expect(items.map(({ json, pairedItem }) => [json.samples, json.error, pairedItem])).toEqual([
			[2, undefined, [{ item: 0 }, { item: 2 }]],
			[undefined, expect.stringContaining("node doesn't exist"), { item: 1 }],
		]);
	});

	it('creates a public voice without an email address, with the path and the fields of the credential', async () => {
		const wiring = {
			voiceCreatePath: '/v1/voice-clone/create-model',
			voiceFileField: 'audio_files[]',
			voiceTranscriptField: 'reference_texts[]',
		};
		const options = {
			extraBodyFields:
				'{"description": "Ours", "labels": {"accent": "Irish"}, "language": null, "seed": 0, "keep": false}',
		};
		const changes = { public: true, contactEmail: '', options };
		const unnamed = { bytes: wav(), fileName: '' };
		const input = [await item(uniqueName('public'), { one: unnamed, two: unnamed })];
		await create(input, changes, {}, wiring);
		expect(gateway.emulator.journal.count(OTHER_PATH)).toBe(1);
		expect(texts('contact_email')).toEqual([]);
		expect(texts('description')).toEqual(['Ours']);
		expect(texts('labels')).toEqual(['{"accent":"Irish"}']);
		expect(texts('language')).toEqual([]);
		expect([texts('seed'), texts('keep')]).toEqual([['0'], ['false']]);
		expect(forms()[0].files.map(({ field, fileName }) => [field, fileName])).toEqual([
			['audio_files[]', 'sample-1.wav'],
			['audio_files[]', 'sample-2.wav'],
		]);
		expect(texts('reference_texts[]')).toEqual(['The first text.', '第二段文字。']);
		expect(texts('reference_texts')).toEqual([]);
		await create([await two(uniqueName('public'))], { public: true });
		expect([texts('public'), texts('contact_email')]).toEqual([['true'], [EMAIL]]);
	});

	it.each([
		[{ model_name: 'mine', public: null }, true],
		[{ data: { name: 'mine', public: false } }, false],
	])('is as public as was asked for unless the answer says otherwise: %j', async (body, expected) => {
		gateway.fail(PATH, { kind: 'status', status: 200, body });
		const samples = { one: wav({ seconds: 60 }), two: wav({ sampleRate: 24_000 }) };
		const input = [await item(uniqueName('silent'), samples)];
		const { items, hints } = await create(input, { public: true, description: ' ' });
		expect(items[0].json).toMatchObject({ name: 'mine', public: expected });
		expect(hints).toEqual([]);
		expect(texts('description')).toEqual([]);
	});

	it('shows a hint when a recording differs from the recommendations', async () => {
		const long = { bytes: wav({ seconds: 61, channels: 2 }), fileName: 'Take 1.WAV' };
		const compressed = wav({ seconds: 10, sampleRate: 44_100 });
		// The format is ADPCM.
		compressed.writeUInt16LE(2, 20);
		const files = { one: long, two: compressed };
		const { error, hints } = await create([await item(uniqueName('advised'), files)]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([
			'Samples (sample 1) is 61 seconds long (10 to 60 are recommended), has 2 channels (one is recommended).',
			'Samples (sample 2) has a sample rate of 44100 Hz (16000 or 24000 is recommended), is compressed (PCM is recommended).',
		]);
		expect(forms()[0].files.map(({ fileName }) => fileName)).toEqual(['Take 1.wav', 'two.wav']);
	});
});

describe('Voice that is rejected before anything is sent', () => {
	const samples = (...list: object[]) => ({ samples: { sample: list } });
	it.each<[message: RegExp, more: object, files?: Files]>([
		[/^Samples has 0 recordings, but a voice needs two or three/, { samples: {} }],
		[/^Samples has 1 recording, but/, samples(sample('one'))],
		[/^Samples has 4 recordings, but/, samples(...['one', 'two', 'one', 'two'].map((name) => sample(name)))],
		[/^Samples \(sample 2\) is the binary field "one" of another/, samples(sample('one'), sample('one'))],
		[/^Samples \(sample 2\) has no transcript/, samples(sample('one'), sample('two', ' '))],
		[/^Samples \(sample 2\) refers to the binary field "two", which/, {}, { one: wav() }],
		[/^Samples \(sample 1\) is 9.99 seconds/, {}, { ...both, one: wav({ seconds: 9.999 }) }],
		[
			/sample 1\) is a file of another format \(MP3\), although it is named "voice\.wav"; the gateway accepts only WAV/,
			{},
			{ ...both, one: { bytes: mp3, fileName: 'voice.wav' } },
		],
		[/sample 2\) is not a recognizable audio file, although/, {}, { ...both, two: Buffer.from('hello') }],
		[/^Samples \(sample 2\) .*whose file is empty/, {}, { ...both, two: Buffer.alloc(0) }],
		[/^Contact Email is empty, but a voice that is not/, { contactEmail: ' ' }],
		[/^Contact Email is not an email address \("me"\)/, { contactEmail: 'me', public: true }],
		[/^Name is empty/, { name: '={{ " " }}' }],
	])('says %s', async (message, more, files = both) => {
		const input = [await item(uniqueName('never'), files)];
		const { items } = await create(input, more, { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(1);
		expect(items[0].json.error).toMatch(message);
		expect(items[0].json).toMatchObject({
			details: { kind: 'input', description: expect.stringMatching(/\w/) },
		});
		expect(gateway.emulator.journal.count()).toBe(0);
	});
});

describe('Voice that may have been created', () => {
	it.each<[string, object]>([
		['no answer followed the request body', { kind: 'resetBeforeHeaders' }],
		['the answer did not contain the name', { kind: 'status', status: 200, body: { ok: true } }],
		[
			'the answer denies its success',
			{ kind: 'status', status: 200, body: { success: false, model_name: 'x' } },
		],
	])('is not sent again when %s', async (_what, fault) => {
		gateway.fail(PATH, { ...fault, times: 'always' } as never);
		const name = uniqueName('perhaps');
		const { error } = await create([await two(name)]);
		expect(error?.message).toContain(`The voice “${name}” may have been created`);
		expect(String(error?.description)).toMatch(/^Check the voice list before you run this item again/);
		expect(error?.context.data).toMatchObject({ partial: { name } });
		expect(createRequests()).toBe(1);
		expect(gateway.emulator.journal.count()).toBe(1);
	});
});
