import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { version } from 'n8n-core/package.json';
import { type IBinaryKeyData, type IDataObject, UserError } from 'n8n-workflow';
import { wav } from '../../unit/audio/damagedWavs';
import { compareVersions } from '../../versionOrder';
import { retryRun } from '../engine/retry';
import { type RunResult, fileBytes, runWorkflow, storedFile } from '../engine/runWorkflow';
import { OPERATIONS, type Operation, asJson, operations, useChat } from '../engine/useChat';

const chat = useChat();

const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n');
const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(200, 7)]);
const notes = '第一章: "quotes", \\ and 🎵';

const stored = (mimeType: string, bytes: Buffer, fileName?: string) => ({
	mimeType,
	data: bytes.toString('base64'),
	fileName,
});
const binary: IBinaryKeyData = {
	data: stored('image/png', png),
	offer: stored('application/octet-stream', pdf, '报价.pdf'),
	voice: stored('audio/mpeg', mp3, 'note.mp3'),
	notes: stored('text/markdown', Buffer.from(notes), 'notes.md'),
	utf16: stored('text/plain', Buffer.from(`\ufeff${notes}`, 'utf16le'), 'notes.txt'),
	bigEndian: stored('text/plain', Buffer.from(`\ufeff${notes}`, 'utf16le').swap16(), 'notes.txt'),
	zero: stored('text/plain', Buffer.from('a\0b')),
	latin: stored('text/plain', Buffer.from([0x47, 0xe4, 0x72])),
	film: stored('video/mp4', Buffer.from('....ftypisom')),
	archive: stored('application/zip', Buffer.from('PK')),
};
const input = [{ json: {}, binary }];
const field = (binaryPropertyName: string) => ({ source: 'binary', binaryPropertyName });
const address = (url: string, kind = '') => ({ source: 'url', url, kind });
const files = (...file: object[]) => ({ options: { files: { file } } });

