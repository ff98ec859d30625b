import type { IBinaryKeyData } from 'n8n-workflow';
import { HAS_COMBINED_MODE, isCoreSince } from '../engine/core';
import { runWorkflow } from '../engine/runWorkflow';
import { operations, useChat, type Operation } from '../engine/useChat';

const chat = useChat(2.7e7);

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
			const { items, error } = await chat.run(operation, images, { input });
			expect(error).toBeUndefined();
			expect(items[0].json.text).toContain('I have looked at the 3 images.');
		}
	});

	const itCombined = isCoreSince(HAS_COMBINED_MODE) ? it : it.skip;

	itCombined('may be sent in messages, and in combined binary mode', async () => {
		const messages = {
			message: [{ role: 'user', text: 'What is this?', files: { file: [field('_files.photo')] } }],
		};
		const workflow = chat.workflow('message', { inputType: 'messages', messages });
		const { items, error } = await runWorkflow(
			{ ...workflow, settings: { binaryMode: 'combined' } },
			{ credential: chat.credential(), input: [{ json: { _files: { photo: binary.data } } }] as never },
		);
		expect(error).toBeUndefined();
		expect(items[0].json.text).toContain('I have looked at the image.');
	});

	const base64 = (bytes: Buffer) => bytes.toString('base64');
	const heading = { type: 'text', text: 'Why is the sky blue?' };
	const inText = { text: `[notes.md]\n${notes}` };
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
			{ fileData: { fileUri: 'https://example.com/a.PDF?x=1', mimeType: 'application/pdf' } },
			{ inlineData: { mimeType: 'audio/mpeg', data: base64(mp3) } },
			{ fileData: { fileUri: 'https://example.com/get?id=7', mimeType: 'video/mp4' } },
		],
	};

	it.each(operations)('may be PDFs, texts, and audio in the parts of %s', async (operation) => {
		const entries = [field('offer'), field('notes'), address('https://example.com/a.PDF?x=1')];
		if (operation !== 'message') entries.push(field('voice'));
		if (operation === 'generateContent') entries.push(address('https://example.com/get?id=7', 'video'));
		const { error } = await chat.run(operation, files(...entries), { input });
		expect(error).toBeUndefined();
		const { messages, contents } = chat.sentBody();
		const [first] = (messages ?? contents) as Array<{ content?: object[]; parts?: object[] }>;
		expect(first.content ?? first.parts).toEqual(sent[operation]);
	});

	it('are known by their first bytes, except where those mislead', async () => {
		const windows = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün', 'utf16le')]);
		const photo = Buffer.from('....ftypheic........');
		const item = {
			json: {},
			binary: { text: stored('text/plain', windows, 'a.txt'), photo: stored('image/heic', photo, 'a.heic') },
		};
		const { error } = await chat.run('chatCompletion', files(field('text'), field('photo')), {
			input: [item],
		});
		expect(error).toBeUndefined();
		const [{ content }] = chat.sentBody().messages as Array<{ content: object[] }>;
		const url = `data:image/heic;base64,${base64(photo)}`;
		expect(content.slice(1)).toEqual([
			{ type: 'text', text: '[a.txt]\ngrün' },
			{ type: 'image_url', image_url: { url } },
		]);
	});

	it.each<[string, Operation, object, string, string]>([
		[
			'audio',
			'message',
			field('voice'),
			'contains a file of the type audio, which',
			'Message a Model or Message a Model (Generate',
		],
		[
			'a video',
			'chatCompletion',
			field('film'),
			'of the type video, which Message a Model cannot',
			'Generate Content',
		],
		[
			'the address of audio',
			'chatCompletion',
			address('https://example.com/a.mp3'),
			'contains the web address of a file of the type audio',
			'Download the file with an HTTP Request node',
		],
		[
			'an archive',
			'generateContent',
			field('archive'),
			'that models do not read (application/zip)',
			'Extract from File',
		],
		['a text that is not in UTF-8', 'message', field('latin'), 'is not text in UTF-8', 'UTF-8'],
	])('that %s is in are refused by %s before any request', async (_what, operation, entry, words, advice) => {
		const { error } = await chat.run(operation, files(entry), { input });
		expect(error?.message).toContain(words);
		expect(error?.description).toContain(advice);
		expect(chat.emulator.journal.count()).toBe(0);
	});
});
