import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { withoutFiles } from '../../../nodes/Chat/formats/answerFiles';
import { readImages } from '../../../nodes/Image/readImages';
import { receiveAudio } from '../../../nodes/Speech/audioAnswer';
import { pictureIn } from '../../../nodes/Utilities/fetchUtility';
import { readJsonWithFiles } from '../../../nodes/shared/answer/filesInJson';
import { FileTextDecoder, fileOfText, fileTextOf } from '../../../nodes/shared/plain/fileText';
import { answerOf, storedBytes } from '../answerOf';
import { seededRandom } from '../seededRandom';

/** A file that begins like one, and has every letter of Base64. @param kind its first bytes */
function fileOf(kind: string, length: number): Buffer {
	const random = seededRandom(length);
	return Buffer.concat([
		Buffer.from(kind, 'latin1'),
		Buffer.from(Array.from({ length }, () => Math.floor(random() * 256))),
	]);
}
const FILES = { 'image/png': '\x89PNG\r\n\x1a\n', 'audio/wav': 'RIFF....WAVEfmt ' };
type Kind = keyof typeof FILES;
const samplesOf = (kind: Kind) => [401, 30_001].map((length) => fileOf(FILES[kind], length));
const SAMPLES = { 'image/png': samplesOf('image/png'), 'audio/wav': samplesOf('audio/wav') };

const spaced = (text: string, every: number, blank: string) =>
	text.replace(new RegExp(`.{${every}}`, 'g'), `$&${blank}`);
const half = (text: string) => Math.floor(text.length / 2);

/** The forms of Base64. */
const LETTERS: Record<string, (base64: string) => string> = {
	plain: (text) => text,
	'without padding': (text) => text.replace(/=+$/, ''),
	'URL-safe': (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
	'percent-encoded': encodeURIComponent,
	'percent-encoded, in small letters': (text) =>
		encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase()),
	'in lines': (text) => spaced(text, 76, '\r\n'),
	'with a blank in the middle': (text) => `${text.slice(0, half(text))} ${text.slice(half(text))}`,
	'with blanks around it': (text) => `\n  ${text} \n`,
	'in pieces that are padded each': (text) => {
		const bytes = Buffer.from(text, 'base64');
		const at = half(text) - (half(text) % 3) + 1;
		return bytes.subarray(0, at).toString('base64') + bytes.subarray(at).toString('base64');
	},
};
/** What may stand in front of them (html2docx #62, python-data-uri #7, bun #36483). */
const PREFIXES: Record<string, (type: string) => string> = {
	nothing: () => '',
	'a data URI': (type) => `data:${type};base64,`,
	'blanks in it': (type) => ` data: ${type} ; base64 , `,
	'capital letters': (type) => `DATA:${type.toUpperCase()};BASE64,`,
	'a parameter': (type) => `data:${type};charset=utf-8;name=a.b;base64,`,
	'a quoted parameter': (type) => `data:${type};name="a;b, c.png"; charset=utf-8;base64,`,
	'no type': () => 'data:;base64,',
};
/** Each form of the letters, alone and in a data URI, and each prefix. */
const FORMS = Object.entries(PREFIXES).flatMap(([prefix, start]) =>
	Object.entries(LETTERS)
		.filter(([letters]) => letters === 'plain' || ['nothing', 'a data URI'].includes(prefix))
		.map(([letters, write]) => ({
			form: `Base64 ${letters}, behind ${prefix}`,
			write: (bytes: Buffer, type: string) => start(type) + write(bytes.toString('base64')),
			isUri: prefix !== 'nothing',
		})),
);

/** Reads JSON whose long texts may all be files. */
const filesIn = async (body: unknown) =>
	await readJsonWithFiles(
		answerOf(JSON.stringify(body), { sizes: [7_001] }),
		async ({ bytes }) => await buffer(bytes),
		() => true,
	);
const imageIn = async (body: unknown) => {
	const read = await filesIn(body);
	const { key = '', inline = '' } = readImages(read.body, (text) => text in read.files).images[0];
	expect(read.damaged).toEqual([]);
	return read.files[key] ?? fileOfText(inline)?.bytes;
};
const soundIn = async (body: unknown) => {
	const answer = answerOf(JSON.stringify(body), { sizes: [7_001] });
	const audio = await receiveAudio(answer, storedBytes);
	return 'bytes' in audio ? audio.bytes : audio;
};
const inChat = (part: object) =>
	withoutFiles({ choices: [{ message: part }] }, (index) => `file ${index}`).files[0]?.bytes;