describe('Files of Unified AI Chat', () => {
	it('may be images from web addresses, data URIs, and binary fields, in each format', async () => {
		const dataUri = `data:image/png;base64,${png.toString('base64')}`;
		const images = files(address('https://example.com/a.png'), address(dataUri), field('data'));
		for (const operation of operations) {
			chat.emulator.journal.clear();
			const { items, error } = await chat.ask(operation, images, { input });
			expect(error).toBeUndefined();
			expect(items[0].json.text).toContain('I have looked at the 3 images.');
		}
	});

	// Before n8n 2.5.0, there is no binary mode "combined".
	const itCombined = compareVersions(version, '2.5.0') >= 0 ? it : it.skip;

	itCombined('may be sent in messages, and in combined binary mode', async () => {
		const sent = { role: 'user', files: { file: [field('_files.photo')] } };
		const messages = { message: [{ ...sent, text: 'What is this?' }, sent] };
		const workflow = chat.workflow({ operation: 'message', inputType: 'messages', messages });
		const { items, error } = await runWorkflow(
			{ ...workflow, settings: { binaryMode: 'combined' } },
			{ credential: chat.credential(), input: [{ json: { _files: { photo: binary.data } } }] as never },
		);
		expect(error).toBeUndefined();
		expect(items[0].json.text).toContain('I have looked at the image.');
		expect(JSON.stringify(chat.sentBody().messages)).toMatch(/"text":"What is this\?".*"image".*"image"/);
	});

	const base64 = (bytes: Buffer) => bytes.toString('base64');
	const heading = { type: 'text', text: 'Why is the sky blue?' };
	const inText = { text: `[notes.md]\n${notes}` };
	const fileAt = (path: string, mimeType: string) => ({
		fileData: { fileUri: `https://example.com/${path}`, mimeType },
	});
	const sent: Record<Operation, object[]> = {
		chatCompletion: [
			heading,
			{
				type: 'file',
				file: { filename: '报价.pdf', file_data: `data:application/pdf;base64,${base64(pdf)}` },
			},
			{ type: 'text', ...inText },
			{ type: 'file', file: { filename: 'a.PDF', file_data: 'https://example.com/a.PDF?x=1' } },
			{ type: 'input_audio', input_audio: { data: base64(mp3), format: 'mp3' } },
		],
		message: [
			heading,
			{
				type: 'document',
				source: { type: 'base64', media_type: 'application/pdf', data: base64(pdf) },
				title: '报价.pdf',
			},
			{
				type: 'document',
				source: { type: 'text', media_type: 'text/plain', data: notes },
				title: 'notes.md',
			},
			{ type: 'document', source: { type: 'url', url: 'https://example.com/a.PDF?x=1' }, title: 'a.PDF' },
		],
		generateContent: [
			{ text: 'Why is the sky blue?' },
			{ inlineData: { mimeType: 'application/pdf', data: base64(pdf) } },
			inText,
			fileAt('a.PDF?x=1', 'application/pdf'),
			{ inlineData: { mimeType: 'audio/mpeg', data: base64(mp3) } },
			fileAt('get?id=7', 'video/mp4'),
			...[fileAt('a.wav', 'audio/wav'), fileAt('a.MOV', 'video/quicktime'), fileAt('a.md', 'text/plain')],
			// What is set counts, not what the address looks like.
			fileAt('get.mp4', 'audio/mpeg'),
		],
	};

	it.each(operations)('may be PDFs, texts, and audio in the parts of %s', async (operation) => {
		const entries = [field('offer'), field('notes'), address('https://example.com/a.PDF?x=1')];
		if (operation !== 'message') entries.push(field('voice'));
		if (operation === 'generateContent') {
			entries.push(address('https://example.com/get?id=7', 'video'));
			entries.push(...['a.wav', 'a.MOV', 'a.md'].map((path) => address(`https://example.com/${path}`)));
			entries.push(address('https://example.com/get.mp4', 'audio'));
		}
		const { error } = await chat.ask(operation, files(...entries), { input });
		expect(error).toBeUndefined();
		const { messages, contents } = chat.sentBody();
		const [first] = (messages ?? contents) as Array<{ content?: object[]; parts?: object[] }>;
		expect(first.content ?? first.parts).toEqual(sent[operation]);
	});

	it('may be texts of up to 10 MB, in whatever chunks they are stored', async () => {
		for (const [length, problem] of [
			[10_000_000, undefined],
			[10_000_001, expect.stringContaining('contains more than 10 MB of text')],
		] as const) {
			const data = await storedFile(Buffer.alloc(length, 'a'), 'a.txt', 'text/plain');
			const { error } = await chat.ask('message', files(field('data')), {
				input: [{ json: {}, binary: { data } }],
			});
			expect(error?.message).toEqual(problem);
		}
	});

	it.each(['utf16', 'bigEndian'])('may be texts in UTF-16: %s', async (name) => {
		await chat.ask('message', files(field(name)), { input });
		const [{ content }] = chat.sentBody().messages as Array<{ content: object[] }>;
		expect(content[1]).toMatchObject({ source: { data: notes } });
	});

	it.each<[string, Operation, object, string, string]>([
		['audio', 'message', field('voice'), 'contains a file of the type audio, which', 'Message a Model or'],
		['a video', 'chatCompletion', field('film'), 'of the type video, which Message a', 'Generate Content'],
		[
			'the address of audio',
			'chatCompletion',
			address('https://example.com/a.mp3'),
			'contains the web address of a file of the type audio',
			'Download the file with an HTTP Request node',
		],
		['an archive', 'generateContent', field('archive'), 'do not read (application/zip)', 'Extract from'],
		['a text with a zero byte', 'message', field('zero'), 'is not text in UTF-8', 'UTF-8'],
		['a text that is not in UTF-8', 'message', field('latin'), 'is not text in UTF-8', 'UTF-8'],
	])('that %s is in are refused by %s before any request', async (_what, operation, entry, words, advice) => {
		const { error } = await chat.ask(operation, files(entry), { input });
		expect(error?.message).toContain(words);
		expect(error?.description).toContain(advice);
		expect(chat.emulator.journal.count()).toBe(0);
	});
});

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(5_000, 7)]);
const SAMPLES = Buffer.alloc(3_001, 5);
const uri = `data:image/png;base64,${PNG.toString('base64')}`;
/** Pieces that are Base64 each by itself, with padding. */
const pieces = [0, 1_000, 2_000].map((from) =>
	SAMPLES.subarray(from, from + 1_000 + Math.floor(from / 2_000)),
);

