import type { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { FileAllowance, storeFile } from '../../../nodes/shared/files/storeFile';
import { Redactor } from '../../../nodes/shared/answer/redactor';

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<number> {
	let bytes = 0;
	for await (const chunk of chunks) bytes += chunk.length;
	return bytes;
}
const file = (bytes: number) => [Buffer.alloc(bytes)];

describe('What an item may store', () => {
	it('counts all its files together', async () => {
		const allowance = new FileAllowance(10);
		expect(await bytesOf(allowance.limit(file(6)))).toBe(6);
		expect(await bytesOf(allowance.limit(file(4)))).toBe(4);
		await expect(bytesOf(allowance.limit(file(1)))).rejects.toMatchObject({
			kind: 'answer',
			message: expect.stringContaining('the files of the item are longer than 1000 MB together'),
		});
	});

	it('counts files that arrive at the same time', async () => {
		const allowance = new FileAllowance(10);
		const results = await Promise.allSettled(
			[6, 6].map(async (bytes) => await bytesOf(allowance.limit(file(bytes)))),
		);
		expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
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
