import type { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { FileAllowance, storeFile } from '../../../nodes/shared/files/storeFile';
import { Redactor } from '../../../nodes/shared/answer/redactor';

describe('What an item may store', () => {
	it('counts all its files together', () => {
		const allowance = new FileAllowance(10);
		allowance.use(6);
		allowance.use(4);
		expect(() => allowance.use(1)).toThrow('the files of the item are longer than 1000 MB together');
	});
});

describe('A stored file', () => {
	/** A binary store that says as much about files as some version of n8n. */
	const storeOf = (told: object) => ({
		context: {
			helpers: {
				prepareBinaryData: async (stream: Readable, fileName: string, mimeType: string) => {
					await stream.toArray();
					return { data: 'store', fileName, mimeType, ...told };
				},
			},
		} as unknown as IExecuteFunctions,
		redactor: new Redactor([]),
		allowance: new FileAllowance(),
	});

	it('has its length, also in versions of n8n that do not say it', async () => {
		const store = async (told: object) =>
			await storeFile(
				storeOf(told),
				Buffer.from('RIFF....WAVE'),
				'audio/wav',
				(extension) => `a.${extension}`,
			);
		expect(await store({})).toMatchObject({ fileName: 'a.wav', bytes: 12 });
		expect(await store({ bytes: 9 })).toMatchObject({ bytes: 9 });
	});
});