const events = (...data: object[]) => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] });
const completion = (message: object) =>
	choice({ message: { role: 'assistant', ...message }, finish_reason: 'stop' });
const chunks = (...deltas: object[]) =>
	`${events(...deltas.map((delta) => choice({ delta })), choice({ delta: {}, finish_reason: 'stop' }))}data: [DONE]\n\n`;
/** Files inside of an answer, as public APIs send them, in our own words. */
interface Shape {
	operation: Operation;
	/** Of the answer; a text is an event stream. */
	answer: object | string;
	text: string;
	files: Buffer[];
	types?: string[];
}

const image = { type: 'image_url', image_url: { url: uri } };
const SHAPES: Record<string, Shape> = {
	'images of a message (OpenRouter)': {
		operation: 'chatCompletion',
		answer: completion({ content: 'Here.', images: [image] }),
		text: 'Here.',
		files: [PNG],
	},
	'images of a stream, which repeats one (OpenRouter)': {
		operation: 'chatCompletion',
		answer: chunks(
			{ content: 'He' },
			{ content: 're.', images: [{ ...image, index: 0 }] },
			{ images: [{ ...image, index: 0 }] },
			{ images: [{ ...image, index: 0, image_url: { url: uri.replace(/BwcH/, 'CAcH') } }] },
		),
		text: 'Here.',
		files: [PNG, Buffer.from(uri.replace(/BwcH/, 'CAcH').split(',')[1], 'base64')],
	},
	'audio in pieces (OpenAI)': {
		operation: 'chatCompletion',
		answer: chunks(
			{ content: null, audio: { id: 'a', transcript: 'He' } },
			...pieces.map((piece) => ({ audio: { data: piece.toString('base64') } })),
			{ audio: { transcript: 're.' } },
			{ audio: { expires_at: 1 } },
		),
		text: 'Here.',
		files: [SAMPLES],
		types: ['application/octet-stream'],
	},
	'inline data in pieces of raw audio (Gemini)': {
		operation: 'generateContent',
		answer: events(
			...pieces.map((piece) => {
				const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: piece.toString('base64') };
				return { candidates: [{ content: { parts: [{ inlineData }] } }] };
			}),
			{ candidates: [{ finishReason: 'STOP' }] },
		),
		text: '',
		// Players need the header of a WAV file: 24,000 samples a second, each of two bytes.
		files: [wav(SAMPLES.subarray(0, 3_000))],
		types: ['audio/wav'],
	},
};
const rows = Object.keys(SHAPES).flatMap((name) =>
	[true, false].map((simplify) => [name, simplify] as const),
);

const answerWith = ({ operation, answer }: Shape) => {
	const isStream = typeof answer === 'string';
	const contentType = isStream ? { contentType: 'text/event-stream' } : {};
	const fault = { kind: 'status', status: 200, carriedOut: true, body: answer, ...contentType } as const;
	chat.fail(OPERATIONS[operation], { ...fault, times: 'always' });
	return { options: { stream: isStream } };
};
const IMAGE = SHAPES['images of a message (OpenRouter)'];
const continuing = { onError: 'continueRegularOutput' } as const;
/** Lets n8n save no file. @returns what ends that */
function refuseFiles(error: Error) {
	const store = jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValue(error);
	return () => store.mockRestore();
}
const filesOf = async ({ items: [{ binary = {} }] }: RunResult) =>
	await Promise.all(Object.values(binary).map(fileBytes));

