import { withoutFiles } from '../../../nodes/Chat/formats/answerFiles';

const base64 = Buffer.from('GIF89a, and so on').toString('base64');
const uri = `data:image/gif;base64,${base64}`;
const take = (body: object) => withoutFiles(body as Record<string, unknown>, (index) => `file ${index}`);

describe('The files in an answer', () => {
	it.each<[string, object, string]>([
		['an audio_url', { content: [{ type: 'audio_url', audio_url: { url: uri } }] }, 'image/gif'],
		['a video_url without an object', { content: [{ type: 'video_url', video_url: uri }] }, 'image/gif'],
		['a file', { content: [{ type: 'file', file: { file_data: uri } }] }, 'image/gif'],
		['a list of addresses', { images: [uri] }, 'image/gif'],
		['audio without a format', { output_audio: { data: base64 } }, ''],
		[
			'inlineData',
			{ inlineData: { mimeType: 'audio/L16;rate=24000', data: base64 } },
			'audio/L16;rate=24000',
		],
		['inline_data', { inline_data: { mime_type: 'image/gif', data: base64 } }, 'image/gif'],
		['a source', { source: { type: 'base64', media_type: 'audio/wav', data: base64 } }, 'audio/wav'],
		['an image call', { type: 'image_generation_call', result: base64, output_format: 'webp' }, 'image/webp'],
		['an image call without a format', { type: 'image_generation_call', result: base64 }, 'image/png'],
		['a text that is nothing but a sound', { content: uri.replace('image/gif', 'audio/wav') }, 'audio/wav'],
		[
			'Markdown with a quoted name (RFC 2397)',
			{ content: `A![x](${uri.replace(';', ';name="a, (1).gif";')})B` },
			'image/gif;name="a,(1).gif"',
		],
	])('are taken out of %s', (_where, part, mimeType) => {
		const { body, files } = take({ choices: [part] });
		expect(files).toEqual([{ name: 'file 0', mimeType, bytes: Buffer.from(base64, 'base64') }]);
		const json = JSON.stringify(body);
		expect([json.includes('file 0'), json.includes(base64)]).toEqual([true, false]);
	});

	it('are taken out of a text with several', () => {
		const { body, files } = take({ content: `A![x](${uri})B![y](${uri})` });
		expect(files).toHaveLength(2);
		expect(JSON.stringify(body)).not.toContain(base64);
	});

	it('are at most 1000; others stay', () => {
		const { body, files } = take({ images: Array(1200).fill(uri) });
		expect(files).toHaveLength(1000);
		expect((body.images as string[]).filter((image) => image === uri)).toHaveLength(200);
	});

	it.each<[string, object]>([
		['signatures', { thoughtSignature: base64, signature: base64 }],
		['redacted thoughts', { type: 'redacted_thinking', data: base64 }],
		['encrypted thoughts', { type: 'reasoning.encrypted', data: base64, format: 'v1' }],
		['texts', { text: base64, content: `The address is ${uri}` }],
		['documents that are text', { source: { type: 'text', media_type: 'text/plain', data: 'Words' } }],
		['addresses', { image_url: { url: 'https://example.com/a.gif' } }],
		['the input of a tool', { input: { url: uri }, args: { image_url: uri }, arguments: { data: uri } }],
		[
			'the images in a PDF file of the user (OpenRouter)',
			{
				annotations: [{ type: 'file', file: { content: [{ type: 'image_url', image_url: { url: uri } }] } }],
			},
		],
		['other results', { type: 'code', result: base64 }],
	])('are not %s', (_what, part) => {
		expect(take({ choices: [part] })).toEqual({ body: { choices: [part] }, files: [] });
	});
});