/** Where an answer may have a file, and what reads it there. */
const PLACES: Array<[string, Kind, (text: string) => unknown, 'uri'?]> = [
	['an image in b64_json', 'image/png', async (text) => await imageIn({ data: [{ b64_json: text }] })],
	['an image in url', 'image/png', async (text) => await imageIn({ data: [{ url: text }] })],
	[
		'an image in image_url.url',
		'image/png',
		async (text) => await imageIn({ data: [{ image_url: { url: text } }] }),
	],
	['an image in a list', 'image/png', async (text) => await imageIn({ images: [text] })],
	['a single image', 'image/png', async (text) => await imageIn({ output: text })],
	['sound in audio', 'audio/wav', async (text) => await soundIn({ audio: text })],
	['sound in audio_data', 'audio/wav', async (text) => await soundIn({ audio_data: text })],
	['sound in data.audio', 'audio/wav', async (text) => await soundIn({ data: { audio: text } })],
	['sound in audio.data', 'audio/wav', async (text) => await soundIn({ audio: { data: text } })],
	[
		'an image_url of a chat',
		'image/png',
		(text) => inChat({ images: [{ image_url: { url: text } }] }),
		'uri',
	],
	['an input_image of a chat', 'image/png', (text) => inChat({ content: [{ image_url: text }] }), 'uri'],
	['a b64_json of a chat', 'image/png', (text) => inChat({ content: [{ b64_json: text }] })],
	['the audio of a chat', 'audio/wav', (text) => inChat({ audio: { data: text, format: 'wav' } })],
	['inline data', 'image/png', (text) => inChat({ inlineData: { mimeType: 'image/png', data: text } })],
	[
		'a text of a chat (WebAI2API #102)',
		'image/png',
		(text) => inChat({ content: text, role: 'assistant' }),
		'uri',
	],
	['Markdown', 'image/png', (text) => inChat({ content: `A ![x](${text}) B` }), 'uri'],
	['a utility', 'image/png', (text) => (pictureIn({ base64: text }) as { bytes: Buffer }).bytes],
];

it.each(PLACES)('A file is read in each form in %s', async (...[place, kind, read, needs]) => {
	// What has no type is no picture for sure.
	const forms = FORMS.filter(({ form, isUri }) => {
		return needs !== 'uri' || (isUri && !(form.endsWith('no type') && place.startsWith('a text')));
	});
	for (const { form, write } of forms) {
		for (const file of SAMPLES[kind]) {
			const found = (await read(write(file, kind))) as Buffer | undefined;
			expect([form, found?.equals(file)]).toEqual([form, true]);
		}
	}
});

describe('The text of a file', () => {
	it('is decoded in the same way in pieces of any length', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({ minLength: 60, maxLength: 200 }),
				fc.constantFrom(...FORMS),
				fc.integer({ min: 1, max: 50 }),
				(content, { write }, step) => {
					const bytes = Buffer.from(content);
					const { content: text, encoding } = fileTextOf(write(bytes, 'image/png'))!;
					const decoder = new FileTextDecoder({ encoding });
					const pieces = Array.from({ length: Math.ceil(text.length / step) }, (_, index) =>
						decoder.add(text.slice(index * step, (index + 1) * step)),
					);
					expect(Buffer.concat([...pieces, decoder.end()]).equals(bytes)).toBe(true);
					expect(decoder.isDamaged).toBe(false);
				},
			),
		);
	});

	it('has the parameters of its type, such as the rate of its sound', () => {
		expect(fileOfText('data:audio/L16; Rate=24000 ;base64,AAAA')?.mimeType).toBe('audio/l16;rate=24000');
	});

	it('may be no Base64 in a data URI', () => {
		const svg = '<svg xmlns="a">é 中 50%</svg>';
		for (const text of [`data:image/svg+xml,${encodeURIComponent(svg)}`, `data:image/svg+xml;utf8,${svg}`]) {
			expect(fileOfText(text)?.bytes.toString()).toBe(svg);
			expect(fileOfText(text)?.mimeType).toMatch(/^image\/svg\+xml/);
		}
	});

	it.each([
		'',
		' \n ',
		'A red fox in the snow',
		'Moderated: the image is not safe',
		'a text of small words and no marks '.repeat(900),
		'https://example.com/a.png',
		'data: see below, at the end',
		'data:,text',
		'data:image/png;base64,',
		'data:image/png;base64,<html>',
		'The address is data:image/png;base64,AAAA',
	])('is not %j', (text) => expect(fileOfText(text)).toBeUndefined());

	it('is kept, and named, if other characters are in its middle, for 400 kB as well', async () => {
		const places = [
			['', 24_000],
			['', 1_200],
			['data:image/png;base64,', 1_200],
			['data:image/png;base64,', 40],
		] as const;
		for (const [index, [prefix, place]] of [...places, ...places].entries()) {
			const file = fileOf(FILES['image/png'], index < places.length ? 20_000 : 300_000);
			const base64 = file.toString('base64');
			const text = `${prefix}${base64.slice(0, place)}<b>${base64.slice(place)}`;
			const read = await filesIn({ data: [{ b64_json: text }] });
			const [[key, kept]] = Object.entries(read.files);
			expect(read.damaged).toEqual([key]);
			expect(kept.length).toBeGreaterThanOrEqual(file.length);
			const whole = (3 * place) / 4;
			expect(kept.subarray(0, whole).equals(file.subarray(0, whole))).toBe(true);
		}
	});
});