describe('A file in an answer', () => {
	it.each(rows)('is binary data and not in the JSON: %s, Simplify %s', async (name, simplify) => {
		const shape = SHAPES[name];
		const result = await chat.ask(shape.operation, { ...answerWith(shape), simplify });
		expect(result.error).toBeUndefined();
		const [{ json, binary = {} }] = result.items;
		expect(Object.keys(binary)).toEqual(
			shape.files.map((_file, index) => (index === 0 ? 'data' : `data_${index + 1}`)),
		);
		expect((await filesOf(result)).every((file, index) => file.equals(shape.files[index]))).toBe(true);
		expect(Object.values(binary).map(({ mimeType }) => mimeType)).toEqual(
			shape.types ?? shape.files.map(() => 'image/png'),
		);
		const text = JSON.stringify({ ...json, candidates: undefined });
		expect(text.length).toBeLessThan(1_000);
		for (const field of Object.keys(binary))
			expect(JSON.stringify(json)).toMatch(new RegExp(`"${field}"|\\(${field}\\)`));
		if (simplify) expect(json).toMatchObject({ text: shape.text, finishReason: 'stop' });
	});

	it('is stored by a retry, which pays for nothing, when it could not be stored before', async () => {
		const accept = refuseFiles(
			Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
		);
		const parameters = { operation: IMAGE.operation, ...answerWith(IMAGE) };
		const failed = await chat.run(parameters, {}, { executionId: '71' });
		expect(failed.error?.message).toContain('n8n could not save the file (no space left on device)');
		accept();
		const options = { credential: chat.credential(), executionId: '72' };
		const retried = await retryRun(chat.workflow(parameters), failed, options);
		expect(await filesOf(retried)).toEqual(IMAGE.files);
		expect(chat.emulator.journal.count(OPERATIONS[IMAGE.operation])).toBe(1);
	});

	const inlineData = { mimeType: 'image/png', data: uri.split(',')[1] };
	const candidates = [{ content: { parts: [{ inlineData }] }, finishReason: 'STOP' }];
	it.each<Shape>([IMAGE, { ...IMAGE, operation: 'generateContent', answer: { candidates } }])(
		'is in the item of a retry as well, which sends only what had failed: $operation',
		async ({ operation, answer: body, files: expected }) => {
			const run = { input: [{ json: { row: 1 } }, { json: { row: 2 } }], credential: chat.credential() };
			const options = { parallelRequests: 1 };
			const workflow = chat.workflow({ operation, prompt: '=Row {{ $json.row }}.', options });
			const fault = { kind: 'status', status: 200, body, times: 'always' } as const;
			const refused = { kind: 'status', status: 400, body: { error: { message: 'No.' } } } as const;
			chat.fail(OPERATIONS[operation], { ...refused, when: 'Row 2' }, fault);
			const failed = await runWorkflow(workflow, run);
			expect(failed.error?.message).toContain('No.');
			const { items } = await retryRun(workflow, failed, run);
			expect(chat.emulator.journal.count(OPERATIONS[operation])).toBe(3);
			expect(items).toHaveLength(2);
			for (const { binary = {} } of items) {
				const all = await Promise.all(Object.values(binary).map(fileBytes));
				expect(all).toEqual(expected);
			}
		},
	);

	it('is in the failed item with the whole answer when it cannot be stored', async () => {
		const accept = refuseFiles(new UserError('File is larger than the limit of 512 MB'));
		const { items } = await chat.ask(IMAGE.operation, answerWith(IMAGE), {}, continuing);
		accept();
		expect(items[0].json.error).toBe('n8n could not save the file (File is larger than the limit of 512 MB)');
		const { partial } = items[0].json.details as { partial: IDataObject };
		expect(JSON.stringify(partial.answer) === JSON.stringify(IMAGE.answer)).toBe(true);
	});

	it('is beside the failure when the answer cannot be used', async () => {
		const parameters = { ...asJson(), ...answerWith(IMAGE) };
		const result = await chat.ask(IMAGE.operation, parameters, {}, continuing);
		expect(result.items[0].json).toHaveProperty('error');
		expect(await filesOf(result)).toEqual(IMAGE.files);
	});
});
