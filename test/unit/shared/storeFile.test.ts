import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ImageFiles } from '../../../nodes/Image/imageFiles';
import { FileAllowance, storeFile } from '../../../nodes/shared/files/storeFile';
import { Redactor } from '../../../nodes/shared/answer/redactor';
import type { Call } from '../../../nodes/shared/run/call';
import { seededRandom } from '../seededRandom';

describe('What an item may store', () => {
	it('counts all its files together', () => {
		const allowance = new FileAllowance(10);
		allowance.use(6);
		allowance.use(4);
		expect(() => allowance.use(1)).toThrow('the files of the item are longer than 1000 MB together');
	});
});

/** A binary store that says as much about files as some version of n8n. */
const storeOf = (facts: object) => ({
	context: {
		helpers: {
			prepareBinaryData: async (stream: Readable, fileName: string, mimeType: string) => {
				const bytes = Buffer.concat(await stream.toArray());
				return { data: bytes.toString('hex'), fileName, mimeType, ...facts };
			},
		},
	} as unknown as IExecuteFunctions,
	redactor: new Redactor([]),
	allowance: new FileAllowance(),
});

describe('A stored file', () => {
	it('has its length, also in versions of n8n that do not say it', async () => {
		const wave = Buffer.from('RIFF....WAVE');
		const store = async (facts: object) =>
			await storeFile(storeOf(facts), wave, '', { about: 'a', fallback: 'b' });
		expect(await store({})).toMatchObject({ fileName: 'a.wav', bytes: 12 });
		expect(await store({ bytes: 9 })).toMatchObject({ bytes: 9 });
	});

	it('is named without a key, whatever a name leaves out of it', async () => {
		const random = seededRandom(5);
		const characters = [...'abcXYZ019-_.+/=:~$%&|'];
		for (let round = 0; round < 200; round++) {
			const key = Array.from({ length: 30 }, () => characters[Math.floor(random() * characters.length)]).join(
				'',
			);
			const store = { ...storeOf({}), redactor: new Redactor([key]) };
			const name = { about: `Song of ${key} ${round}`, fallback: 'song' };
			const { fileName } = await storeFile(store, Buffer.from('x'), 'text/plain', name);
			expect(fileName).toBe(`Song of API key ${round}.txt`);
		}
	});

	it.each([1, 5, 31])('has its type and size even if it arrives in pieces of %d bytes', async (length) => {
		const hex = `89504e470d0a1a0a0000000d49484452000002000000010008${'00'.repeat(40)}`;
		const bytes = Buffer.from(hex, 'hex');
		const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length);
		const body = Readable.from(starts.map((start) => bytes.subarray(start, start + length)));
		const files = new ImageFiles(storeOf({}) as Call, { prompt: 'fox', fileName: '' });
		const image = { data: hex, fileName: 'fox.png', mimeType: 'image/png', width: 512, height: 256 };
		expect(await files.store(body, 'application/octet-stream', 0)).toMatchObject(image);
	});
});
